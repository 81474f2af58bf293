import { toCount } from './decode-value.js';
import { PdfParser } from './parser.js';
import { isDict, type PdfObject, PdfSyntaxError, type PdfValue } from './values.js';

/**
 * Reads the object at an offset, which has to be the expected one. `resolve` gives the number where the length of a
 * stream is a reference; a stream of unknown length is empty. Throws PdfSyntaxError.
 */
export function readObject(
  bytes: Uint8Array,
  offset: number,
  number: number | undefined,
  resolve: (value: PdfValue | undefined) => PdfObject | undefined = (value) => value,
): PdfObject {
  const parser = new PdfParser(bytes, offset);
  const found = toCount(parser.readToken());
  if (found === undefined || (number !== undefined && found !== number)) {
    throw new PdfSyntaxError(`object ${number ?? 'of the table'} is not where it should be`);
  }
  if (toCount(parser.readToken()) === undefined || !parser.take('obj')) {
    throw new PdfSyntaxError(`object ${found} has no beginning`);
  }
  const value = parser.readValue();
  if (!isDict(value) || !parser.take('stream')) return value;
  if (bytes[parser.at] === 13) parser.at++;
  if (bytes[parser.at] === 10) parser.at++;
  const length = toCount(resolve(value.get('Length'))) ?? 0;
  return { dict: value, data: bytes.subarray(parser.at, parser.at + length) };
}
