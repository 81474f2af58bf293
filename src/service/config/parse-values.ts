import { isIP } from 'node:net';
import { DURATION_UNITS_MS } from '../../contract/duration.js';
import { isLoopbackName } from '../http/is-local-caller.js';

const BYTE_UNITS: Record<string, number> = { '': 1, B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };
const MIB = 1024 ** 2;

/**
 * Units of durations. A bare number is in milliseconds, as the setting names say; on the client's command line it is in
 * seconds.
 */
const DURATION_UNITS: Record<string, number> = { '': 1, ...DURATION_UNITS_MS };

export function parseText(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new Error('expected text');
  return value;
}

/** Parses `127.0.0.1`, `::1` or a name. An IPv6 address may have the brackets of a URL. */
export function parseHost(value: unknown): string {
  return parseText(value).replace(/^\[(.+)\]$/, '$1');
}

/**
 * Parses the origin at which browsers reach the service. Sessions over plain http are for this machine alone, because anybody on
 * the way could take them.
 */
export function parsePublicUrl(value: unknown): string {
  const text = parseText(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) throw new Error(`expected an origin such as https://ocr.example, not ${JSON.stringify(value)}`);
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname))
    throw new Error(`expected https://, since plain http is for this machine alone, not ${JSON.stringify(value)}`);
  return url.origin;
}

/** Parses the address of a sign-in provider, whose answers nobody on the way may change. */
export function parseIssuer(value: unknown): string {
  const text = parseText(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isIssuer = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isIssuer || url.username !== '' || url.password !== '')
    throw new Error(
      'expected the address of the provider as it names itself: https://login.example or https://login.example/realm',
    );
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname))
    throw new Error(`expected https://, since plain http is for this machine alone, not ${JSON.stringify(value)}`);
  return text;
}

/** Parses the address of a PostgreSQL database. No message repeats it, because it may hold a password. */
export function parseDatabaseUrl(value: unknown): string {
  const text = parseText(value);
  if (!/^postgres(?:ql)?:\/\//.test(text))
    throw new Error('expected postgres://<user>:<password>@<host>:<port>/<database>');
  if (!URL.canParse(text))
    throw new Error('not a URL: escape special characters of the password, as in p%40ss for p@ss');
  return text;
}

/** Hides the password of an address. */
export function withoutPassword(url: string): string {
  const shown = new URL(url);
  if (shown.password !== '') shown.password = '***';
  if (shown.searchParams.has('password')) shown.searchParams.set('password', '***');
  return shown.href;
}

export function parseFlag(value: unknown): boolean {
  const flag = [true, 'true', '1'].includes(value as string)
    ? true
    : [false, 'false', '0'].includes(value as string)
      ? false
      : undefined;
  if (flag !== undefined) return flag;
  throw new Error(`expected true or false, not ${JSON.stringify(value)}`);
}

export function parseChoice(value: unknown, choices: readonly string[]): string {
  if (typeof value === 'string' && choices.includes(value)) return value;
  throw new Error(`expected one of ${choices.join(', ')}, not ${JSON.stringify(value)}`);
}

export function parseCount(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const number = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= least && number <= most) return number;
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  throw new Error(`expected a whole number, ${range}, not ${JSON.stringify(value)}`);
}

/** Parses `5242880` or `"5MiB"`. */
export function parseBytes(value: unknown, least = 0): number {
  const bytes = parseWithUnit(value, BYTE_UNITS, 'a number of bytes such as 5242880 or 5MiB');
  if (bytes >= least) return bytes;
  const [size, unit] = least < MIB ? [least, 'B'] : [least / MIB, 'MiB'];
  throw new Error(`expected ${size}${unit} or more, not ${JSON.stringify(value)}`);
}

/** Longest time of a Node timer. A longer timer would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Parses milliseconds: `25000` or `"25s"`. */
export function parseDuration(value: unknown, least = 1, most = Number.MAX_SAFE_INTEGER): number {
  const ms = parseWithUnit(value, DURATION_UNITS, 'milliseconds such as 25000, or 25s');
  if (ms >= least && ms <= most) return ms;
  throw new Error(
    `expected at least ${least} ms${most === MAX_TIMER_MS ? ' and less than 24 days' : ''}, not ${value}`,
  );
}

export function parseTimeout(value: unknown, least = 1): number {
  return parseDuration(value, least, MAX_TIMER_MS);
}

/** Bound on the key cache: a revocation takes effect within one minute (contract, section API key). */
const MAX_KEY_CACHE_MS = 60_000;

export function parseKeyCacheTime(value: unknown): number {
  const ms = parseDuration(value);
  if (ms <= MAX_KEY_CACHE_MS) return ms;
  throw new Error(`expected at most a minute, within which a revoked key must stop working, not ${value}`);
}

/** Parses `a,b,c` in a variable; a file may have an array. */
export function parseList<T>(
  value: unknown,
  parseItem: (item: unknown) => T,
  { least = 0, most = Number.MAX_SAFE_INTEGER } = {},
): T[] {
  if (typeof value !== 'string' && !Array.isArray(value))
    throw new Error(`expected a list, its items separated by commas, not ${JSON.stringify(value)}`);
  const items = Array.isArray(value) ? value : value.split(',').map((item) => item.trim());
  if (items.length < least || items.length > most)
    throw new Error(`expected ${least} to ${most} values, not ${items.length}`);
  return items.map(parseItem);
}

/** Parses `10.20.0.0/16` or `fd00::/8`. */
export function parseCidr(value: unknown): string {
  const [, address = '', bits = ''] = /^([0-9A-Fa-f.:]+)\/(\d{1,3})$/.exec(String(value)) ?? [];
  const family = isIP(address);
  if (family !== 0 && Number(bits) <= (family === 4 ? 32 : 128)) return `${address}/${bits}`;
  throw new Error(`expected ranges such as 10.20.0.0/16 or fd00::/8, not ${JSON.stringify(value)}`);
}

function parseWithUnit(value: unknown, units: Record<string, number>, expected: string): number {
  const match = /^(\d+)\s*([A-Za-z]*)$/.exec(String(value).trim());
  const unit = units[match?.[2] ?? ''];
  const number = Number(match?.[1]) * (unit ?? Number.NaN);
  if ((typeof value === 'string' || typeof value === 'number') && Number.isSafeInteger(number)) return number;
  throw new Error(`expected ${expected}, not ${JSON.stringify(value)}`);
}
