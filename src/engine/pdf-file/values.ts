/**
 * A value of PDF's object syntax. Numbers, names, strings and words like `true` stay as they are written (a name with
 * its `/`), so that what was read is written back unchanged. Source: ISO 32000-2, 7.3.
 */
export type PdfValue = string | PdfValue[] | PdfDict | PdfRef;

/** Keys are names with their `/`. */
export type PdfDict = Map<string, PdfValue>;

export interface PdfRef {
  number: number;
  generation: number;
}

/** What stands in an object's place: a value, or a stream with its dictionary. */
export interface PdfObject {
  value: PdfValue;
  /** As stored: its filters are still on it. */
  stream?: Uint8Array;
}

/** The file is not as the format wants it; nothing is said of whether another reader could make something of it. */
export class PdfSyntaxError extends Error {
  override readonly name = 'PdfSyntaxError';
}

export const isDict = (value: PdfValue | undefined): value is PdfDict => value instanceof Map;
export const isRef = (value: PdfValue | undefined): value is PdfRef =>
  typeof value === 'object' && !Array.isArray(value) && !isDict(value);

/** A whole number that is not negative; undefined for everything else. */
export function toCount(value: PdfValue | undefined): number | undefined {
  return typeof value === 'string' && /^\+?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Names and numbers as given; what is undefined is left out. */
export function makeDict(entries: Record<string, PdfValue | number | undefined>): PdfDict {
  const dict: PdfDict = new Map();
  for (const [key, value] of Object.entries(entries)) {
    if (value !== undefined) dict.set(`/${key}`, typeof value === 'number' ? formatNumber(value) : value);
  }
  return dict;
}

/** Without exponent, which PDF does not know. */
export function formatNumber(value: number): string {
  return Number.isInteger(value)
    ? String(value)
    : value
        .toFixed(4)
        .replace(/\.?0+$/, '')
        .replace(/^-0$/, '0');
}

/** In Latin-1: one character a byte. */
export function serialise(value: PdfValue): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map(serialise).join(' ')}]`;
  if (isDict(value)) return `<<${[...value].map(([key, entry]) => `${key} ${serialise(entry)}`).join(' ')}>>`;
  return `${value.number} ${value.generation} R`;
}
