import { DURATION_UNITS_MS } from '../contract/duration.js';

const BYTE_UNITS: Record<string, number> = { '': 1, B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };
/** A bare number counts milliseconds, as the names of the settings say; on the client's command line it counts seconds. */
const DURATION_UNITS: Record<string, number> = { '': 1, ...DURATION_UNITS_MS };

export function parseText(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new Error('expected a text');
  return value;
}

export function parseCount(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const number = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= least && number <= most) return number;
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  throw new Error(`expected a whole number, ${range}, not ${JSON.stringify(value)}`);
}

/** `5242880`, `"5MiB"`. */
export function parseBytes(value: unknown): number {
  return parseWithUnit(value, BYTE_UNITS, 'a number of bytes such as 5242880 or 5MiB');
}

/** The longest that a timer of Node waits; a longer one would go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Milliseconds: `25000`, `"25s"`. A time that is waited for is bounded by `most`. */
export function parseDuration(value: unknown, most = Number.MAX_SAFE_INTEGER): number {
  const ms = parseWithUnit(value, DURATION_UNITS, 'milliseconds such as 25000, or 25s');
  if (ms >= 1 && ms <= most) return ms;
  throw new Error(`expected at least 1 ms${most === LONGEST_TIMER_MS ? ' and less than 24 days' : ''}, not ${value}`);
}

export function parseTimeout(value: unknown): number {
  return parseDuration(value, LONGEST_TIMER_MS);
}

/** Contract, section API key: revocation takes effect within one minute. */
const LONGEST_KEY_CACHE_MS = 60_000;

export function parseKeyCacheTime(value: unknown): number {
  const ms = parseDuration(value);
  if (ms <= LONGEST_KEY_CACHE_MS) return ms;
  throw new Error(`expected at most a minute, within which a revoked key must stop working, not ${value}`);
}

function parseWithUnit(value: unknown, units: Record<string, number>, expected: string): number {
  const match = /^(\d+)\s*([A-Za-z]*)$/.exec(String(value).trim());
  const unit = units[match?.[2] ?? ''];
  const number = Number(match?.[1]) * (unit ?? Number.NaN);
  if ((typeof value === 'string' || typeof value === 'number') && Number.isSafeInteger(number)) return number;
  throw new Error(`expected ${expected}, not ${JSON.stringify(value)}`);
}
