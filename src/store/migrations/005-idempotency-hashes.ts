import { createHash } from 'node:crypto';
import type { Database } from '../database.js';

/**
 * What callers chose as Idempotency-Key may say something of their documents, so its SHA-256 stands in the store
 * (idempotency.ts). Documents are forgotten by their age, which had no index.
 */
export function idempotencyHashes(db: Database): void {
  db.exec('CREATE INDEX document_age ON document (created_at)');
  const select = 'SELECT organisation_id AS "organisationId", idempotency_key AS "idempotencyKey" FROM idempotency';
  for (const { organisationId, idempotencyKey } of db.all<{ organisationId: string; idempotencyKey: string }>(select))
    db.run(
      'UPDATE idempotency SET idempotency_key = ? WHERE organisation_id = ? AND idempotency_key = ?',
      createHash('sha256').update(idempotencyKey).digest('hex'),
      organisationId,
      idempotencyKey,
    );
}
