import { PdfParser } from './parser.js';
import { attempt, isDict, isRef, type PdfDict, type PdfValue } from './values.js';

const KEY = '/Encrypt';

/** The dictionary that says how a file is encrypted, and the place in the file where it begins. */
export interface EncryptionDict {
  dict: PdfDict;
  at: number;
}

/**
 * Finds the dictionary that names the algorithm. It is never encrypted itself and never in an object stream (ISO
 * 32000-1, 7.5.7 and 7.6.1): a search finds it in damaged files too.
 */
export function findEncryption(file: Buffer): EncryptionDict | undefined {
  const text = file.toString('latin1');
  let entry = text.lastIndexOf(KEY);
  while (entry > 0 && !/^[\s\0<\d]/.test(text.charAt(entry + KEY.length))) entry = text.lastIndexOf(KEY, entry - 1);
  if (entry < 0) return undefined;
  const valueAt = (at: number): PdfValue | undefined => attempt(() => new PdfParser(file, at).readValue());
  const at = entry + KEY.length;
  const value = valueAt(at);
  if (!isRef(value)) return isDict(value) ? { dict: value, at } : undefined;
  const object = new RegExp(
    `(?:^|[\\0\\t\\n\\f\\r ])${value.number}[\\0\\t\\n\\f\\r ]+\\d{1,5}[\\0\\t\\n\\f\\r ]+obj`,
  ).exec(text);
  if (object === null) return undefined;
  const start = object.index + object[0].length;
  const dict = valueAt(start);
  return isDict(dict) ? { dict, at: start } : undefined;
}
