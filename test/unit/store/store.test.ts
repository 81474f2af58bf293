import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createId } from '../../../src/contract/identifiers.js';
import { type Blobs, createBlobs } from '../../../src/store/blobs/blobs.js';
import { openFileStorage } from '../../../src/store/blobs/file-storage.js';
import type { IncomingBlob } from '../../../src/store/blobs/incoming-blob.js';
import { SCHEMA_VERSION, StoreTooNewError } from '../../../src/store/schema.js';
import { classifySqliteError, openDatabase } from '../../../src/store/sqlite/database.js';
import { lockDirectory } from '../../../src/store/sqlite/directory-lock.js';
import { migrate } from '../../../src/store/sqlite/migrate.js';
import { openStore } from '../../../src/store/sqlite/open-store.js';
import { createWriteQueue, ERASURE_DELAY_MS } from '../../../src/store/sqlite/write-queue.js';
import type { Store } from '../../../src/store/store.js';
import { all, one, run } from '../../../src/store/unit.js';

/** The options of a queue that does not sync. */
const QUEUE = { path: 'a.db', syncJournal: async () => {} };
/** More than is kept in the store. */
const LARGE = 'x'.repeat(100_000);
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-store-test-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('a store → opened with its settings', async () => {
  const store = await openStore(join(directory, 'ocr.db'));
  const pragma = async (name: string) => Object.values((await store.read(one(`PRAGMA ${name}`))) ?? {})[0];
  expect([await pragma('journal_mode'), await pragma('synchronous'), await pragma('busy_timeout')]).toEqual([
    'wal',
    1,
    0,
  ]);
  expect(await pragma('foreign_keys')).toBe(1);
  await store.close();
});

test('migrations → run once; a newer store → unchanged', async () => {
  const path = join(directory, 'ocr.db');
  await (await openStore(path)).close();
  const store = await openStore(path);
  expect((await store.read(all('SELECT version FROM schema_migration'))).map((row) => row.version)).toEqual(
    Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1),
  );
  await store.write(() => run('INSERT INTO schema_migration (version, applied_at) VALUES (999, 0)'));
  await store.close();
  await expect(openStore(path)).rejects.toThrow(StoreTooNewError);
});

test('a write that throws → undone; its neighbours stay', async () => {
  const db = openDatabase(join(directory, 'a.db'));
  db.exec('CREATE TABLE t (a INTEGER PRIMARY KEY)');
  const { write, drain } = createWriteQueue(db, QUEUE);
  const results = await Promise.allSettled([
    write(() => db.run('INSERT INTO t VALUES (1)')),
    write(() => {
      db.run('INSERT INTO t VALUES (2)');
      throw new Error('no');
    }),
    write(() => db.run('INSERT INTO t VALUES (1)')),
    write(() => db.run('INSERT INTO t VALUES (3)')),
  ]);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(db.all('SELECT a FROM t').map((row) => row.a)).toEqual([1, 3]);
  await drain();
  db.close();
});

test('concurrent writes → one commit', async () => {
  const db = openDatabase(join(directory, 'a.db'));
  db.exec('CREATE TABLE t (a INTEGER)');
  let commits = 0;
  const counted = {
    ...db,
    run: (sql: string) => {
      if (sql === 'COMMIT') commits++;
      return db.run(sql);
    },
  };
  const { write } = createWriteQueue(counted, QUEUE);
  await Promise.all(Array.from({ length: 200 }, (_, i) => write(() => db.run('INSERT INTO t VALUES (:i)', { i }))));
  expect(commits).toBe(1);
  expect(db.get('SELECT count(*) AS n FROM t')).toMatchObject({ n: 200 });
  db.close();
});

test('a locked store → the writer waits without blocking the event loop', async () => {
  const path = join(directory, 'a.db');
  const [mine, other] = [openDatabase(path), openDatabase(path)];
  mine.exec('CREATE TABLE t (a INTEGER)');
  other.exec('BEGIN IMMEDIATE');
  let turns = 0;
  const ticking = setInterval(() => turns++, 5);
  const written = createWriteQueue(mine, QUEUE).write(() => mine.run('INSERT INTO t VALUES (1)'));
  // Blocked, it would never get there, however slow the machine.
  while (turns < 3) await sleep(5);
  expect(mine.all('SELECT * FROM t')).toEqual([]);
  other.exec('COMMIT');
  await written;
  clearInterval(ticking);
  mine.close();
  other.close();
});

test('a full database → the write fails, the next one works', async () => {
  const db = openDatabase(join(directory, 'a.db'));
  db.exec('CREATE TABLE t (a TEXT)');
  db.exec('PRAGMA max_page_count = 20');
  const { write } = createWriteQueue(db, QUEUE);
  const error = await write(() => db.run('INSERT INTO t VALUES (:a)', { a: 'x'.repeat(500_000) })).catch(
    (e: unknown) => e,
  );
  expect(classifySqliteError(error)).toBe('full');
  expect(await write(() => db.run('INSERT INTO t VALUES (:a)', { a: 'small' }))).toBe(1);
  db.close();
});

test('concurrent migrations of one file → both succeed', async () => {
  const path = join(directory, 'ocr.db');
  const stores = await Promise.all([openStore(path), openStore(path)]);
  for (const store of stores) await store.close();
  const db = openDatabase(path);
  expect(() => migrate(db, { now: Date.now, steadyNow: Date.now })).not.toThrow();
  db.close();
});

test('a directory → one holder, free after its release', () => {
  const first = lockDirectory(directory);
  expect(first).toBeDefined();
  expect(lockDirectory(directory)).toBeUndefined();
  first?.release();
  const second = lockDirectory(directory);
  expect(second).toBeDefined();
  second?.release();
});

async function openBlobs(): Promise<Blobs> {
  const store = await openStore(join(directory, 'ocr.db'));
  onTestFinished(() => store.close());
  return await createBlobs(directory, store, [await openFileStorage(directory)]);
}

/** Keeps a large upload. Files are stored as they come, whatever is said about them. */
const keep = (blob: IncomingBlob, id: string) => blob.keep({ id, sizeBytes: 0, sha256: '' });

test('a document → kept under its id, or no file', async () => {
  const blobs = await openBlobs();
  const kept = blobs.receive('a.part');
  await kept.append(Buffer.from('one '));
  const path = await kept.spill();
  await kept.append(Buffer.from('two'));
  expect(await readFile(path, 'utf8')).toBe('one two');
  expect(await keep(kept, 'doc_1')).toBeUndefined();
  await kept.discard();
  expect(await readFile(join(directory, 'documents', 'doc_1'), 'utf8')).toBe('one two');
  expect(existsSync(path)).toBe(false);
  const refused = blobs.receive('b.part');
  await refused.append(Buffer.from('x'));
  await refused.spill();
  await refused.discard();
  await refused.discard();
  expect(readdirSync(join(directory, 'incoming'))).toEqual([]);
  await blobs.remove('doc_1');
  await blobs.remove('doc_1');
  expect(readdirSync(join(directory, 'documents'))).toEqual([]);
});

test('small documents → given to the transaction of their job, no files', async () => {
  const blobs = await openBlobs();
  const blob = blobs.receive('a.part');
  for (const chunk of ['one ', 'two']) await blob.append(Buffer.from(chunk));
  expect(Buffer.from((await keep(blob, 'doc_1')) ?? []).toString()).toBe('one two');
  await blob.discard();
  for (const name of ['incoming', 'documents']) expect(readdirSync(join(directory, name))).toEqual([]);
});

test('a small upload → in memory; a large one, or one beyond the bound → on disk', async () => {
  const blobs = await openBlobs();
  const MIB = 1024 * 1024;
  const listUploads = () => readdirSync(join(directory, 'incoming')).sort();
  const content = Buffer.alloc(MIB, 'abc');
  const small = blobs.receive('small.part');
  await small.append(content);
  expect(Buffer.from(small.head)).toEqual(content.subarray(0, 1024));
  expect(listUploads()).toEqual([]);
  await keep(small, 'doc_small');
  // Not by `toEqual`, which takes seconds for each MiB.
  expect(readFileSync(join(directory, 'documents', 'doc_small')).equals(content)).toBe(true);

  const large = blobs.receive('large.part');
  for (const end of [1, 2]) {
    await large.append(content);
    expect(listUploads()).toEqual(end === 1 ? [] : ['large.part']);
  }
  await keep(large, 'doc_large');
  const kept = readFileSync(join(directory, 'documents', 'doc_large'));
  expect(kept.equals(Buffer.concat([content, content]))).toBe(true);

  // 64 MiB for all: the next one finds none left, and all of it is given back.
  const many = Array.from({ length: 64 }, (_, index) => blobs.receive(`many-${index}.part`));
  for (const one of many) await one.append(content);
  expect(listUploads()).toEqual([]);
  const next = blobs.receive('next.part');
  await next.append(content);
  expect(listUploads()).toEqual(['next.part']);
  for (const one of [...many, next]) await one.discard();
  const last = blobs.receive('last.part');
  await last.append(content);
  expect(listUploads()).toEqual([]);
});

test('documents kept concurrently → all stored under their names', async () => {
  const blobs = await openBlobs();
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  await Promise.all(
    numbers.map(async (number) => {
      const blob = blobs.receive(`${number}.part`);
      await blob.append(Buffer.from(`${number}${LARGE}`));
      await keep(blob, `doc_${number}`);
      expect(readFileSync(join(directory, 'documents', `doc_${number}`), 'utf8')).toBe(`${number}${LARGE}`);
    }),
  );
  expect(readdirSync(join(directory, 'incoming'))).toEqual([]);
});

test('a synced write → resolves after the sync; an unsynced one → at once', async () => {
  const db = openDatabase(join(directory, 'a.db'));
  db.exec('CREATE TABLE t (a INTEGER)');
  const syncs: Array<() => void> = [];
  const { write, drain } = createWriteQueue(db, {
    ...QUEUE,
    syncJournal: () => new Promise((resolve) => syncs.push(resolve)),
  });
  const told: number[] = [];
  const insert = (value: number, isSynced: boolean) =>
    write(() => db.run('INSERT INTO t VALUES (:value)', { value }), { isSynced }).then(() => told.push(value));
  const first = insert(1, true);
  await insert(2, false);
  expect([told, syncs.length]).toEqual([[2], 1]);
  // Committed while the disk is busy: it needs the next sync, and shares it.
  const others = [insert(3, true), insert(4, true)];
  await insert(5, false);
  expect(db.all('SELECT a FROM t')).toHaveLength(5);
  expect([told, syncs.length]).toEqual([[2, 5], 1]);
  syncs[0]?.();
  await first;
  expect(told).toEqual([2, 5, 1]);
  await vi.waitFor(() => expect(syncs).toHaveLength(2));
  syncs[1]?.();
  await Promise.all([...others, drain()]);
  expect(told).toEqual([2, 5, 1, 3, 4]);
  db.close();
});

test('a failed sync → nothing is read or written any more, and the journal stays', async () => {
  const path = join(directory, 'ocr.db');
  const db = openDatabase(path);
  db.exec('CREATE TABLE t (a INTEGER)');
  const failures: unknown[] = [];
  const syncs: Array<(error?: Error) => void> = [];
  const queue = createWriteQueue(db, {
    path,
    syncJournal: () => new Promise((resolve, reject) => syncs.push((error) => (error ? reject(error) : resolve()))),
    onFailure: (failure) => failures.push(failure),
  });
  const insert = (value: number) => queue.write(() => db.run('INSERT INTO t VALUES (:value)', { value }));
  const first = insert(1);
  await vi.waitFor(() => expect(syncs).toHaveLength(1));
  // Committed, and seen by readers, while the sync runs that fails.
  const second = insert(2);
  await vi.waitFor(() => expect(db.all('SELECT a FROM t')).toHaveLength(2));
  const outcomes = Promise.allSettled([first, second, queue.synced()]);
  syncs[0]?.(Object.assign(new Error('EIO'), { code: 'EIO', errno: -5, syscall: 'fdatasync' }));
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  const words = `${path}-wal: the journal could not be brought to the disk (fdatasync EIO i/o error)`;
  await expect(insert(3)).rejects.toThrow(words);
  await expect(queue.synced()).rejects.toThrow(words);
  await queue.drain();
  expect(syncs).toHaveLength(1);
  expect(failures).toEqual([queue.failure]);
  expect(db.all('SELECT a FROM t')).toHaveLength(2);
  db.close();
});

test('a read before its sync → synced waits for that sync, and for no other', async () => {
  const db = openDatabase(join(directory, 'a.db'));
  db.exec('CREATE TABLE t (a INTEGER)');
  const syncs: Array<() => void> = [];
  const queue = createWriteQueue(db, { ...QUEUE, syncJournal: () => new Promise((resolve) => syncs.push(resolve)) });
  const insert = () => queue.write(() => db.run('INSERT INTO t VALUES (1)'));
  await queue.synced();
  const first = insert();
  await vi.waitFor(() => expect(syncs).toHaveLength(1));
  const seen = queue.synced();
  const second = insert();
  await vi.waitFor(() => expect(db.all('SELECT a FROM t')).toHaveLength(2));
  let isSecondSynced = false;
  const both = queue.synced().then(() => {
    isSecondSynced = true;
  });
  syncs[0]?.();
  await Promise.all([first, seen]);
  expect(isSecondSynced).toBe(false);
  await vi.waitFor(() => expect(syncs).toHaveLength(2));
  syncs[1]?.();
  await Promise.all([second, both]);
  db.close();
});

test('a journal of 1,000 pages → moved into the database, after some writes or a second', async () => {
  const path = join(directory, 'a.db');
  const db = openDatabase(path);
  db.exec('CREATE TABLE t (a TEXT)');
  const { write, drain } = createWriteQueue(db, { ...QUEUE, path });
  const insert = (kib: number) => write(() => db.run('INSERT INTO t VALUES (:a)', { a: 'x'.repeat(kib * 1024) }));
  const pages = () => db.get<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
  await insert(1024);
  await insert(4096);
  await drain();
  expect(pages()?.checkpointed).toBe(0);
  await expect.poll(() => pages()?.checkpointed).toBe(pages()?.log);
  expect(pages()?.log).toBeGreaterThan(1_000);
  await insert(1);
  await drain();
  expect(pages()?.log).toBeLessThan(100);
  // Many writes do not wait for that time.
  await Promise.all(Array.from({ length: 16 }, () => insert(512)));
  await drain();
  expect(pages()).toMatchObject({ log: expect.any(Number), checkpointed: pages()?.log });
  db.close();
});

test('unneeded documents → removed at start, a person’s own files are not', async () => {
  const blobs = await openBlobs();
  for (const name of [`incoming/${createId('req')}.part`, `documents/${createId('doc')}`])
    await writeFile(join(directory, name), 'x');
  // A person pointed the service at a directory with files of his own.
  for (const name of ['incoming/mail.eml', 'documents/thesis.txt']) await writeFile(join(directory, name), 'x');
  await mkdir(join(directory, 'documents', 'letters'));
  expect(await blobs.removeLeftovers()).toBe(2);
  expect(readdirSync(join(directory, 'incoming'))).toEqual(['mail.eml']);
  expect(readdirSync(join(directory, 'documents')).sort()).toEqual(['letters', 'thesis.txt']);
});

const SECRET = 'a sentence of a document';
const isInFiles = (of = directory) =>
  ['ocr.db', 'ocr.db-wal'].some((name) => existsSync(join(of, name)) && readFileSync(join(of, name)).includes(SECRET));

/** Writes a result of many pages of the database, and removes it again. */
async function writeAndRemove(store: Store): Promise<void> {
  await store.write(() => run('CREATE TABLE IF NOT EXISTS t (a TEXT)'));
  await store.write(() => run('INSERT INTO t VALUES (:a)', { a: `${SECRET} `.repeat(2_000) }));
  await store.write(() => run('DELETE FROM t'), { isErasure: true });
}

async function passErasureDelay(): Promise<void> {
  await vi.advanceTimersByTimeAsync(ERASURE_DELAY_MS);
}

describe('what was removed', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('→ gone from the files after the delay, and writing goes on', async () => {
    const store = await openStore(join(directory, 'ocr.db'));
    await writeAndRemove(store);
    expect(isInFiles()).toBe(true);
    await passErasureDelay();
    expect(isInFiles()).toBe(false);
    await store.write(() => run(`INSERT INTO t VALUES ('next')`));
    expect(await store.read(all('SELECT a FROM t'))).toEqual([{ a: 'next' }]);
    await store.close();
  });

  test('while another process reads → gone after the next delay', async () => {
    const store = await openStore(join(directory, 'ocr.db'));
    const reader = openDatabase(join(directory, 'ocr.db'));
    await store.write(() => run('CREATE TABLE t (a TEXT)'));
    reader.exec('BEGIN');
    reader.get('SELECT * FROM t');
    await writeAndRemove(store);
    await passErasureDelay();
    expect(isInFiles()).toBe(true);
    reader.exec('COMMIT');
    await passErasureDelay();
    expect(isInFiles()).toBe(false);
    reader.close();
    await store.close();
  });

  test('by a process that ends, beside a service → gone when it closes the store', async () => {
    const service = await openStore(join(directory, 'ocr.db'));
    const beside = await openStore(join(directory, 'ocr.db'));
    await writeAndRemove(beside);
    expect(isInFiles()).toBe(true);
    await beside.close();
    expect(isInFiles()).toBe(false);
    await service.close();
  });

  test('by a process that was killed before → gone soon after the next start', async () => {
    const store = await openStore(join(directory, 'ocr.db'));
    await writeAndRemove(store);
    const later = mkdtempSync(join(tmpdir(), 'ocr-store-test-'));
    onTestFinished(() => rmSync(later, { recursive: true, force: true }));
    for (const name of ['ocr.db', 'ocr.db-wal']) copyFileSync(join(directory, name), join(later, name));
    await store.close();
    const next = await openStore(join(later, 'ocr.db'), { isHolder: true });
    expect(isInFiles(later)).toBe(true);
    await passErasureDelay();
    expect(isInFiles(later)).toBe(false);
    await next.close();
  });
});
