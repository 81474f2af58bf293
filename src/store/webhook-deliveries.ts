import { randomBytes } from 'node:crypto';
import type { Database } from './database.js';
import type { Store } from './store.js';

export type DeliveryStatus = 'pending' | 'delivered' | 'dead';

/** A delivery that this process may send until it is due again; what it says of it later carries the token. */
export interface ClaimedDelivery {
  id: string;
  token: string;
  endpointId: string;
  event: string;
  body: string;
  url: string;
  secret: string;
  previousSecret: string | null;
  previousSecretUntilMs: number | null;
}

/** How one attempt went. Without a status there was no answer, and `error` says why. */
export interface Attempt {
  startedAtMs: number;
  latencyMs: number;
  status: number | undefined;
  error: string | undefined;
  /** What the receiver said, cut after its first KiB. */
  answer: string | undefined;
}

export interface AttemptRow {
  deliveryId: string;
  number: number;
  startedAtMs: number;
  latencyMs: number;
  status: number | null;
  error: string | null;
  answer: string | null;
}

export interface DeliveryRow {
  id: string;
  endpointId: string;
  organisationId: string;
  event: string;
  requestId: string;
  status: DeliveryStatus;
  createdAtMs: number;
  nextAttemptAtMs: number | null;
  finishedAtMs: number | null;
}

const CLAIM = `
  UPDATE webhook_delivery SET token = ?, next_attempt_at = ?
  WHERE id = ? AND status = 'pending' AND next_attempt_at <= ?
  RETURNING id, token, endpoint_id AS "endpointId", event, body`;

/** When the next delivery after `afterMs` is due, or the earliest of all; undefined where none waits. */
export function findNextDue(store: Store, afterMs = 0): number | undefined {
  return store.read.get<{ dueMs: number }>(
    `SELECT next_attempt_at AS "dueMs" FROM webhook_delivery WHERE status = 'pending' AND next_attempt_at > ?
     ORDER BY next_attempt_at LIMIT 1`,
    afterMs,
  )?.dueMs;
}

/** Endpoints that something is due for, in the order of their ids. One that was removed waits for nothing. */
export function listDueEndpoints(store: Store, nowMs: number): string[] {
  return store.read
    .all<{ id: string }>(
      `SELECT id FROM webhook_endpoint WHERE removed_at IS NULL AND EXISTS (SELECT 1 FROM webhook_delivery
         WHERE status = 'pending' AND endpoint_id = webhook_endpoint.id AND next_attempt_at <= ?) ORDER BY id`,
      nowMs,
    )
    .map(({ id }) => id);
}

/** What is due of one endpoint, the longest due first. */
export function listDue(store: Store, endpointId: string, nowMs: number, limit: number): string[] {
  return store.read
    .all<{ id: string }>(
      `SELECT id FROM webhook_delivery WHERE status = 'pending' AND endpoint_id = ? AND next_attempt_at <= ?
       ORDER BY next_attempt_at, id LIMIT ?`,
      endpointId,
      nowMs,
      limit,
    )
    .map(({ id }) => id);
}

/** Takes those of `ids` that are still due. A delivery whose outcome is not reported within `leaseMs` is due again. */
export async function claimDeliveries(
  store: Store,
  ids: readonly string[],
  nowMs: number,
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  return await store.write((db) =>
    ids.flatMap((id) => {
      const delivery = db.get<ClaimedDelivery>(CLAIM, randomBytes(12).toString('hex'), nowMs + leaseMs, id, nowMs);
      return delivery === undefined ? [] : [{ ...delivery, ...readEndpoint(db, delivery.endpointId) }];
    }),
  );
}

function readEndpoint(db: Database, endpointId: string) {
  return db.get<Pick<ClaimedDelivery, 'url' | 'secret' | 'previousSecret' | 'previousSecretUntilMs'>>(
    `SELECT url, secret, previous_secret AS "previousSecret", previous_secret_until AS "previousSecretUntilMs"
     FROM webhook_endpoint WHERE id = ?`,
    endpointId,
  );
}

/**
 * Writes down an attempt and what follows from it: delivered, another attempt after the delay that `delaysMs` has for it, or
 * dead. Undefined when the token is no longer the newest: another process has taken the delivery over.
 */
export async function finishAttempt(
  store: Store,
  { id, token }: Pick<ClaimedDelivery, 'id' | 'token'>,
  attempt: Attempt,
  { isDelivered, delaysMs, nowMs }: { isDelivered: boolean; delaysMs: readonly number[]; nowMs: number },
): Promise<{ number: number; status: DeliveryStatus } | undefined> {
  return await store.write((db) => {
    const row = db.get<{ attempts: number; seriesStart: number; status: DeliveryStatus }>(
      `SELECT attempts, series_start AS "seriesStart", status FROM webhook_delivery WHERE id = ? AND token = ?`,
      id,
      token,
    );
    if (row === undefined) return undefined;
    const number = row.attempts + 1;
    db.run(
      `INSERT INTO webhook_attempt (delivery_id, number, started_at, latency_ms, status, error, answer)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      id,
      number,
      attempt.startedAtMs,
      attempt.latencyMs,
      attempt.status ?? null,
      attempt.error ?? null,
      attempt.answer ?? null,
    );
    const delayMs = delaysMs[number - row.seriesStart - 1];
    // The endpoint may have been removed meanwhile: what it was given up for, it stays.
    const isOver = isDelivered || delayMs === undefined || row.status !== 'pending';
    const status = isDelivered ? 'delivered' : isOver ? 'dead' : 'pending';
    db.run(
      'UPDATE webhook_delivery SET status = ?, attempts = ?, next_attempt_at = ?, token = NULL, finished_at = ? WHERE id = ?',
      status,
      number,
      isOver ? null : nowMs + delayMs,
      isOver ? nowMs : null,
      id,
    );
    return { number, status };
  });
}

/** Due again at once, before younger ones, as if it had not been taken: for an attempt that this service cut off itself. */
export async function releaseDelivery(store: Store, { id, token }: Pick<ClaimedDelivery, 'id' | 'token'>) {
  await store.write((db) =>
    db.run(
      `UPDATE webhook_delivery SET token = NULL, next_attempt_at = created_at WHERE id = ? AND token = ? AND status = 'pending'`,
      id,
      token,
    ),
  );
}

/** At start, by the only holder of the store: what the previous holder was sending is due at once. Returns how many. */
export async function releaseAllDeliveries(store: Store): Promise<number> {
  return await store.write((db) =>
    db.run(
      `UPDATE webhook_delivery SET token = NULL, next_attempt_at = created_at WHERE status = 'pending' AND token IS NOT NULL`,
    ),
  );
}

export function hasPendingDeliveries(store: Store): boolean {
  return store.read.get(`SELECT 1 AS found FROM webhook_delivery WHERE status = 'pending' LIMIT 1`) !== undefined;
}

/** Those that are kept, by state. */
export function countDeliveries(store: Store): Array<{ status: DeliveryStatus; n: number }> {
  return store.read.all('SELECT status, count(*) AS n FROM webhook_delivery GROUP BY status');
}

export interface DeliveryFilter {
  organisationId?: string;
  endpointId?: string;
  status?: DeliveryStatus;
  limit: number;
}

/** Newest first. */
export function listDeliveries(store: Store, filter: DeliveryFilter): DeliveryRow[] {
  const conditions: Array<[column: string, value: string | undefined]> = [
    ['organisation_id', filter.organisationId],
    ['endpoint_id', filter.endpointId],
    ['status', filter.status],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  const where = given.length === 0 ? '' : `WHERE ${given.map(([column]) => `${column} = ?`).join(' AND ')}`;
  return store.read.all<DeliveryRow>(
    `SELECT id, endpoint_id AS "endpointId", organisation_id AS "organisationId", event, request_id AS "requestId", status,
       created_at AS "createdAtMs", next_attempt_at AS "nextAttemptAtMs", finished_at AS "finishedAtMs"
     FROM webhook_delivery ${where} ORDER BY created_at DESC, id DESC LIMIT ?`,
    ...given.map(([, value]) => value ?? null),
    filter.limit,
  );
}

/** In the order in which they were made. */
export function listAttempts(store: Store, deliveryId: string): AttemptRow[] {
  return store.read.all<AttemptRow>(
    `SELECT delivery_id AS "deliveryId", number, started_at AS "startedAtMs", latency_ms AS "latencyMs", status, error, answer
     FROM webhook_attempt WHERE delivery_id = ? ORDER BY number`,
    deliveryId,
  );
}

/** Due at once, with all its attempts before it, under the same id. Otherwise says why it cannot be sent. */
export async function resendDelivery(
  store: Store,
  deliveryId: string,
  nowMs: number,
): Promise<'resent' | 'unknown' | 'endpoint-removed'> {
  return await store.write((db) => {
    const row = db.get<{ removedAtMs: number | null; token: string | null; status: string; dueMs: number | null }>(
      `SELECT removed_at AS "removedAtMs", token, status, next_attempt_at AS "dueMs" FROM webhook_delivery
       JOIN webhook_endpoint ON webhook_endpoint.id = endpoint_id WHERE webhook_delivery.id = ?`,
      deliveryId,
    );
    if (row === undefined) return 'unknown';
    if (row.removedAtMs !== null) return 'endpoint-removed';
    // An attempt that is under way in this moment is the first of the new ones.
    const isUnderWay = row.token !== null && row.status === 'pending' && (row.dueMs ?? 0) > nowMs;
    if (isUnderWay) db.run('UPDATE webhook_delivery SET series_start = attempts WHERE id = ?', deliveryId);
    else
      db.run(
        `UPDATE webhook_delivery SET status = 'pending', series_start = attempts, next_attempt_at = ?, token = NULL,
           finished_at = NULL WHERE id = ?`,
        nowMs,
        deliveryId,
      );
    return 'resent';
  });
}
