import { CONCURRENCY, CONCURRENCY_IN_WORDS } from '../contract/concurrency.js';
import { parseDurationMs } from '../contract/duration.js';
import { LANGUAGE_LIST, LANGUAGE_LIST_IN_WORDS } from '../contract/language-list.js';
import { parseMoment } from '../contract/moment.js';
import { InvalidArgumentError } from './commander.js';

// commander calls these with the text after an option, and puts the option's name before their errors.

/** Returns the milliseconds of `90`, `90s`, `5m`, `1h`. @throws InvalidArgumentError */
export function parseDuration(text: string): number {
  const ms = parseDurationMs(text);
  if (ms === undefined) throw new InvalidArgumentError('Durations look like 300s, 5m or 1h.');
  return ms;
}

/** Returns the milliseconds of a duration above zero. @throws InvalidArgumentError */
export function parsePositiveDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms === 0) throw new InvalidArgumentError('It must be more than zero.');
  return ms;
}

/** Returns a whole number, 0 or more. @throws InvalidArgumentError */
export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** Returns a whole number, 1 or more. @throws InvalidArgumentError */
export function parsePositiveCount(text: string): number {
  const count = parseCount(text);
  if (count === 0) throw new InvalidArgumentError('It must be at least 1.');
  return count;
}

/** Returns the name of a file to write; the names that systems have for standard output stand for `-`: a file behind them is not replaced. */
export function parseOutput(text: string): string {
  return ['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'].includes(text) ? '-' : text;
}

/** Returns a number from 0 to 1. @throws InvalidArgumentError */
export function parseShare(text: string): number {
  if (!/^(?:0?\.\d{1,9}|[01](?:\.0{0,9})?)$/.test(text))
    throw new InvalidArgumentError('It must be a number from 0 to 1.');
  return Number(text);
}

/** Returns a list of languages as it is typed. @throws InvalidArgumentError */
export function parseLanguageList(text: string): string {
  if (!LANGUAGE_LIST.test(text)) throw new InvalidArgumentError(`It must be ${LANGUAGE_LIST_IN_WORDS}.`);
  return text;
}

/** Returns the number of documents to send at once. @throws InvalidArgumentError */
export function parseConcurrency(text: string): number {
  if (!CONCURRENCY.test(text)) throw new InvalidArgumentError(`It must be ${CONCURRENCY_IN_WORDS}.`);
  return Number(text);
}

/** Returns the Unix milliseconds of a time, a date, or a duration before now. @throws InvalidArgumentError */
export function parseSince(text: string): number {
  const ms = parseMoment(text, Date.now(), 'ago');
  if (ms === undefined) throw new InvalidArgumentError('Examples: 24h, 7d, 2026-01-31, 2026-01-31T12:00:00Z.');
  return ms;
}

/** Returns the lower-case hex digits of a SHA-256 or of its beginning, also after "sha256:". @throws InvalidArgumentError */
export function parseSha256(text: string): string {
  const [, digits] = /^(?:sha256:)?([0-9a-f]{1,64})$/i.exec(text.trim()) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('It must be up to 64 hexadecimal digits.');
  return digits.toLowerCase();
}

/** Inputs with a text in their names, or with a hash that begins so. */
export type InputFilter = { namePart: string } | { sha256: string };

/** Reads a part of a name, or the hash after "sha256:". @throws InvalidArgumentError */
export function parseInputFilter(text: string): InputFilter {
  // A whole hash is pasted without its prefix.
  if (/^[0-9a-f]{64}$/i.test(text)) return { sha256: text.toLowerCase() };
  if (/^sha256:/i.test(text)) return { sha256: parseSha256(text) };
  if (text.trim() === '') throw new InvalidArgumentError('It must be a part of a name, or sha256:…');
  return { namePart: text };
}

/** Collects the values of an option that may be repeated, in order. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}
