import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createId } from '../../../src/contract/identifiers.js';
import { createOrganisation } from '../../../src/store/access.js';
import { findIdempotentUse } from '../../../src/store/idempotency.js';
import { IDEMPOTENCY_TTL_MS } from '../../../src/store/queue.js';
import { removeUnownedRequests } from '../../../src/store/remove-expired.js';
import { findEarlierAnswer, type RequestEntry, writeRequest } from '../../../src/store/requests.js';
import { rememberCachedAnswer } from '../../../src/store/result-cache.js';
import { openStore } from '../../../src/store/sqlite/open-store.js';
import type { Store } from '../../../src/store/store.js';
import { all, run } from '../../../src/store/unit.js';
import { listDeliveries } from '../../../src/store/webhook-deliveries.js';
import { insertEndpoint } from '../../../src/store/webhooks.js';

let directory: string;
let store: Store;
let organisationId: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-idempotency-test-'));
  store = await openStore(join(directory, 'ocr.db'));
  organisationId = await createOrganisation(store, 'Test');
  await insertEndpoint(store, {
    id: createId('whe'),
    organisationId,
    url: 'https://hooks.example/',
    events: 'document.processed',
    secret: 'sealed',
    previousSecretUntilMs: null,
    createdAtMs: 0,
  });
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

function makeEntry(createdAtMs: number): RequestEntry & { organisationId: string } {
  return {
    id: createId('req'),
    organisationId,
    method: 'POST',
    path: '/v1/ocr/TEXT_EXTRACTION',
    keyId: 'key_1',
    keyLastFour: 'abcd',
    function: 'TEXT_EXTRACTION',
    fileName: undefined,
    sizeBytes: 1,
    sha256: 'ab',
    mimeType: 'application/pdf',
    pageCount: 1,
    jobId: createId('job'),
    isCached: true,
    replayOf: undefined,
    status: 200,
    errorCode: undefined,
    errorMessage: undefined,
    provider: 'test',
    processingMs: 1,
    createdAtMs,
    durationMs: 1,
  };
}

async function remember(entry: ReturnType<typeof makeEntry>, contentHash = 'a') {
  const event = { requestId: entry.id, function: 'TEXT_EXTRACTION', status: 'completed' as const, pageCount: 1 };
  return await rememberCachedAnswer(store, entry, { key: 'k', contentHash }, event);
}
const countEvents = async () => (await listDeliveries(store, { organisationId, limit: 100 })).length;
const findUse = (...use: Parameters<typeof findIdempotentUse>) => store.read(findIdempotentUse(...use));

test('concurrent cached answers under one key → the first one counts', async () => {
  const nowMs = Date.now();
  const [first, second, other] = [makeEntry(nowMs), makeEntry(nowMs), makeEntry(nowMs)];
  expect(await Promise.all([remember(first), remember(second), remember(other, 'b')])).toEqual([
    undefined,
    { kind: 'replay', requestId: first.id },
    { kind: 'conflict' },
  ]);
  expect(await countEvents()).toBe(1);
  expect(await findEarlierAnswer(store, first.id)).toMatchObject({ isCached: true, jobId: first.jobId });
  expect(await findEarlierAnswer(store, second.id)).toBeUndefined();
});

test('a key that another organisation uses → free', async () => {
  const nowMs = Date.now();
  const entry = makeEntry(nowMs);
  await remember(entry);
  const use = { key: 'k', contentHash: 'a' };
  const other = await createOrganisation(store, 'Other');
  expect(await findUse(other, use, nowMs)).toBeUndefined();
  expect(await remember({ ...makeEntry(nowMs), organisationId: other }, 'b')).toBeUndefined();
  expect(await findUse(organisationId, use, nowMs)).toEqual({ kind: 'replay', requestId: entry.id });
});

test('an expired use → replaced before the clean-up', async () => {
  const nowMs = Date.now();
  await remember(makeEntry(nowMs - IDEMPOTENCY_TTL_MS - 1_000));
  const entry = makeEntry(nowMs);
  expect(await remember(entry, 'b')).toBeUndefined();
  expect(await countEvents()).toBe(2);
  expect(await findUse(organisationId, { key: 'k', contentHash: 'b' }, nowMs)).toEqual({
    kind: 'replay',
    requestId: entry.id,
  });
});

test('stored keys → hashed, also those of an earlier schema', async () => {
  const entry = makeEntry(Date.now());
  await remember(entry);
  const keys = () => store.read(all<{ key: string }>('SELECT idempotency_key AS key FROM idempotency'));
  expect(await keys()).toEqual([{ key: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  // The key in the form of schema 4.
  await store.write(function* () {
    const changes = `UPDATE idempotency SET idempotency_key = 'k'; DROP INDEX document_age; ALTER TABLE job DROP COLUMN deferred; DROP TABLE blob;
       DROP TABLE worker_time; DROP INDEX job_turn; DROP INDEX job_busy; CREATE INDEX job_waiting ON job (priority, created_at, id);
       ALTER TABLE result DROP COLUMN confidence; ALTER TABLE job DROP COLUMN deleted_at;
       ALTER TABLE organisation DROP COLUMN own_functions; ALTER TABLE organisation DROP COLUMN own_page_cap;
       ALTER TABLE organisation DROP COLUMN own_documents_per_period;
       ALTER TABLE organisation DROP COLUMN own_requests_per_window; ALTER TABLE organisation DROP COLUMN own_webhooks;
       ALTER TABLE job DROP COLUMN lane; ALTER TABLE job DROP COLUMN place; DROP TABLE event;
       DROP TABLE event_removal;
       DELETE FROM schema_migration WHERE version > 4`;
    for (const sql of changes.split(';')) yield* run(sql);
  });
  await store.close();
  store = await openStore(join(directory, 'ocr.db'));
  expect(await keys()).toEqual([{ key: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  expect(await findUse(organisationId, { key: 'k', contentHash: 'a' }, Date.now())).toEqual({
    kind: 'replay',
    requestId: entry.id,
  });
});

test('calls without a known key → the newest stay; those of organisations and of support keys all stay', async () => {
  const own = makeEntry(0);
  const support = { ...makeEntry(1), organisationId: undefined };
  const others = Array.from({ length: 1_200 }, (_, i) => ({
    ...makeEntry(1_000 + i),
    organisationId: undefined,
    keyId: undefined,
  }));
  await store.write(function* () {
    for (const entry of [own, support, ...others]) yield* writeRequest(entry);
  });
  expect(await removeUnownedRequests(store, 2_000)).toBe(0);
  expect(await removeUnownedRequests(store, 100, AbortSignal.abort())).toBe(0);
  const stop = new AbortController();
  const stopping: Store = {
    ...store,
    write: (work, options) => {
      stop.abort();
      return store.write(work, options);
    },
  };
  expect(await removeUnownedRequests(stopping, 100, stop.signal)).toBe(500);
  expect(await removeUnownedRequests(store, 100)).toBe(600);
  const kept = (await store.read(all<{ id: string }>('SELECT id FROM request ORDER BY created_at'))).map(
    ({ id }) => id,
  );
  expect(kept).toEqual([own, support, ...others.slice(-100)].map(({ id }) => id));
});
