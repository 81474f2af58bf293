import type { FieldError } from '../components/fields.js';

const MAX_VALUE_LENGTH = 200;

/** Reads the filters of an address as they were typed; empty ones are left out. */
export function readTyped<Name extends string>(
  params: URLSearchParams,
  labels: Readonly<Record<Name, string>>,
): Partial<Record<Name, string>> {
  const query: Partial<Record<Name, string>> = {};
  for (const name of Object.keys(labels) as Name[]) {
    const value = params.get(name)?.trim().slice(0, MAX_VALUE_LENGTH);
    if (value !== undefined && value !== '') query[name] = value;
  }
  return query;
}

/** Reads one of a few values. Another value is an error of the field. */
export function readOption<Value extends string>(
  { name, label, options }: { name: string; label: string; options: readonly Value[] },
  typed: string | undefined,
  errors: FieldError[],
): Value | undefined {
  if (typed === undefined) return undefined;
  const found = options.find((option) => option === typed);
  if (found === undefined) errors.push({ field: name, message: `${label} is one of: ${options.join(', ')}` });
  return found;
}

/** Reads the beginning of a page; undefined for a text that is none of its ids. */
export function readBefore(params: URLSearchParams, prefix: string): string | undefined {
  const before = params.get('before') ?? '';
  return new RegExp(`^${prefix}_[0-9A-Z]{26}$`).test(before) ? before : undefined;
}

/** Reads the ends of a span of time. */
export function readTimes(
  { from, to }: { from?: string; to?: string },
  errors: FieldError[],
): { fromMs: number | undefined; toMs: number | undefined } {
  return { fromMs: readTime('from', from, errors), toMs: readTime('to', to, errors) };
}

/** Reads a time in UTC, as the field of a browser or RFC 3339 writes it. A minute without seconds ends with its last. */
function readTime(name: 'from' | 'to', typed: string | undefined, errors: FieldError[]): number | undefined {
  if (typed === undefined) return undefined;
  const [, minute, seconds] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(?:\.\d+)?Z?$/.exec(typed) ?? [];
  const [lastSecond, lastMs] = name === 'to' ? [':59', 999] : [':00', 0];
  const ms = minute === undefined ? Number.NaN : Date.parse(`${minute}${seconds ?? lastSecond}Z`);
  if (!Number.isNaN(ms)) return ms + lastMs;
  const label = name === 'to' ? 'To' : 'From';
  errors.push({ field: name, message: `${label} is a time such as 2026-11-26T09:30, in UTC` });
  return undefined;
}
