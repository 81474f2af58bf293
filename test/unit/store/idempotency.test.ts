import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findIdempotentUse } from '../../../src/store/idempotency.js';
import { migrationTo } from '../../../src/store/schema.js';
import { openDatabase } from '../../../src/store/sqlite/database.js';
import { openStore } from '../../../src/store/sqlite/open-store.js';
import { all } from '../../../src/store/unit.js';

test('keys of an earlier schema → hashed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-idempotency-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const db = openDatabase(join(directory, 'ocr.db'));
  db.exec('CREATE TABLE schema_migration (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)');
  for (let version = 1; version <= 4; version++) {
    db.exec(migrationTo(version, 'sqlite') as string);
    db.run('INSERT INTO schema_migration VALUES (:version, 0)', { version });
  }
  const [organisationId, nowMs] = ['org_1', Date.now()];
  db.run(`INSERT INTO organisation (id, name, created_at) VALUES (:organisationId, 'Test', 0)`, { organisationId });
  db.run(`INSERT INTO idempotency VALUES (:organisationId, 'k', 'a', 'req_1', :nowMs)`, { organisationId, nowMs });
  db.close();
  const use = { key: 'k', contentHash: 'a' };
  const store = await openStore(join(directory, 'ocr.db'));
  const keys = await store.read(all<{ key: string }>('SELECT idempotency_key AS key FROM idempotency'));
  expect(keys).toEqual([{ key: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  expect(await store.read(findIdempotentUse(organisationId, use, Date.now()))).toEqual({
    kind: 'replay',
    requestId: 'req_1',
  });
  await store.close();
});
