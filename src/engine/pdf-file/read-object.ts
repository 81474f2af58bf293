import { inflateSync } from 'node:zlib';
import { PdfParser } from './parse.js';
import { isDict, type PdfObject, PdfSyntaxError, type PdfValue, toCount } from './values.js';

/** What decoded tables and object streams may hold. */
const MOST_DECODED_BYTES = 64 * 1024 * 1024;

/**
 * The object at an offset, which has to be the one that is expected there; its stream only where its length is a number,
 * or `resolve` makes one of it.
 */
export function readObject(
  bytes: Uint8Array,
  offset: number,
  number: number | undefined,
  resolve: (value: PdfValue) => PdfValue = (value) => value,
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
  const length = isDict(value) ? toCount(resolve(value.get('/Length') ?? 'null')) : undefined;
  if (length === undefined || !parser.take('stream')) return { value };
  if (bytes[parser.at] === 13) parser.at++;
  if (bytes[parser.at] === 10) parser.at++;
  return { value, stream: bytes.subarray(parser.at, parser.at + length) };
}

/** Takes the one filter off that tables and object streams have in practice. */
export function decodeStream({ value, stream }: PdfObject): Uint8Array {
  if (!isDict(value) || stream === undefined) throw new PdfSyntaxError('a stream is missing');
  const filter = first(value.get('/Filter'));
  if (filter === undefined) return stream;
  if (filter !== '/FlateDecode') throw new PdfSyntaxError(`the filter ${String(filter)} is unusual here`);
  let data: Uint8Array;
  try {
    data = inflateSync(stream, { maxOutputLength: MOST_DECODED_BYTES });
  } catch (error) {
    throw new PdfSyntaxError('a stream cannot be decoded', { cause: error });
  }
  const parms = first(value.get('/DecodeParms'));
  const predictor = isDict(parms) ? (toCount(parms.get('/Predictor')) ?? 1) : 1;
  if (predictor === 1 || !isDict(parms)) return data;
  if (predictor < 10) throw new PdfSyntaxError('the predictor is unusual here');
  return undoPrediction(data, toCount(parms.get('/Columns')) ?? 1);
}

const first = (value: PdfValue | undefined): PdfValue | undefined => (Array.isArray(value) ? value[0] : value);

/** PNG's prediction, of one byte a pixel. Source: PNG (third edition), 9.2. */
function undoPrediction(data: Uint8Array, columns: number): Uint8Array {
  const rows = Math.floor(data.length / (columns + 1));
  const out = new Uint8Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const from = row * (columns + 1);
    const kind = data[from] ?? 0;
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      const left = column > 0 ? (out[at - 1] ?? 0) : 0;
      const up = row > 0 ? (out[at - columns] ?? 0) : 0;
      const corner = row > 0 && column > 0 ? (out[at - columns - 1] ?? 0) : 0;
      out[at] = (data[from + 1 + column] ?? 0) + predict(kind, left, up, corner);
    }
  }
  return out;
}

function predict(kind: number, left: number, up: number, corner: number): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  if (kind !== 4) return 0;
  const [toLeft, toUp, toCorner] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
