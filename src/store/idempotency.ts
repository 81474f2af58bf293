import { createHash } from 'node:crypto';
import type { Database } from './database.js';
import { type Accepted, IDEMPOTENCY_TTL_MS } from './queue.js';

export interface IdempotentUse {
  /** As the caller sent it; the store has its SHA-256 alone. */
  key: string;
  contentHash: string;
}

export type EarlierUse = Extract<Accepted, { kind: 'replay' | 'conflict' }>;

/** Looks up what an Idempotency-Key was used for, as long as it answers for that. */
export function findIdempotentUse(
  db: Database,
  organisationId: string,
  use: IdempotentUse,
  nowMs: number,
): EarlierUse | undefined {
  const earlier = db.get<{ contentHash: string; requestId: string }>(
    `SELECT content_hash AS "contentHash", request_id AS "requestId" FROM idempotency
     WHERE organisation_id = ? AND idempotency_key = ? AND created_at >= ?`,
    organisationId,
    hashKey(use),
    nowMs - IDEMPOTENCY_TTL_MS,
  );
  if (earlier === undefined) return undefined;
  return earlier.contentHash === use.contentHash
    ? { kind: 'replay', requestId: earlier.requestId }
    : { kind: 'conflict' };
}

/** From now on the key answers for this request. Part of a transaction that has looked it up: a use that is over is replaced. */
export function rememberIdempotentUse(
  db: Database,
  organisationId: string,
  use: IdempotentUse,
  requestId: string,
  nowMs: number,
): void {
  db.run(
    `INSERT INTO idempotency (organisation_id, idempotency_key, content_hash, request_id, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (organisation_id, idempotency_key) DO UPDATE SET content_hash = excluded.content_hash,
       request_id = excluded.request_id, created_at = excluded.created_at`,
    organisationId,
    hashKey(use),
    use.contentHash,
    requestId,
    nowMs,
  );
}

function hashKey({ key }: IdempotentUse): string {
  return createHash('sha256').update(key).digest('hex');
}
