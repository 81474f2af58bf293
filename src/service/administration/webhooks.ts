import { createId } from '../../contract/identifiers.js';
import { OcrError } from '../../contract/ocr-error.js';
import { formatTime } from '../../contract/time.js';
import { EVENT_TYPES, type EventType } from '../../contract/webhook-event.js';
import { findNames } from '../../store/names.js';
import {
  type EndpointOutcome,
  type EndpointRow,
  insertEndpoint,
  listEndpoints,
  MAX_ENDPOINTS,
  removeEndpoint,
  replaceSecret,
} from '../../store/webhooks.js';
import { createAddressPolicy } from '../webhooks/address-policy.js';
import { checkTarget, TargetRefusedError } from '../webhooks/check-target.js';
import { explainFailure } from '../webhooks/explain-failure.js';
import { type ResolveHost, resolveHost } from '../webhooks/resolve-host.js';
import { mintSigningSecret, secretOf } from '../webhooks/signing-secrets.js';
import type { Administration } from './open.js';
import { requireOrganisation } from './organisations.js';

/** A webhook endpoint. Times are RFC 3339 UTC. */
export interface EndpointView {
  endpointId: string;
  orgId: string;
  orgName: string | null;
  url: string;
  events: EventType[];
  createdAt: string;
  /** End of a rotation: until then the previous secret signs too. */
  previousSecretUntil: string | null;
}

/** A new secret. No other result shows it. */
export interface NewEndpoint extends Omit<EndpointView, 'previousSecretUntil'> {
  secret: string;
}

export interface EndpointRequest {
  orgId: string;
  url: string;
  /** Subscribed events; empty for all. */
  events: readonly EventType[];
  /** Id of the new endpoint, where it was known before. */
  id?: string;
}

/**
 * Registers an endpoint of an organisation whose plan has webhooks, up to ten, each URL once. The host of its https URL must have only public
 * addresses, or addresses that the settings allow.
 * @throws OcrError WEBHOOK_REFUSED, NOT_FOUND for the organisation
 */
export async function addEndpoint(
  { store, config, openBox }: Pick<Administration, 'store' | 'config' | 'openBox'>,
  { orgId, url, events, id = createId('whe', store.clock.now()) }: EndpointRequest,
  resolve: ResolveHost = resolveHost,
): Promise<NewEndpoint> {
  const { id: organisationId, name, plan, limits } = await requireOrganisation(store, orgId);
  if (!limits.hasWebhooks)
    throw refused(`The plan ${plan} has no webhooks`, 'Those that have them: ocr admin plans list');
  const checked = await check(url, createAddressPolicy(config.webhookAllowCidrs), resolve, config.webhookTimeoutMs);
  const box = await openBox();
  const secret = mintSigningSecret();
  const nowMs = store.clock.now();
  const subscribed = events.length === 0 ? EVENT_TYPES : EVENT_TYPES.filter((type) => events.includes(type));
  const row = {
    id,
    organisationId,
    url: checked,
    events: subscribed.join(','),
    secret: box.seal(secret, secretOf(id)),
    previousSecretUntilMs: null,
    createdAtMs: nowMs,
  };
  const outcome = await insertEndpoint(store, row);
  if (outcome !== 'added') throw refused(refusalOf[outcome](row), `ocr admin webhooks list --org ${organisationId}`);
  const { previousSecretUntil: _, ...view } = viewOf(row, name, nowMs);
  return { ...view, secret };
}

const refusalOf: Record<Exclude<EndpointOutcome, 'added'>, (row: EndpointRow) => string> = {
  'id-taken': ({ id }) => `The endpoint ${id} was added before`,
  'url-known': ({ url }) => `The URL ${url} is an endpoint already`,
  full: () => `The organisation has ${MAX_ENDPOINTS} endpoints, which is as many as it may have`,
};

/** Returns the normalised URL. */
async function check(
  url: string,
  isAllowed: (address: string) => boolean,
  resolve: ResolveHost,
  timeoutMs: number,
): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return (await checkTarget(url, isAllowed, resolve, signal)).url.href;
  } catch (error) {
    const target = error instanceof TargetRefusedError ? error : undefined;
    const reason = target?.message ?? `its host: ${explainFailure(error)}`;
    throw refused(`The URL cannot be an endpoint: ${reason}`, target?.remedy ?? 'ocr admin webhooks add --help', error);
  }
}

/** Lists the endpoints of one organisation or of all, oldest first. @throws OcrError NOT_FOUND */
export async function viewEndpoints({ store }: Administration, orgId?: string): Promise<EndpointView[]> {
  const id = orgId === undefined ? undefined : (await requireOrganisation(store, orgId)).id;
  const rows = await listEndpoints(store, id);
  const names = await findNames(
    store,
    rows.map(({ organisationId }) => organisationId),
  );
  return rows.map((row) => viewOf(row, names.organisation(row.organisationId), store.clock.now()));
}

/** @throws OcrError NOT_FOUND */
export async function dropEndpoint({ store }: Administration, endpointId: string): Promise<void> {
  if (!(await removeEndpoint(store, endpointId, store.clock.now()))) throw unknownEndpoint(endpointId);
}

/** Replaces the secret. Only this result shows the new one; the previous one signs too for a day. @throws OcrError NOT_FOUND */
export async function rotateSecret(
  { store, openBox }: Administration,
  endpointId: string,
): Promise<{ endpointId: string; secret: string; previousSecretUntil: string }> {
  const box = await openBox();
  const secret = mintSigningSecret();
  const sealed = box.seal(secret, secretOf(endpointId));
  const untilMs = await replaceSecret(store, endpointId, sealed, store.clock.now());
  if (untilMs === undefined) throw unknownEndpoint(endpointId);
  return { endpointId, secret, previousSecretUntil: formatTime(untilMs) };
}

function viewOf(row: EndpointRow, orgName: string | null, nowMs: number): EndpointView {
  const { id, organisationId, url, events, createdAtMs, previousSecretUntilMs } = row;
  const isRotating = previousSecretUntilMs !== null && previousSecretUntilMs > nowMs;
  return {
    endpointId: id,
    orgId: organisationId,
    orgName,
    url,
    events: events.split(',') as EventType[],
    createdAt: formatTime(createdAtMs),
    previousSecretUntil: isRotating ? formatTime(previousSecretUntilMs) : null,
  };
}

function refused(message: string, hint: string, cause?: unknown): OcrError {
  return new OcrError('WEBHOOK_REFUSED', message, { hint, cause });
}

export function unknownEndpoint(id: string): OcrError {
  return new OcrError('NOT_FOUND', `There is no endpoint ${id}`, { status: 404, hint: 'ocr admin webhooks list' });
}
