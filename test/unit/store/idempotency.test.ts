import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createOrganisation } from '../../../src/store/access.js';
import { bindIdempotencyKey, findIdempotentUse } from '../../../src/store/idempotency.js';
import { openStore } from '../../../src/store/sqlite/open-store.js';
import { all, run } from '../../../src/store/unit.js';

test('keys of an earlier schema → hashed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-idempotency-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  let store = await openStore(join(directory, 'ocr.db'));
  const organisationId = await createOrganisation(store, 'Test');
  const use = { key: 'k', contentHash: 'a' };
  await store.write(() => bindIdempotencyKey(organisationId, use, 'req_1', Date.now()));
  // The key in the form of schema 4.
  await store.write(function* () {
    const changes = `UPDATE idempotency SET idempotency_key = 'k'; DROP INDEX document_age; ALTER TABLE job DROP COLUMN deferred; DROP TABLE blob;
       DROP TABLE worker_time; DROP INDEX job_turn; DROP INDEX job_busy; CREATE INDEX job_waiting ON job (priority, created_at, id);
       ALTER TABLE result DROP COLUMN confidence; ALTER TABLE job DROP COLUMN deleted_at;
       ALTER TABLE organisation DROP COLUMN own_functions; ALTER TABLE organisation DROP COLUMN own_page_cap;
       ALTER TABLE organisation DROP COLUMN own_documents_per_period;
       ALTER TABLE organisation DROP COLUMN own_requests_per_window; ALTER TABLE organisation DROP COLUMN own_webhooks;
       ALTER TABLE job DROP COLUMN lane; ALTER TABLE job DROP COLUMN place; ALTER TABLE job DROP COLUMN engine; DROP TABLE event;
       DROP TABLE event_removal; DROP TABLE setting; DROP TABLE blob_part; DROP TABLE store_identity;
       DROP INDEX result_blob; ALTER TABLE result DROP COLUMN blob_id;
       DELETE FROM schema_migration WHERE version > 4`;
    for (const sql of changes.split(';')) yield* run(sql);
  });
  await store.close();
  store = await openStore(join(directory, 'ocr.db'));
  const keys = await store.read(all<{ key: string }>('SELECT idempotency_key AS key FROM idempotency'));
  expect(keys).toEqual([{ key: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  expect(await store.read(findIdempotentUse(organisationId, use, Date.now()))).toEqual({
    kind: 'replay',
    requestId: 'req_1',
  });
  await store.close();
});
