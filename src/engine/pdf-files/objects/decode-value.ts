import type { PdfObject } from './values.js';

/** Values by their meaning, from their written form; undefined when a value is of another type. Source: ISO 32000-2, 7.3. */

/** A whole number that is not negative. */
export function toCount(value: PdfObject | undefined): number | undefined {
  return typeof value === 'string' && /^\+?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** A number. "--5" and "1.2.3" occur in files; they are read as other readers do, as far as they make sense. */
export function toNumber(value: PdfObject | undefined): number | undefined {
  if (typeof value !== 'string' || !/^[+-]*[\d.]/.test(value)) return undefined;
  const number = Number.parseFloat(value.replace(/^[+-]*(?=[+-])/, ''));
  return Number.isFinite(number) ? number : 0;
}

/** A name without its `/`. */
export function toName(value: PdfObject | undefined): string | undefined {
  return typeof value === 'string' && value.startsWith('/') ? decodeName(value.slice(1)) : undefined;
}

/** Names are UTF-8 by the standard, and Latin-1 where that fails. */
export function decodeName(written: string): string {
  const latin1 = unescapeName(written);
  if (!/[\x80-\xff]/.test(latin1)) return latin1;
  const utf8 = Buffer.from(latin1, 'latin1').toString('utf8');
  return utf8.includes('\ufffd') ? latin1 : utf8;
}

/** `Ty#70e` is another way to write `Type`. */
export function unescapeName(written: string): string {
  return written.replace(/#([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** The bytes of a string: their meaning depends on the place of the string. */
export function toBytes(value: PdfObject | undefined): Buffer | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.startsWith('<')) {
    const digits = value.replace(/[^\dA-Fa-f]/g, '');
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
  }
  if (!value.startsWith('(')) return undefined;
  const text = value.slice(1, -1).replace(/\\([0-7]{1,3}|\r\n|.)/gs, (_, sign: string) => {
    if (/^[0-7]/.test(sign)) return String.fromCharCode(Number.parseInt(sign, 8) & 255);
    // A backslash at the end of a line continues the string in the next line.
    return /^[\r\n]/.test(sign) ? '' : (ESCAPES[sign] ?? sign);
  });
  return Buffer.from(text, 'latin1');
}
