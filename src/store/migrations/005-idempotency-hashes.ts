import { createHash } from 'node:crypto';
import { all, run, type Unit } from '../unit.js';

/**
 * A caller's Idempotency-Key may reveal something about the document, so the store holds its SHA-256 (idempotency.ts).
 * Documents are removed by age, which had no index.
 */
export function* idempotencyHashes(): Unit<void> {
  yield* run('CREATE INDEX document_age ON document (created_at)');
  const select = 'SELECT organisation_id AS "organisationId", idempotency_key AS "idempotencyKey" FROM idempotency';
  for (const { organisationId, idempotencyKey } of yield* all<{ organisationId: string; idempotencyKey: string }>(
    select,
  ))
    yield* run(
      `UPDATE idempotency SET idempotency_key = :keyHash
       WHERE organisation_id = :organisationId AND idempotency_key = :idempotencyKey`,
      { keyHash: createHash('sha256').update(idempotencyKey).digest('hex'), organisationId, idempotencyKey },
    );
}
