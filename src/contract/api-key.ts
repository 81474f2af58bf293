import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = /^ocr_(?:live|test)_[0-9A-Za-z]{38}$/;

/**
 * Makes a key: `ocr_live_` or `ocr_test_`, 32 random base62 characters, then 6 of checksum, which is the CRC-32 of
 * everything before it in base62. A secret scanner can find a key, and a typo is caught before any look-up.
 */
export function mintApiKey(environment: 'live' | 'test'): string {
  let body = `ocr_${environment}_`;
  for (let i = 0; i < 32; i++) body += BASE62[randomInt(62)];
  return body + checksum(body);
}

export function isWellFormedApiKey(key: string): boolean {
  return SHAPE.test(key) && checksum(key.slice(0, -6)) === key.slice(-6);
}

/** Returns the only stored form of a key: SHA-256 of the whole key, lower-case hex. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = BASE62[value % 62] + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}
