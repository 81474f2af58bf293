import { createHash } from 'node:crypto';
import { type Accepted, IDEMPOTENCY_TTL_MS } from './queue.js';
import { one, run, type Unit } from './unit.js';

export interface IdempotentUse {
  /** The caller's text. Only its SHA-256 is stored. */
  key: string;
  contentHash: string;
}

export type EarlierUse = Extract<Accepted, { kind: 'replay' | 'conflict' }>;

/** Finds the earlier use of an Idempotency-Key within its lifetime. */
export function* findIdempotentUse(
  organisationId: string,
  use: IdempotentUse,
  nowMs: number,
): Unit<EarlierUse | undefined> {
  const earlier = yield* one<{ contentHash: string; requestId: string }>(
    `SELECT content_hash AS "contentHash", request_id AS "requestId" FROM idempotency
     WHERE organisation_id = :organisationId AND idempotency_key = :keyHash AND created_at >= :sinceMs`,
    { organisationId, keyHash: hashKey(use), sinceMs: nowMs - IDEMPOTENCY_TTL_MS },
  );
  if (earlier === undefined) return undefined;
  return earlier.contentHash === use.contentHash
    ? { kind: 'replay', requestId: earlier.requestId }
    : { kind: 'conflict' };
}

/**
 * Binds the key to this request, unless an earlier use within its lifetime has it, which is returned. Of two calls at the same
 * time the second waits here for the end of the first one's transaction.
 */
export function* bindIdempotencyKey(
  organisationId: string,
  use: IdempotentUse,
  requestId: string,
  nowMs: number,
): Unit<EarlierUse | undefined> {
  const bound = yield* run(
    `INSERT INTO idempotency (organisation_id, idempotency_key, content_hash, request_id, created_at)
     VALUES (:organisationId, :keyHash, :contentHash, :requestId, :nowMs)
     ON CONFLICT (organisation_id, idempotency_key) DO UPDATE SET content_hash = excluded.content_hash,
       request_id = excluded.request_id, created_at = excluded.created_at WHERE idempotency.created_at < :sinceMs`,
    {
      organisationId,
      keyHash: hashKey(use),
      contentHash: use.contentHash,
      requestId,
      nowMs,
      sinceMs: nowMs - IDEMPOTENCY_TTL_MS,
    },
  );
  return bound === 1 ? undefined : yield* findIdempotentUse(organisationId, use, nowMs);
}

function hashKey({ key }: IdempotentUse): string {
  return createHash('sha256').update(key).digest('hex');
}
