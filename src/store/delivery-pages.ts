import { MAX_COUNTED_ROWS } from './bounded-count.js';
import { listConditions } from './filter.js';
import { type Page, type PageBounds, type PagedTable, readPage } from './page.js';
import { all, one, type Unit } from './unit.js';
import { type AttemptRow, type DeliveryFilter, type DeliveryRow, readAttempts } from './webhook-deliveries.js';

/** A delivery with its last attempt. */
export interface DeliveryLine extends DeliveryRow {
  attempts: number;
  lastStartedAtMs: number | null;
  /** HTTP status; null without an answer, and `lastError` gives the reason. */
  lastStatus: number | null;
  lastError: string | null;
  lastLatencyMs: number | null;
}

const JOIN = `LEFT JOIN webhook_attempt
  ON webhook_attempt.delivery_id = webhook_delivery.id AND webhook_attempt.number = webhook_delivery.attempts`;
const COLUMNS = `webhook_delivery.id AS id, endpoint_id AS "endpointId", organisation_id AS "organisationId", event,
  request_id AS "requestId", webhook_delivery.status AS status, created_at AS "createdAtMs",
  next_attempt_at AS "nextAttemptAtMs", finished_at AS "finishedAtMs", attempts, started_at AS "lastStartedAtMs",
  webhook_attempt.status AS "lastStatus", error AS "lastError", latency_ms AS "lastLatencyMs"`;
const PAGED: PagedTable = {
  name: 'webhook_delivery',
  prefix: 'dlv',
  select: (from) => `SELECT ${COLUMNS} FROM ${from} ${JOIN}`,
  id: 'id',
};

/** The deliveries of one organisation that a page shows. */
export type DeliveryPageFilter = PageBounds &
  Pick<DeliveryFilter, 'endpointId' | 'status'> & {
    event?: string;
    /** Class of the last answer: 2 for 200 to 299. */
    answerClass?: number;
    /** True for deliveries whose last attempt got no answer. */
    isUnanswered?: boolean;
  };

const DEAD = `webhook_delivery.status = 'dead'`;
/** Deliveries whose last answer is none of 200 to 299: the others need no look at their attempts. */
const NOT_DELIVERED = `webhook_delivery.status <> 'delivered'`;

/** Reads a page of an organisation's deliveries, newest first. */
export function* readDeliveryPage(organisationId: string, filter: DeliveryPageFilter): Unit<Page<DeliveryLine>> {
  const isDead = filter.status === 'dead';
  const { conditions, values } = listConditions(filter, {
    ...(isDead ? {} : { status: 'webhook_delivery.status = :status' }),
    endpointId: 'webhook_delivery.endpoint_id = :endpointId',
    event: 'webhook_delivery.event = :event',
    answerClass: 'webhook_attempt.status >= 100 * :answerClass AND webhook_attempt.status < 100 * :answerClass + 100',
    isUnanswered: 'webhook_delivery.attempts > 0 AND webhook_attempt.status IS NULL',
  });
  return yield* readPage(PAGED, organisationId, filter, {
    indexed: isDead ? [DEAD] : [],
    others: isFailing(filter) ? [...conditions, NOT_DELIVERED] : conditions,
    isJoined: filter.answerClass !== undefined || filter.isUnanswered === true,
    values,
  });
}

function isFailing({ answerClass, isUnanswered = false }: DeliveryPageFilter): boolean {
  return isUnanswered || (answerClass !== undefined && answerClass !== 2);
}

/** A delivery as it was sent, with every attempt, oldest first. */
export interface DeliveryDetails extends DeliveryLine {
  /** JSON text. */
  body: string;
  tries: AttemptRow[];
}

/** Finds one delivery of an organisation; undefined for that of another. */
export function* readDeliveryOf(organisationId: string, deliveryId: string): Unit<DeliveryDetails | undefined> {
  const row = yield* one<DeliveryLine & { body: string }>(
    `SELECT ${COLUMNS}, body FROM webhook_delivery ${JOIN} WHERE organisation_id = :organisationId AND webhook_delivery.id = :deliveryId`,
    { organisationId, deliveryId },
  );
  return row === undefined ? undefined : { ...row, tries: yield* readAttempts(deliveryId) };
}

/** How the deliveries of an endpoint fare. */
export interface EndpointHealth {
  endpointId: string;
  /** Deliveries since a time, among the organisation's newest 10,000. */
  delivered: number;
  pending: number;
  dead: number;
  /** Creation of the first delivery that failed after the last one that arrived, among the endpoint's newest 1,000. */
  failingSinceMs: number | undefined;
  /** The last attempt of the newest delivery that has one. */
  lastAttempt: Pick<AttemptRow, 'startedAtMs' | 'status' | 'error' | 'latencyMs'> | undefined;
}

/** Deliveries of an endpoint that its health is seen by. */
const MAX_SEEN = 1_000;

/** Describes the endpoints of an organisation that are not removed, oldest first; its deliveries are counted since `sinceMs`. */
export function* readEndpointHealth(organisationId: string, sinceMs: number): Unit<EndpointHealth[]> {
  const counts = yield* all<{ endpointId: string; status: 'delivered' | 'pending' | 'dead'; n: number }>(
    `SELECT endpoint_id AS "endpointId", status, count(*) AS n FROM (SELECT endpoint_id, status FROM webhook_delivery
       WHERE organisation_id = :organisationId AND created_at >= :sinceMs ORDER BY created_at DESC LIMIT :max) AS newest
     GROUP BY endpoint_id, status`,
    { organisationId, sinceMs, max: MAX_COUNTED_ROWS },
  );
  const endpoints = yield* all<{ id: string }>(
    `SELECT id FROM webhook_endpoint WHERE organisation_id = :organisationId AND removed_at IS NULL ORDER BY created_at, id`,
    { organisationId },
  );
  const health: EndpointHealth[] = [];
  for (const { id: endpointId } of endpoints) {
    const numbers = { delivered: 0, pending: 0, dead: 0 };
    for (const row of counts) if (row.endpointId === endpointId) numbers[row.status] = row.n;
    health.push({ endpointId, ...numbers, ...(yield* readLatest(organisationId, endpointId)) });
  }
  return health;
}

function* readLatest(
  organisationId: string,
  endpointId: string,
): Unit<Pick<EndpointHealth, 'failingSinceMs' | 'lastAttempt'>> {
  const values = { organisationId, endpointId, max: MAX_SEEN };
  const newest = `(SELECT id, status, attempts, created_at FROM webhook_delivery
    WHERE endpoint_id = :endpointId AND organisation_id = :organisationId ORDER BY created_at DESC LIMIT :max) AS newest`;
  const arrived = yield* one<{ atMs: number | null }>(
    `SELECT max(created_at) AS "atMs" FROM ${newest} WHERE status = 'delivered'`,
    values,
  );
  const failing = yield* one<{ atMs: number | null }>(
    `SELECT min(created_at) AS "atMs" FROM ${newest} WHERE status <> 'delivered' AND attempts > 0 AND created_at > :afterMs`,
    { ...values, afterMs: arrived?.atMs ?? -1 },
  );
  const lastAttempt = yield* one<NonNullable<EndpointHealth['lastAttempt']>>(
    `SELECT started_at AS "startedAtMs", webhook_attempt.status AS status, error, latency_ms AS "latencyMs"
     FROM ${newest} JOIN webhook_attempt ON delivery_id = newest.id AND number = newest.attempts
     ORDER BY newest.created_at DESC LIMIT 1`,
    values,
  );
  return { failingSinceMs: failing?.atMs ?? undefined, lastAttempt };
}
