import { randomBytes } from 'node:crypto';
import { audit } from './audit.js';
import { type BoundedCount, countUpTo } from './bounded-count.js';
import { renderFilter } from './filter.js';
import { createIdList } from './id-list.js';
import { lockOrganisation } from './organisations.js';
import type { Store } from './store.js';
import { all, exists, ids, one, run, type Unit } from './unit.js';
import { auditEndpoint, lockOwner } from './webhooks.js';

export type DeliveryStatus = 'pending' | 'delivered' | 'dead';

/** A delivery that this process may send until its lease ends. Later reports about it carry the token. */
export interface ClaimedDelivery {
  id: string;
  token: string;
  endpointId: string;
  organisationId: string;
  event: string;
  body: string;
  url: string;
  secret: string;
  previousSecret: string | null;
  previousSecretUntilMs: number | null;
}

/** The result of one attempt. Without an answer `status` is undefined and `error` gives the reason. */
export interface Attempt {
  startedAtMs: number;
  latencyMs: number;
  status: number | undefined;
  error: string | undefined;
  /** The first KiB of the receiver's answer. */
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

/** Passes over what another sender claims at the same time. */
const CLAIM = `
  UPDATE webhook_delivery SET token = :token, next_attempt_at = :leaseUntilMs
  WHERE id = (SELECT id FROM webhook_delivery WHERE id = :id AND status = 'pending' AND next_attempt_at <= :nowMs
    FOR UPDATE SKIP LOCKED)
  RETURNING id, token, endpoint_id AS "endpointId", organisation_id AS "organisationId", event, body`;

/** When the delivery was due first, at the latest now: a clock that was set may have put its creation into the future. */
const DUE_AT_ONCE = 'CASE WHEN created_at < :nowMs THEN created_at ELSE :nowMs END';

/** Returns the earliest due time after `afterMs`; undefined when no delivery waits. */
export async function findNextDue(store: Store, afterMs = 0): Promise<number | undefined> {
  return (
    await store.read(
      one<{ dueMs: number }>(
        `SELECT next_attempt_at AS "dueMs" FROM webhook_delivery WHERE status = 'pending' AND next_attempt_at > :afterMs
     ORDER BY next_attempt_at LIMIT 1`,
        { afterMs },
      ),
    )
  )?.dueMs;
}

/** Lists the endpoints with due deliveries, in ascending order of their ids, without removed endpoints. */
export async function listDueEndpoints(
  store: Store,
  nowMs: number,
): Promise<Array<Pick<ClaimedDelivery, 'endpointId' | 'organisationId'>>> {
  return await store.read(
    all(
      `SELECT id AS "endpointId", organisation_id AS "organisationId" FROM webhook_endpoint
     WHERE removed_at IS NULL AND EXISTS (SELECT 1 FROM webhook_delivery
       WHERE status = 'pending' AND endpoint_id = webhook_endpoint.id AND next_attempt_at <= :nowMs) ORDER BY id`,
      { nowMs },
    ),
  );
}

/** Lists the due deliveries of one endpoint, the longest due first. */
export async function listDue(store: Store, endpointId: string, nowMs: number, limit: number): Promise<string[]> {
  return await store.read(
    ids(
      `SELECT id FROM webhook_delivery WHERE status = 'pending' AND endpoint_id = :endpointId AND next_attempt_at <= :nowMs
       ORDER BY next_attempt_at, id LIMIT :limit`,
      { endpointId, nowMs, limit },
    ),
  );
}

/** Bound on the attempts of one endpoint at the same time, by all processes together. */
export const MAX_ATTEMPTS_PER_ENDPOINT = 8;

/**
 * Takes the deliveries of `deliveryIds` that are still due, as many as their endpoints may have now. Without a report within
 * `leaseMs` a delivery is due again.
 */
export async function claimDeliveries(
  store: Store,
  deliveryIds: readonly string[],
  nowMs: number,
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  return await store.write(function* () {
    const claimed = new Map<string, ClaimedDelivery>();
    const endpoints = yield* groupByEndpoint(deliveryIds);
    // Everybody locks endpoints in one order.
    for (const endpointId of [...endpoints.keys()].sort()) {
      const endpoint = yield* lockEndpoint(endpointId);
      let free = MAX_ATTEMPTS_PER_ENDPOINT - (yield* countUnderWay(endpointId, nowMs));
      for (const id of endpoints.get(endpointId) ?? []) {
        if (free <= 0) break;
        const token = randomBytes(12).toString('hex');
        const delivery = yield* one<ClaimedDelivery>(CLAIM, { id, token, leaseUntilMs: nowMs + leaseMs, nowMs });
        if (delivery === undefined) continue;
        claimed.set(id, { ...delivery, ...endpoint });
        free--;
      }
    }
    return deliveryIds.flatMap((id) => claimed.get(id) ?? []);
  });
}

const GROUPED = createIdList(50);
const WHOSE = `SELECT id, endpoint_id AS "endpointId" FROM webhook_delivery WHERE id IN ${GROUPED.sql}`;

/** Returns the deliveries of each endpoint, in their order. */
function* groupByEndpoint(deliveryIds: readonly string[]): Unit<Map<string, string[]>> {
  const endpoints = new Map<string, string[]>();
  for (const part of GROUPED.partsOf(deliveryIds)) {
    const rows = yield* all<{ id: string; endpointId: string }>(WHOSE, GROUPED.valuesOf(part));
    const owners = new Map(rows.map(({ id, endpointId }) => [id, endpointId]));
    for (const id of part) {
      const owner = owners.get(id);
      if (owner !== undefined) endpoints.set(owner, [...(endpoints.get(owner) ?? []), id]);
    }
  }
  return endpoints;
}

/** Address of an endpoint and the secrets that sign its deliveries. */
type Target = Pick<ClaimedDelivery, 'url' | 'secret' | 'previousSecret' | 'previousSecretUntilMs'>;

/** Reads an endpoint, whose deliveries nobody else claims until the end of the transaction. */
function* lockEndpoint(endpointId: string): Unit<Target | undefined> {
  return yield* one<Target>(
    `SELECT url, secret, previous_secret AS "previousSecret", previous_secret_until AS "previousSecretUntilMs"
     FROM webhook_endpoint WHERE id = :endpointId FOR NO KEY UPDATE`,
    { endpointId },
  );
}

function* countUnderWay(endpointId: string, nowMs: number): Unit<number> {
  const row = yield* one<{ n: number }>(
    `SELECT count(*) AS n FROM webhook_delivery
     WHERE endpoint_id = :endpointId AND status = 'pending' AND token IS NOT NULL AND next_attempt_at > :nowMs`,
    { endpointId, nowMs },
  );
  return row?.n ?? 0;
}

/**
 * Records an attempt and the next state of its delivery: delivered, pending for another attempt after its delay in `delaysMs`,
 * or dead. Undefined when another process has taken the delivery over, so that the token is no longer the newest.
 */
export async function finishAttempt(
  store: Store,
  { id, token }: Pick<ClaimedDelivery, 'id' | 'token'>,
  attempt: Attempt,
  { isDelivered, delaysMs, nowMs }: { isDelivered: boolean; delaysMs: readonly number[]; nowMs: number },
): Promise<{ number: number; status: DeliveryStatus } | undefined> {
  return await store.write(function* () {
    const row = yield* one<{ attempts: number; seriesStart: number; status: DeliveryStatus }>(
      `SELECT attempts, series_start AS "seriesStart", status FROM webhook_delivery WHERE id = :id AND token = :token FOR UPDATE`,
      { id, token },
    );
    if (row === undefined) return undefined;
    const number = row.attempts + 1;
    yield* run(
      `INSERT INTO webhook_attempt (delivery_id, number, started_at, latency_ms, status, error, answer)
       VALUES (:id, :number, :startedAtMs, :latencyMs, :status, :error, :answer)`,
      {
        id,
        number,
        startedAtMs: attempt.startedAtMs,
        latencyMs: attempt.latencyMs,
        status: attempt.status ?? null,
        error: attempt.error ?? null,
        answer: attempt.answer ?? null,
      },
    );
    const delayMs = delaysMs[number - row.seriesStart - 1];
    // A delivery that died during the attempt, because its endpoint was removed, stays dead.
    const isOver = isDelivered || delayMs === undefined || row.status !== 'pending';
    const status = isDelivered ? 'delivered' : isOver ? 'dead' : 'pending';
    yield* run(
      `UPDATE webhook_delivery SET status = :status, attempts = :number, next_attempt_at = :nextAttemptAtMs, token = NULL,
         finished_at = :finishedAtMs WHERE id = :id`,
      { id, status, number, nextAttemptAtMs: isOver ? null : nowMs + delayMs, finishedAtMs: isOver ? nowMs : null },
    );
    return { number, status };
  });
}

/** Undoes a claim, for an attempt that this service cut off itself: the delivery is due at once, before younger ones. */
export async function releaseDelivery(store: Store, { id, token }: Pick<ClaimedDelivery, 'id' | 'token'>) {
  await store.write(() =>
    run(
      `UPDATE webhook_delivery SET token = NULL, next_attempt_at = ${DUE_AT_ONCE}
       WHERE id = :id AND token = :token AND status = 'pending'`,
      { id, token, nowMs: store.clock.steadyNow() },
    ),
  );
}

/** Undoes the claims of an earlier process. For the only holder of the store, at start. Returns how many. */
export async function releaseAllDeliveries(store: Store): Promise<number> {
  return await store.write(() =>
    run(
      `UPDATE webhook_delivery SET token = NULL, next_attempt_at = ${DUE_AT_ONCE}
       WHERE status = 'pending' AND token IS NOT NULL`,
      { nowMs: store.clock.steadyNow() },
    ),
  );
}

export async function hasPendingDeliveries(store: Store): Promise<boolean> {
  return await store.read(exists(`SELECT 1 AS found FROM webhook_delivery WHERE status = 'pending' LIMIT 1`));
}

/** Counts the stored deliveries by state. */
export async function countDeliveries(store: Store): Promise<Array<{ status: DeliveryStatus; n: number }>> {
  return await store.read(all('SELECT status, count(*) AS n FROM webhook_delivery GROUP BY status'));
}

export interface DeliveryFilter {
  organisationId?: string;
  endpointId?: string;
  requestId?: string;
  status?: DeliveryStatus;
  /** Times between which they were made, both included. */
  fromMs?: number;
  toMs?: number;
  limit: number;
}

/** Lists deliveries, newest first. */
export async function listDeliveries(store: Store, filter: DeliveryFilter): Promise<DeliveryRow[]> {
  const { where, values } = renderFilter(filter, {
    organisationId: 'organisation_id = :organisationId',
    endpointId: 'endpoint_id = :endpointId',
    requestId: 'request_id = :requestId',
    status: 'status = :status',
    fromMs: 'created_at >= :fromMs',
    toMs: 'created_at <= :toMs',
  });
  return await store.read(
    all<DeliveryRow>(
      `SELECT id, endpoint_id AS "endpointId", organisation_id AS "organisationId", event, request_id AS "requestId", status,
       created_at AS "createdAtMs", next_attempt_at AS "nextAttemptAtMs", finished_at AS "finishedAtMs"
     FROM webhook_delivery ${where} ORDER BY created_at DESC, id DESC LIMIT :limit`,
      { ...values, limit: filter.limit },
    ),
  );
}

/** Lists the attempts of a delivery, oldest first. */
export async function listAttempts(store: Store, deliveryId: string): Promise<AttemptRow[]> {
  return await store.read(readAttempts(deliveryId));
}

export function* readAttempts(deliveryId: string): Unit<AttemptRow[]> {
  return yield* all<AttemptRow>(
    `SELECT delivery_id AS "deliveryId", number, started_at AS "startedAtMs", latency_ms AS "latencyMs", status, error, answer
     FROM webhook_attempt WHERE delivery_id = :deliveryId ORDER BY number`,
    { deliveryId },
  );
}

/** Columns of a delivery that is due at once, with a new series of attempts. */
const DUE_AGAIN = `status = 'pending', series_start = attempts, next_attempt_at = ${DUE_AT_ONCE}, token = NULL, finished_at = NULL`;

/**
 * Makes a delivery due at once, under the same id and with a new series of attempts; else returns why it cannot be sent.
 * With an organisation, deliveries of others are unknown.
 */
export async function resendDelivery(
  store: Store,
  deliveryId: string,
  nowMs: number,
  organisationId?: string,
): Promise<'resent' | 'unknown' | 'endpoint-removed'> {
  return await store.write(function* () {
    const delivery = yield* one<{ endpointId: string; organisationId: string }>(
      `SELECT endpoint_id AS "endpointId", organisation_id AS "organisationId" FROM webhook_delivery WHERE id = :deliveryId`,
      { deliveryId },
    );
    if (delivery === undefined || (organisationId ?? delivery.organisationId) !== delivery.organisationId)
      return 'unknown';
    // The endpoint may be removed at the same time, and an attempt may end.
    yield* lockOwner(delivery.endpointId);
    yield* one('SELECT 1 AS found FROM webhook_delivery WHERE id = :deliveryId FOR UPDATE', { deliveryId });
    const row = yield* one<{ removedAtMs: number | null; token: string | null; status: string; dueMs: number | null }>(
      `SELECT removed_at AS "removedAtMs", token, status, next_attempt_at AS "dueMs" FROM webhook_delivery
       JOIN webhook_endpoint ON webhook_endpoint.id = endpoint_id WHERE webhook_delivery.id = :deliveryId`,
      { deliveryId },
    );
    if (row === undefined) return 'unknown';
    if (row.removedAtMs !== null) return 'endpoint-removed';
    // A running attempt is the first of the new series.
    const isRunning = row.token !== null && row.status === 'pending' && (row.dueMs ?? 0) > nowMs;
    if (isRunning)
      yield* run('UPDATE webhook_delivery SET series_start = attempts WHERE id = :deliveryId', { deliveryId });
    else yield* run(`UPDATE webhook_delivery SET ${DUE_AGAIN} WHERE id = :deliveryId`, { deliveryId, nowMs });
    yield* auditEndpoint(store, 'webhook.resend', delivery.endpointId, deliveryId);
    return 'resent';
  });
}

/** Dead deliveries that one resend takes at most. */
const MAX_RESENT = 1_000;

/** The dead deliveries of an organisation that were made since a time, of one endpoint or of all. */
export interface DeadDeliveries {
  organisationId: string;
  sinceMs: number;
  endpointId?: string | undefined;
}

/** Selects the dead deliveries whose endpoint can get them. */
const RESENDABLE = `FROM webhook_delivery JOIN webhook_endpoint ON webhook_endpoint.id = endpoint_id
  WHERE webhook_delivery.organisation_id = :organisationId AND status = 'dead' AND webhook_delivery.created_at >= :sinceMs
    AND removed_at IS NULL AND endpoint_id = CASE :endpointId WHEN '' THEN endpoint_id ELSE :endpointId END`;

const valuesOf = ({ organisationId, sinceMs, endpointId = '' }: DeadDeliveries) => ({
  organisationId,
  sinceMs,
  endpointId,
});

/** Counts the dead deliveries that resendDead would take; more than it takes at once are counted as one more. */
export function* countDead(dead: DeadDeliveries): Unit<BoundedCount> {
  return yield* countUpTo(RESENDABLE, valuesOf(dead), MAX_RESENT + 1);
}

/** Makes dead deliveries due at once, the oldest first, and no more than 1,000. Returns how many. */
export async function resendDead(store: Store, dead: DeadDeliveries, nowMs: number): Promise<number> {
  return await store.write(function* () {
    // An endpoint may be removed at the same time.
    yield* lockOrganisation(dead.organisationId);
    const resent = yield* run(
      `UPDATE webhook_delivery SET ${DUE_AGAIN} WHERE status = 'dead' AND id IN (
         SELECT webhook_delivery.id ${RESENDABLE} ORDER BY webhook_delivery.created_at LIMIT :max)`,
      { ...valuesOf(dead), nowMs, max: MAX_RESENT },
    );
    if (resent > 0)
      yield* audit(store, { action: 'webhook.resend-dead', organisationId: dead.organisationId, detail: { resent } });
    return resent;
  });
}
