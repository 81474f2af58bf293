import { createHash } from 'node:crypto';
import {
  type DeliveryDetails,
  type DeliveryLine,
  type DeliveryPageFilter,
  type EndpointHealth,
  readDeliveryOf,
  readDeliveryPage,
  readEndpointHealth,
} from '../../../store/delivery-pages.js';
import type { Page } from '../../../store/page.js';
import { type EndpointRow, listEndpoints, readEndpointOf, replaceSecret } from '../../../store/webhooks.js';
import type { SecretBox } from '../../secrets/secret-box.js';
import { mintSigningSecret, secretOf } from '../../webhooks/signing-secrets.js';
import type { OwnScope } from './scope.js';

/** An endpoint with how its deliveries fare. */
export interface EndpointLine extends Omit<EndpointRow, 'secret'> {
  health: EndpointHealth;
  /** Digest of its sealed secret, which changes with each rotation. */
  secretDigest: string;
}

/** Lists endpoints, oldest first, with their deliveries since a time. */
export async function readEndpoints({ store, organisationId }: OwnScope, sinceMs: number): Promise<EndpointLine[]> {
  const health = await store.read(readEndpointHealth(organisationId, sinceMs));
  const rows = await listEndpoints(store, organisationId);
  return rows.flatMap(({ secret, ...row }) => {
    const found = health.find(({ endpointId }) => endpointId === row.id);
    return found === undefined ? [] : [{ ...row, health: found, secretDigest: digestOf(secret) }];
  });
}

/** Reads a page of deliveries, newest first. */
export async function readDeliveries(
  { store, organisationId }: OwnScope,
  filter: DeliveryPageFilter,
): Promise<Page<DeliveryLine>> {
  return await store.read(readDeliveryPage(organisationId, filter));
}

/** Finds a delivery; undefined for another's. */
export async function findDelivery(
  { store, organisationId }: OwnScope,
  id: string,
): Promise<DeliveryDetails | undefined> {
  return await store.read(readDeliveryOf(organisationId, id));
}

/** True for an endpoint of the organisation, a removed one too. */
export async function isEndpointKnown({ store, organisationId }: OwnScope, id: string): Promise<boolean> {
  return (await store.read(readEndpointOf(organisationId, id))) !== undefined;
}

/** Replaces a secret that has this digest; 'repeated' when another has taken its place. Undefined for another's endpoint. */
export async function rotateSecret(
  { store, organisationId }: OwnScope,
  { seal }: Pick<SecretBox, 'seal'>,
  { endpointId, secretDigest }: { endpointId: string; secretDigest: string | null },
): Promise<{ secret: string; untilMs: number } | 'repeated' | undefined> {
  const endpoint = await store.read(readEndpointOf(organisationId, endpointId));
  if (endpoint === undefined || endpoint.removedAtMs !== null) return undefined;
  if (digestOf(endpoint.secret) !== secretDigest) return 'repeated';
  const secret = mintSigningSecret();
  const sealed = seal(secret, secretOf(endpointId));
  const own = { organisationId, replaced: endpoint.secret };
  const untilMs = await replaceSecret(store, endpointId, sealed, store.clock.now(), own);
  return untilMs === undefined ? 'repeated' : { secret, untilMs };
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
