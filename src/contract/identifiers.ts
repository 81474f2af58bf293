import { randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const ID_LENGTH = 26;
const OWN_ID = new RegExp(`^([a-z]{3})_([${CROCKFORD}]{${ID_LENGTH}})$`, 'i');
const TIME_LENGTH = 10;

let latest = { ms: Number.NaN, random: 0n };

/**
 * Returns 26 characters of Crockford base32: 48 bits of Unix milliseconds, then 80 random bits (the ULID layout). Ids
 * sort by time; those that one process makes within a millisecond keep their order and differ by a random step, so that
 * none gives away the next.
 */
export function sortableId(nowMs: number = Date.now()): string {
  // The highest bit stays free for the steps.
  const random = nowMs === latest.ms ? latest.random + 1n + randomBits(48) : randomBits(79);
  latest = { ms: nowMs, random };
  return encode(BigInt(nowMs), TIME_LENGTH) + encode(random, ID_LENGTH - TIME_LENGTH);
}

/** Returns the first characters of ids of a time. */
export function idTime(ms: number): string {
  return encode(BigInt(ms), TIME_LENGTH);
}

function randomBits(count: number): bigint {
  return BigInt.asUintN(count, BigInt(`0x${randomBytes(10).toString('hex')}`));
}

function encode(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest >>= 5n) text = CROCKFORD[Number(rest & 31n)] + text;
  return text;
}

export type IdPrefix =
  | 'req'
  | 'job'
  | 'doc'
  | 'org'
  | 'key'
  | 'sub'
  | 'whe'
  | 'dlv'
  | 'evt'
  | 'res'
  | 'mem'
  | 'aud'
  | 'inv'
  | 'ses';

/** Normalises the case of one of our ids, which Crockford's base32 ignores; returns anything else unchanged. */
export function canonicalId(text: string): string {
  const [, prefix, id] = OWN_ID.exec(text) ?? [];
  return prefix === undefined || id === undefined ? text : `${prefix.toLowerCase()}_${id.toUpperCase()}`;
}

const SHORT_ID = new RegExp(`^(?:([a-z]{3})_)?([${CROCKFORD}]{1,${ID_LENGTH - 1}})$`, 'i');

/** Returns the beginning of one of our ids in its own letters, `req_01AB` for `01ab` too; undefined for other texts and whole ids. */
export function shortId(text: string, kind: IdPrefix): string | undefined {
  const [, prefix = kind, start] = SHORT_ID.exec(text) ?? [];
  return start === undefined || prefix.toLowerCase() !== kind ? undefined : `${kind}_${start.toUpperCase()}`;
}

/** Returns the span of Unix milliseconds in which ids with this beginning are made, both ends included. */
export function shortIdTimes(shortened: string): { firstMs: number; lastMs: number } {
  const start = shortened.slice(shortened.indexOf('_') + 1, shortened.indexOf('_') + 1 + TIME_LENGTH);
  return { firstMs: decode(start.padEnd(TIME_LENGTH, '0')), lastMs: decode(start.padEnd(TIME_LENGTH, 'Z')) };
}

/** Returns the Unix milliseconds at which one of our ids was made; undefined for other texts. */
export function timeOfId(text: string): number | undefined {
  return OWN_ID.test(text) ? shortIdTimes(text.toUpperCase()).firstMs : undefined;
}

function decode(text: string): number {
  return [...text].reduce((value, digit) => value * 32 + CROCKFORD.indexOf(digit), 0);
}

export function createId(prefix: IdPrefix, nowMs?: number): string {
  return `${prefix}_${sortableId(nowMs)}`;
}
