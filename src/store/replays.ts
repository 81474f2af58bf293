import { timeOfId } from '../contract/identifiers.js';
import { boundIds } from './page.js';
import { IDEMPOTENCY_TTL_MS } from './queue.js';
import { all, type Unit } from './unit.js';

/** A call that got the answer of an earlier one with the same Idempotency-Key. */
export interface ReplayRow {
  requestId: string;
  httpStatus: number | null;
  createdAtMs: number;
}

/** Calls after the first one among which its replays are looked for: senders repeat soon. */
const MAX_SCANNED_ROWS = 1_000;
const MAX_REPLAYS = 50;

/** Reads the replays of an organisation's call, oldest first. */
export function* readReplaysOf(organisationId: string, requestId: string): Unit<ReplayRow[]> {
  const fromMs = timeOfId(requestId);
  if (fromMs === undefined) return [];
  const untilMs = fromMs + IDEMPOTENCY_TTL_MS;
  const { where, values } = boundIds('request', fromMs, untilMs);
  const conditions = ['organisation_id = :organisationId', 'created_at >= :fromMs', 'created_at <= :untilMs', ...where];
  return yield* all<ReplayRow>(
    `SELECT id AS "requestId", status AS "httpStatus", created_at AS "createdAtMs"
     FROM (SELECT id, status, created_at, replay_of FROM request WHERE ${conditions.join(' AND ')}
       ORDER BY created_at LIMIT :scanned) AS later
     WHERE replay_of = :requestId ORDER BY created_at, id LIMIT :max`,
    { ...values, organisationId, requestId, fromMs, untilMs, scanned: MAX_SCANNED_ROWS, max: MAX_REPLAYS },
  );
}
