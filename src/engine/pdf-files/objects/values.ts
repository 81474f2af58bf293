/**
 * A value of PDF's object syntax. Numbers, names, strings and words like `true` stay as they are written (a name with
 * its `/`), so that a value is written back unchanged; `decode-value.ts` gives their meaning.
 * Source: ISO 32000-2, 7.3.
 */
export type PdfValue = string | PdfValue[] | PdfDict | PdfRef;

/** Keys are names without their `/`. */
export type PdfDict = Map<string, PdfValue>;

export interface PdfRef {
  number: number;
  generation: number;
}

export interface PdfStream {
  dict: PdfDict;
  /** The stored data, with its filters. */
  data: Uint8Array;
}

/** The object under an object's number. */
export type PdfObject = PdfValue | PdfStream;

/** The value of an object that does not exist, too. */
export const NULL = 'null';

/** The file breaks a rule of the format; another reader may still make something of it. */
export class PdfSyntaxError extends Error {
  override readonly name = 'PdfSyntaxError';
}

/** Returns the result of `work`; undefined when the file breaks the format. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof PdfSyntaxError) return undefined;
    throw error;
  }
}

type Maybe = PdfObject | undefined;

export const isDict = (value: Maybe): value is PdfDict => value instanceof Map;
export const isRef = (value: Maybe): value is PdfRef => typeof value === 'object' && 'generation' in value;
export const isStream = (value: Maybe): value is PdfStream => typeof value === 'object' && 'data' in value;

/** Makes a dictionary. Names and numbers as given; undefined entries are left out. */
export function makeDict(entries: Record<string, PdfValue | number | undefined>): PdfDict {
  const dict: PdfDict = new Map();
  for (const [key, value] of Object.entries(entries)) {
    if (value !== undefined) dict.set(key, typeof value === 'number' ? formatNumber(value) : value);
  }
  return dict;
}

/** Formats a number without an exponent, which PDF does not know. */
export function formatNumber(value: number): string {
  return Number.isInteger(value)
    ? String(value)
    : value
        .toFixed(4)
        .replace(/\.?0+$/, '')
        .replace(/^-0$/, '0');
}

/** Writes a value in Latin-1: one character a byte. */
export function serialise(value: PdfValue): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map(serialise).join(' ')}]`;
  if (isDict(value)) return `<<${[...value].map(([key, entry]) => `/${key} ${serialise(entry)}`).join(' ')}>>`;
  return `${value.number} ${value.generation} R`;
}
