import type { IncomingHttpHeaders } from 'node:http';
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

/** Returns the loggable part of a refused key, so that its owner can see whether a revoked key is still used. */
export function lastFourOf(headers: IncomingHttpHeaders): string | undefined {
  const key = readKey(headers);
  return key !== undefined && isWellFormedApiKey(key) ? key.slice(-4) : undefined;
}
