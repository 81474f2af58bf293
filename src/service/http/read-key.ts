import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isWellFormedApiKey } from '../../contract/api-key.js';

/**
 * Returns the key of a call; undefined without one. `Authorization: Bearer` wins when both headers are sent. Another scheme
 * may be for a proxy, and an empty value is no key.
 */
export function readKey(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
  const key = headers['x-api-key'];
  return bearer ?? ((Array.isArray(key) ? key[0] : key) || undefined);
}

const KEY_HEADERS = ['Authorization', 'X-API-Key'];

/**
 * Returns what is wrong with the headers for keys, if anything. A proxy and a service that believe different ones of two equal
 * headers would admit one caller in another's name.
 */
export function findKeyFault({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): string | undefined {
  const repeated = KEY_HEADERS.find((name) => (headersDistinct[name.toLowerCase()]?.length ?? 0) > 1);
  return repeated && `The call has more than one ${repeated} header`;
}

/** Returns the loggable part of a refused key, so that its owner can see whether a revoked key is still used. */
export function lastFourOf(headers: IncomingHttpHeaders): string | undefined {
  const key = readKey(headers);
  return key !== undefined && isWellFormedApiKey(key) ? key.slice(-4) : undefined;
}
