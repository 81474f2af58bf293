import type { IncomingHttpHeaders } from 'node:http';
import { isWellFormedApiKey } from '../../contract/api-key.js';

/** `Authorization: Bearer` wins when both headers are sent; undefined where there is none. */
export function readKey(headers: IncomingHttpHeaders): string | undefined {
  if (headers.authorization !== undefined) return /^Bearer +(\S+) *$/i.exec(headers.authorization)?.[1] ?? '';
  const key = headers['x-api-key'];
  return Array.isArray(key) ? key[0] : key;
}

/** What may be written down of a key that was refused: who revoked it wants to see whether it is still used. */
export function lastFourOf(headers: IncomingHttpHeaders): string | undefined {
  const key = readKey(headers);
  return key !== undefined && isWellFormedApiKey(key) ? key.slice(-4) : undefined;
}
