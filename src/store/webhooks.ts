import { createId } from '../contract/identifiers.js';
import {
  type DocumentEvent,
  type EventType,
  eventTypeOf,
  type RenderOptions,
  renderEvent,
} from '../contract/webhook-event.js';
import { type AuditAction, audit } from './audit.js';
import { insertEvent } from './events.js';
import { lockOrganisation } from './organisations.js';
import type { Store } from './store.js';
import { all, exists, one, run, steadyNow, type Unit } from './unit.js';

/** Time that the previous secret still signs after a rotation. */
const PREVIOUS_SECRET_TTL_MS = 24 * 60 * 60 * 1000;

/** Endpoints of one organisation (contract, section Delivery and retry). */
export const MAX_ENDPOINTS = 10;

export interface EndpointRow {
  id: string;
  organisationId: string;
  url: string;
  /** Event types, separated by commas. */
  events: string;
  /** Signing secret, sealed by the caller. */
  secret: string;
  previousSecretUntilMs: number | null;
  createdAtMs: number;
}

const ENDPOINT = `id, organisation_id AS "organisationId", url, events, secret, previous_secret_until AS "previousSecretUntilMs",
  created_at AS "createdAtMs"`;

/** End of an addition: an id may be taken, a URL may be an endpoint already, and an organisation has at most MAX_ENDPOINTS. */
export type EndpointOutcome = 'added' | 'id-taken' | 'url-known' | 'full';

/** Adds an endpoint. The count is in the same transaction, so concurrent calls cannot exceed the limit. */
export async function insertEndpoint(store: Store, endpoint: EndpointRow): Promise<EndpointOutcome> {
  return await store.write(function* () {
    const { id, organisationId, url, events, secret, createdAtMs } = endpoint;
    yield* lockOrganisation(organisationId);
    if (yield* exists('SELECT 1 AS found FROM webhook_endpoint WHERE id = :id', { id })) return 'id-taken';
    if (yield* isEndpointUrl(organisationId, url)) return 'url-known';
    const { n } = (yield* one<{ n: number }>(
      'SELECT count(*) AS n FROM webhook_endpoint WHERE organisation_id = :organisationId AND removed_at IS NULL',
      { organisationId },
    )) ?? { n: 0 };
    if (n >= MAX_ENDPOINTS) return 'full';
    yield* run(
      `INSERT INTO webhook_endpoint (id, organisation_id, url, events, secret, created_at)
       VALUES (:id, :organisationId, :url, :events, :secret, :createdAtMs)`,
      { id, organisationId, url, events, secret, createdAtMs },
    );
    yield* audit(store, {
      action: 'webhook.add',
      organisationId,
      subjectId: id,
      detail: { host: hostOf(url), events },
    });
    return 'added';
  });
}

function* isEndpointUrl(organisationId: string, url: string): Unit<boolean> {
  return yield* exists(
    `SELECT 1 AS found FROM webhook_endpoint WHERE organisation_id = :organisationId AND url = :url AND removed_at IS NULL`,
    { organisationId, url },
  );
}

/** Lists the endpoints that are not removed, oldest first. */
export async function listEndpoints(store: Store, organisationId?: string): Promise<EndpointRow[]> {
  return organisationId === undefined
    ? await store.read(
        all<EndpointRow>(`SELECT ${ENDPOINT} FROM webhook_endpoint WHERE removed_at IS NULL ORDER BY created_at, id`),
      )
    : await store.read(
        all<EndpointRow>(
          `SELECT ${ENDPOINT} FROM webhook_endpoint WHERE organisation_id = :organisationId AND removed_at IS NULL
         ORDER BY created_at, id`,
          { organisationId },
        ),
      );
}

/** Finds an endpoint of an organisation, a removed one too; undefined for that of another. */
export function* readEndpointOf(
  organisationId: string,
  id: string,
): Unit<(EndpointRow & { removedAtMs: number | null }) | undefined> {
  return yield* one<EndpointRow & { removedAtMs: number | null }>(
    `SELECT ${ENDPOINT}, removed_at AS "removedAtMs" FROM webhook_endpoint
     WHERE organisation_id = :organisationId AND id = :id`,
    { organisationId, id },
  );
}

/** True also for a removed endpoint, as long as its deliveries are stored. */
export async function isKnownEndpoint(store: Store, endpointId: string): Promise<boolean> {
  return await store.read(exists('SELECT 1 AS known FROM webhook_endpoint WHERE id = :endpointId', { endpointId }));
}

/**
 * Removes an endpoint with its secrets and ends its pending deliveries; false when it is unknown or already removed. With an
 * organisation, endpoints of others are unknown.
 */
export async function removeEndpoint(
  store: Store,
  endpointId: string,
  nowMs: number,
  organisationId = '',
): Promise<boolean> {
  return await store.write(function* () {
    yield* lockOwner(endpointId);
    const removed = yield* run(
      `UPDATE webhook_endpoint SET removed_at = :nowMs, secret = '', previous_secret = NULL, previous_secret_until = NULL
       WHERE id = :endpointId AND removed_at IS NULL AND ${OWN}`,
      { endpointId, nowMs, organisationId },
    );
    if (removed === 0) return false;
    // A running attempt keeps its token, so that it can still record its result.
    yield* run(
      `UPDATE webhook_delivery SET status = 'dead', next_attempt_at = NULL, finished_at = :nowMs
       WHERE endpoint_id = :endpointId AND status = 'pending'`,
      { endpointId, nowMs },
    );
    yield* auditEndpoint(store, 'webhook.remove', endpointId);
    return true;
  });
}

/**
 * Locks the organisation of an endpoint, as whoever writes deliveries does: of a removal and a delivery at the same time one sees
 * the other. A pending delivery of a removed endpoint would stay for ever.
 */
export function* lockOwner(endpointId: string): Unit<void> {
  const sql = 'SELECT organisation_id AS "organisationId" FROM webhook_endpoint WHERE id = :endpointId';
  const endpoint = yield* one<{ organisationId: string }>(sql, { endpointId });
  if (endpoint !== undefined) yield* lockOrganisation(endpoint.organisationId);
}

/** Condition on the organisation of an endpoint; an empty text stands for any. */
const OWN = `organisation_id = CASE :organisationId WHEN '' THEN organisation_id ELSE :organisationId END`;

/**
 * Returns the time until which the previous secret signs too; undefined for an unknown endpoint. With an organisation, endpoints
 * of others are unknown; with `replaced`, one is that has another secret by now.
 */
export async function replaceSecret(
  store: Store,
  endpointId: string,
  secret: string,
  nowMs: number,
  { organisationId = '', replaced = '' }: { organisationId?: string; replaced?: string } = {},
): Promise<number | undefined> {
  const untilMs = nowMs + PREVIOUS_SECRET_TTL_MS;
  return await store.write(function* () {
    const changed = yield* run(
      `UPDATE webhook_endpoint SET previous_secret = secret, previous_secret_until = :untilMs, secret = :secret
       WHERE id = :endpointId AND removed_at IS NULL AND ${OWN}
         AND secret = CASE :replaced WHEN '' THEN secret ELSE :replaced END`,
      { endpointId, untilMs, secret, organisationId, replaced },
    );
    if (changed === 0) return undefined;
    yield* auditEndpoint(store, 'webhook.rotate', endpointId);
    return untilMs;
  });
}

/** Path and query of an endpoint's URL may be secrets. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

/** Notes a change of an endpoint, or of one of its deliveries. */
export function* auditEndpoint(
  store: Store,
  action: AuditAction,
  endpointId: string,
  subjectId = endpointId,
): Unit<void> {
  if (store.actor === undefined) return;
  const sql = 'SELECT organisation_id AS "organisationId" FROM webhook_endpoint WHERE id = :endpointId';
  const endpoint = yield* one<{ organisationId: string }>(sql, { endpointId });
  yield* audit(store, { action, organisationId: endpoint?.organisationId ?? null, subjectId });
}

/**
 * Writes the event of a finished document and its deliveries: one row for each subscribed endpoint of its organisation, when the plan has
 * webhooks. Part of the transaction that ends the document.
 */
export function* recordEvent(organisationId: string, event: DocumentEvent, nowMs: number): Unit<void> {
  const type = eventTypeOf(event);
  yield* insertEvent(organisationId, event, nowMs);
  for (const endpointId of yield* findSubscribed(organisationId, type)) {
    yield* insertDelivery({ endpointId, organisationId }, event, nowMs);
  }
}

/** Beginning of a series whose next attempt is its last: no settings have as many delays. A test is sent once. */
const LAST_ATTEMPT = -1_000_000;

type Addressee = Pick<EndpointRow, 'organisationId'> & { endpointId: string };

/** Writes a delivery that is due at once. Returns its id. */
function* insertDelivery(
  { endpointId, organisationId }: Addressee,
  event: DocumentEvent,
  nowMs: number,
  options: RenderOptions = {},
): Unit<string> {
  const id = createId('dlv', nowMs);
  const seriesStart = options.isTest === true ? LAST_ATTEMPT : 0;
  yield* run(
    `INSERT INTO webhook_delivery (id, endpoint_id, organisation_id, event, request_id, body, status, attempts, series_start,
       next_attempt_at, created_at)
     VALUES (:id, :endpointId, :organisationId, :type, :requestId, :body, 'pending', 0, :seriesStart, :dueMs, :nowMs)`,
    {
      id,
      endpointId,
      organisationId,
      type: eventTypeOf(event),
      requestId: event.requestId,
      body: renderEvent(id, nowMs, event, options),
      seriesStart,
      // The event is due at once, on the clock of due times too.
      dueMs: Math.min(nowMs, yield* steadyNow()),
      nowMs,
    },
  );
  return id;
}

/**
 * Writes a sample delivery, marked as a test and sent once, of an event that the endpoint gets; undefined for an unknown or
 * removed one. With an organisation, endpoints of others are unknown.
 */
export async function insertTestDelivery(
  store: Store,
  endpointId: string,
  samples: Record<EventType, DocumentEvent>,
  nowMs: number,
  organisationId?: string,
): Promise<{ deliveryId: string; event: EventType } | undefined> {
  return await store.write(function* () {
    yield* lockOwner(endpointId);
    const endpoint = yield* one<{ organisationId: string; events: string }>(
      `SELECT organisation_id AS "organisationId", events FROM webhook_endpoint
       WHERE id = :endpointId AND removed_at IS NULL`,
      { endpointId },
    );
    if (endpoint === undefined || (organisationId ?? endpoint.organisationId) !== endpoint.organisationId)
      return undefined;
    const event = endpoint.events.split(',')[0] as EventType;
    const addressee = { endpointId, organisationId: endpoint.organisationId };
    const deliveryId = yield* insertDelivery(addressee, samples[event], nowMs, { isTest: true });
    yield* auditEndpoint(store, 'webhook.test', endpointId, deliveryId);
    return { deliveryId, event };
  });
}

/** True when an endpoint gets the event. */
export function* isSubscribed(organisationId: string, event: DocumentEvent): Unit<boolean> {
  return (yield* findSubscribed(organisationId, eventTypeOf(event))).length > 0;
}

/** Lists the ids of the endpoints that get such an event. */
function* findSubscribed(organisationId: string, type: EventType): Unit<string[]> {
  const endpoints = yield* all<{ id: string; events: string }>(
    `SELECT webhook_endpoint.id AS id, events FROM webhook_endpoint
       JOIN organisation ON organisation.id = webhook_endpoint.organisation_id
       JOIN plan ON plan.name = organisation.plan AND coalesce(own_webhooks, plan.webhooks) = 1
       WHERE webhook_endpoint.organisation_id = :organisationId AND removed_at IS NULL
       ORDER BY webhook_endpoint.created_at, webhook_endpoint.id`,
    { organisationId },
  );
  return endpoints.filter(({ events }) => events.split(',').includes(type)).map(({ id }) => id);
}
