import type { IncomingHttpHeaders } from 'node:http';
import { isWellFormedApiKey } from '../../contract/api-key.js';

/**
 * `Authorization: Bearer` wins when both headers are sent; undefined where there is none. Another scheme is for somebody
 * else, a proxy that asks for a password say, and an empty value is no key.
 */
export function readKey(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
  const key = headers['x-api-key'];
  return bearer ?? ((Array.isArray(key) ? key[0] : key) || undefined);
}

/** What may be written down of a key that was refused: who revoked it wants to see whether it is still used. */
export function lastFourOf(headers: IncomingHttpHeaders): string | undefined {
  const key = readKey(headers);
  return key !== undefined && isWellFormedApiKey(key) ? key.slice(-4) : undefined;
}
