import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import { createRowStorage } from '../../dist/store/blobs/row-storage.js';
import { sweepDocuments } from '../../dist/store/blobs/sweep.js';
import { openStore } from '../../dist/store/postgres/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { one, run } from '../../dist/store/unit.js';
import { describeWithPostgres, startPostgres, type TestPostgres } from '../support/postgres.js';
import { createTables } from '../support/stores.js';

const MOVER = fileURLToPath(new URL('./support/blob-mover.mjs', import.meta.url));
const MIB = 1024 * 1024;
const DAY_MS = 24 * 3_600_000;

describeWithPostgres('documents in rows of PostgreSQL', () => {
  let server: TestPostgres;
  let url: string;
  let store: Store;
  let directory: string;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    await createTables(url);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'ocr-rows-test-'));
    store = await openStore({ url, maxConnections: 4, applicationName: 'ocr-test' });
  });
  afterEach(async () => {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Makes a document in a file, of an age of its own. */
  const make = (bytes: Buffer, ageMs = 0) => {
    const path = join(directory, 'document');
    writeFileSync(path, bytes);
    const id = createId('doc', store.clock.now() - ageMs);
    return { path, facts: { id, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') } };
  };
  const move = (direction: 'put' | 'get', facts: object, path: string) => {
    const out = execFileSync(process.execPath, [MOVER, url, direction, JSON.stringify(facts), path], {
      encoding: 'utf8',
    });
    return JSON.parse(out.trim().split('\n').at(-1) ?? '') as { before: number; most: number };
  };

  test('128 MiB, in and out → never the whole in memory', () => {
    const bytes = randomBytes(128 * MIB);
    const { path, facts } = make(bytes);
    const put = move('put', facts, path);
    expect(put.most - put.before).toBeLessThan(112);
    const got = move('get', facts, join(directory, 'got'));
    expect(got.most - got.before).toBeLessThan(112);
    expect(readFileSync(join(directory, 'got')).equals(bytes)).toBe(true);
  });

  test('a process killed between two rows → an incomplete document, which goes after a day', async () => {
    const { path, facts } = make(randomBytes(20 * MIB), DAY_MS + 1);
    const child = spawn(process.execPath, [MOVER, url, 'put', JSON.stringify(facts), path]);
    let written = 0;
    for await (const line of createInterface(child.stdout)) {
      if (line === 'written' && ++written === 3) child.kill('SIGKILL');
    }
    const storage = createRowStorage(store);
    const got = join(directory, 'got');
    await expect(storage.get(facts, got)).rejects.toThrow(expect.objectContaining({ name: 'BlobMissingError' }));
    expect(readdirSync(directory)).toEqual(['document']);
    expect(await sweepDocuments(store, storage, DAY_MS)).toBe(1);
    const { n } =
      (await store.read(one<{ n: number }>('SELECT count(*) AS n FROM blob_part WHERE id = :id', facts))) ?? {};
    expect(n).toBe(0);
  });

  test('a row that is damaged → an error that says so, and no file', async () => {
    const { path, facts } = make(randomBytes(2 * MIB));
    move('put', facts, path);
    await store.write(() =>
      run(
        'UPDATE blob_part SET bytes = set_byte(bytes, 7, 255 - get_byte(bytes, 7)) WHERE number = 1 AND id = :id',
        facts,
      ),
    );
    const got = join(directory, 'got');
    await expect(createRowStorage(store).get(facts, got)).rejects.toThrow('are not those that were stored');
    await store.write(() => run("UPDATE blob_part SET bytes = '' WHERE number = 1 AND id = :id", facts));
    await expect(createRowStorage(store).get(facts, got)).rejects.toThrow(`has ${MIB} bytes, not ${2 * MIB}`);
    expect(readdirSync(directory)).toEqual(['document']);
  });
});
