import { randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 26 characters of Crockford base32: 48 bits of Unix milliseconds, then 80 random bits, so that ids sort by time (the ULID layout). */
export function sortableId(nowMs: number = Date.now()): string {
  let bits = (BigInt(nowMs) << 80n) | BigInt(`0x${randomBytes(10).toString('hex')}`);
  let id = '';
  for (let i = 0; i < 26; i++) {
    id = CROCKFORD[Number(bits & 31n)] + id;
    bits >>= 5n;
  }
  return id;
}

export type IdPrefix = 'req' | 'job' | 'doc' | 'org' | 'key' | 'sub' | 'whe' | 'dlv';

export function createId(prefix: IdPrefix, nowMs?: number): string {
  return `${prefix}_${sortableId(nowMs)}`;
}
