import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeIdleWorkers } from '../../../../dist/engine/workers/warm-workers.js';
import { findConfinement } from '../../../../dist/service/documents/confinement/find-confinement.js';
import { createDocumentPool, type DocumentPool } from '../../../../dist/service/documents/pool.js';
import { DOCUMENT_PROGRAM } from '../../../../dist/service/documents/process-handle.js';
import { createKeptPictures, KEPT_MS } from '../../../../dist/service/portal/pictures/kept-pictures.js';
import { examples } from '../../../fixtures/manifest.js';

const config = {
  documentTimeoutMs: 120_000,
  documentIdleTimeoutMs: 60_000,
  documentMemoryBytes: 2 ** 31,
  maxPixels: 100_000_000,
};
const bytes = readFileSync(examples.report.path);
const report = { organisationId: 'org_1', mimeType: 'application/pdf', password: undefined, bytes };

let directory: string;
let pool: DocumentPool;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-pictures-test-'));
  pool = createDocumentPool({
    program: DOCUMENT_PROGRAM,
    taskType: 'run',
    confinement: {
      system: await findConfinement({ dataDir: directory, programs: [] }),
      memoryBytes: 2 ** 32,
      mayWrite: false,
    },
    ...{ size: 1, keepWarm: 0, idleMs: 60_000, recycleAfterTasks: 100, recycleAtBytes: 2 ** 40 },
    room: join(directory, 'room-'),
  });
});
afterAll(async () => {
  await pool.stop();
  await closeIdleWorkers();
  rmSync(directory, { recursive: true, force: true });
});

/** Pictures whose clock stands until a test moves it. */
function create(maxBytes?: number) {
  const clock = { ms: 0, now: () => clock.ms };
  return { pictures: createKeptPictures({ store: { clock }, pool, config }, maxBytes), clock };
}

test('a page that is drawn twice, at once too → drawn once; no file of the document stays', async () => {
  const { pictures } = create();
  pictures.keep('req_1', report);
  const [first, second] = await Promise.all([pictures.draw('req_1', 1, 0), pictures.draw('req_1', 1, 0)]);
  expect(first).toMatchObject({ width: expect.any(Number) });
  expect(second).toBe(first);
  expect(await pictures.draw('req_1', 1, 0)).toBe(first);
  expect(await pictures.draw('req_1', 1, 90)).not.toBe(first);
  expect(readdirSync(directory, { recursive: true }).filter((name) => String(name).includes('doc_'))).toEqual([]);
});

test('a page beyond those that have pictures → why', async () => {
  const { pictures } = create();
  pictures.keep('req_1', report);
  expect(await pictures.draw('req_1', 11, 0)).toEqual({ reason: 'only the first 10 pages have pictures' });
  expect(await pictures.draw('req_2', 1, 0)).toBeUndefined();
});

test('15 minutes → kept until then, and not longer', async () => {
  const { pictures, clock } = create();
  pictures.keep('req_1', report);
  clock.ms = KEPT_MS - 1;
  expect(pictures.has('req_1')).toBe(true);
  clock.ms = KEPT_MS;
  expect(pictures.has('req_1')).toBe(false);
  expect(await pictures.draw('req_1', 1, 0)).toBeUndefined();
});

test('more than all the room → the oldest goes, also for a picture; what is too large alone is never kept', async () => {
  const { pictures } = create();
  pictures.keep('req_1', report);
  const drawn = await pictures.draw('req_1', 1, 0);
  const pictureBytes = drawn !== undefined && 'bytes' in drawn ? drawn.bytes.length : 0;
  expect(pictureBytes).toBeGreaterThan(0);
  const narrow = create(3 * bytes.length + pictureBytes - 1).pictures;
  for (const id of ['req_1', 'req_2', 'req_3']) narrow.keep(id, report);
  expect(['req_1', 'req_2', 'req_3'].map(narrow.has)).toEqual([true, true, true]);
  await narrow.draw('req_2', 1, 0);
  expect(['req_1', 'req_2', 'req_3'].map(narrow.has)).toEqual([false, true, true]);
  const small = create(bytes.length - 1).pictures;
  small.keep('req_1', report);
  expect(small.has('req_1')).toBe(false);
  const blob = { read: async () => bytes } as never;
  expect(await small.read({ blob, sizeBytes: bytes.length })).toBeUndefined();
  expect(await pictures.read({ blob, sizeBytes: bytes.length })).toBe(bytes);
});
