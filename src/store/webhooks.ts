import { createId } from '../contract/identifiers.js';
import { type DocumentEvent, type EventType, eventTypeOf, renderEvent } from '../contract/webhook-event.js';
import type { Database } from './database.js';
import type { Store } from './store.js';

/** How long the secret before a rotation still signs. */
const PREVIOUS_SECRET_TTL_MS = 24 * 60 * 60 * 1000;

/** Contract, section Delivery and retry. */
export const MOST_ENDPOINTS = 10;

export interface EndpointRow {
  id: string;
  organisationId: string;
  url: string;
  /** Event types, separated by commas. */
  events: string;
  /** Sealed by the caller. */
  secret: string;
  previousSecretUntilMs: number | null;
  createdAtMs: number;
}

const ENDPOINT = `id, organisation_id AS "organisationId", url, events, secret, previous_secret_until AS "previousSecretUntilMs",
  created_at AS "createdAtMs"`;

/** In one transaction with its count, so that eleven asked for at once are ten. False where there are ten. */
export async function insertEndpoint(store: Store, endpoint: EndpointRow): Promise<boolean> {
  return await store.write((db) => {
    const { n } = db.get<{ n: number }>(
      'SELECT count(*) AS n FROM webhook_endpoint WHERE organisation_id = ? AND removed_at IS NULL',
      endpoint.organisationId,
    ) ?? { n: 0 };
    if (n >= MOST_ENDPOINTS) return false;
    db.run(
      'INSERT INTO webhook_endpoint (id, organisation_id, url, events, secret, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      endpoint.id,
      endpoint.organisationId,
      endpoint.url,
      endpoint.events,
      endpoint.secret,
      endpoint.createdAtMs,
    );
    return true;
  });
}

/** Those that are not removed, oldest first. */
export function listEndpoints(store: Store, organisationId?: string): EndpointRow[] {
  return organisationId === undefined
    ? store.read.all<EndpointRow>(
        `SELECT ${ENDPOINT} FROM webhook_endpoint WHERE removed_at IS NULL ORDER BY created_at, id`,
      )
    : store.read.all<EndpointRow>(
        `SELECT ${ENDPOINT} FROM webhook_endpoint WHERE organisation_id = ? AND removed_at IS NULL ORDER BY created_at, id`,
        organisationId,
      );
}

/** Also one that was removed, as long as its deliveries are kept. */
export function isKnownEndpoint(store: Store, endpointId: string): boolean {
  return store.read.get('SELECT 1 AS known FROM webhook_endpoint WHERE id = ?', endpointId) !== undefined;
}

/** Forgets its secrets and gives up what waits for it. False when no endpoint has this id, or it was removed before. */
export async function removeEndpoint(store: Store, endpointId: string, nowMs: number): Promise<boolean> {
  return await store.write((db) => {
    const removed = db.run(
      `UPDATE webhook_endpoint SET removed_at = ?, secret = '', previous_secret = NULL, previous_secret_until = NULL
       WHERE id = ? AND removed_at IS NULL`,
      nowMs,
      endpointId,
    );
    if (removed === 0) return false;
    // An attempt under way may still write how it went: it keeps its token.
    db.run(
      `UPDATE webhook_delivery SET status = 'dead', next_attempt_at = NULL, finished_at = ?
       WHERE endpoint_id = ? AND status = 'pending'`,
      nowMs,
      endpointId,
    );
    return true;
  });
}

/** Returns until when the secret before it still signs; undefined where there is no such endpoint. */
export async function replaceSecret(
  store: Store,
  endpointId: string,
  secret: string,
  nowMs: number,
): Promise<number | undefined> {
  const untilMs = nowMs + PREVIOUS_SECRET_TTL_MS;
  const changed = await store.write((db) =>
    db.run(
      `UPDATE webhook_endpoint SET previous_secret = secret, previous_secret_until = ?, secret = ?
       WHERE id = ? AND removed_at IS NULL`,
      untilMs,
      secret,
      endpointId,
    ),
  );
  return changed === 0 ? undefined : untilMs;
}

/**
 * Writes what is to be delivered of a document's end: one row for every endpoint that its organisation has subscribed at this
 * moment, if its plan has webhooks at this moment. Part of the transaction that ends the document.
 */
export function recordEvent(db: Database, organisationId: string, event: DocumentEvent, nowMs: number): void {
  const type = eventTypeOf(event);
  for (const endpointId of findSubscribed(db, organisationId, type)) {
    const id = createId('dlv', nowMs);
    db.run(
      `INSERT INTO webhook_delivery (id, endpoint_id, organisation_id, event, request_id, body, status, attempts, series_start,
         next_attempt_at, created_at) VALUES (?, ?, ?, ?, ?, ?, 'pending', 0, 0, ?, ?)`,
      id,
      endpointId,
      organisationId,
      type,
      event.requestId,
      renderEvent(id, nowMs, event),
      nowMs,
      nowMs,
    );
  }
}

/** For a document whose end is nothing else to write. What nobody has subscribed costs no write. */
export async function recordCachedEvent(store: Store, organisationId: string, event: DocumentEvent): Promise<void> {
  if (findSubscribed(store.read, organisationId, eventTypeOf(event)).length === 0) return;
  await store.write((db) => recordEvent(db, organisationId, event, Date.now()));
}

/** Ids of the endpoints that are told of such an event. */
function findSubscribed(db: Database, organisationId: string, type: EventType): string[] {
  return db
    .all<{ id: string; events: string }>(
      `SELECT webhook_endpoint.id AS id, events FROM webhook_endpoint
       JOIN organisation ON organisation.id = webhook_endpoint.organisation_id
       JOIN plan ON plan.name = organisation.plan AND plan.webhooks = 1
       WHERE webhook_endpoint.organisation_id = ? AND removed_at IS NULL ORDER BY webhook_endpoint.created_at, webhook_endpoint.id`,
      organisationId,
    )
    .filter(({ events }) => events.split(',').includes(type))
    .map(({ id }) => id);
}
