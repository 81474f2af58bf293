import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DocumentPool } from '../../../../dist/service/documents/pool.js';
import { createKeptPictures, KEPT_MS } from '../../../../dist/service/portal/pictures/kept-pictures.js';
import { examples } from '../../../fixtures/manifest.js';
import { DOCUMENT_LIMITS, startDocumentPool } from '../../../support/document-pool.js';

const bytes = readFileSync(examples.report.path);
const report = { organisationId: 'org_1', mimeType: 'application/pdf', password: undefined, bytes };

let started: Awaited<ReturnType<typeof startDocumentPool>>;
let directory: string;
let pool: DocumentPool;
beforeAll(async () => {
  started = await startDocumentPool('run');
  ({ directory, pool } = started);
});
afterAll(() => started.close());

/** Pictures whose clock stands until a test moves it. */
function create(maxBytes?: number) {
  const clock = { ms: 0, now: () => clock.ms };
  return { pictures: createKeptPictures({ store: { clock }, pool, config: DOCUMENT_LIMITS }, maxBytes), clock };
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
