import { createHash } from 'node:crypto';
import type { Database } from '../database.js';

/**
 * A caller's Idempotency-Key may reveal something about the document, so the store holds its SHA-256 (idempotency.ts).
 * Documents are removed by age, which had no index.
 */
export function idempotencyHashes(db: Database): void {
  db.exec('CREATE INDEX document_age ON document (created_at)');
  const select = 'SELECT organisation_id AS "organisationId", idempotency_key AS "idempotencyKey" FROM idempotency';
  for (const { organisationId, idempotencyKey } of db.all<{ organisationId: string; idempotencyKey: string }>(select))
    db.run(
      `UPDATE idempotency SET idempotency_key = :keyHash
       WHERE organisation_id = :organisationId AND idempotency_key = :idempotencyKey`,
      { keyHash: createHash('sha256').update(idempotencyKey).digest('hex'), organisationId, idempotencyKey },
    );
}
