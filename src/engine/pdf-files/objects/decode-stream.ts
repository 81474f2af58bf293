import { inflateSync } from 'node:zlib';
import { decodeLzw } from './decode-lzw.js';
import { toCount, toName } from './decode-value.js';
import { isDict, NULL, type PdfObject, type PdfStream, PdfSyntaxError, type PdfValue } from './values.js';

/**
 * Removes the filter that tables, object streams and texts have in practice, if there is one: Flate, or LZW of old
 * files. `resolve` follows references. Throws PdfSyntaxError, also when the result has more than `maxBytes`.
 */
export function decodeStream(
  { dict, data }: PdfStream,
  maxBytes: number,
  resolve: (value: PdfValue) => PdfObject = (value) => value,
): Uint8Array {
  const only = (key: string): PdfObject => {
    const value = resolve(dict.get(key) ?? NULL);
    if (!Array.isArray(value)) return value;
    if (value.length > 1) throw new PdfSyntaxError('more than one filter is not supported here');
    return resolve(value[0] ?? NULL);
  };
  const filter = only('Filter');
  if (filter === NULL) return data;
  const parms = only('DecodeParms');
  const parameter = (key: string) => (isDict(parms) ? toCount(parms.get(key)) : undefined) ?? 1;
  const name = toName(filter) ?? '';
  const isLzw = ['LZWDecode', 'LZW'].includes(name);
  if (!isLzw && !['FlateDecode', 'Fl'].includes(name)) throw new PdfSyntaxError('the filter is not supported here');
  const decoded = isLzw ? decodeLzw(data, maxBytes, parameter('EarlyChange') === 1) : inflate(data, maxBytes);
  const predictor = parameter('Predictor');
  if (predictor === 1) return decoded;
  if (predictor < 10) throw new PdfSyntaxError('the predictor is not supported here');
  return undoPrediction(decoded, parameter('Columns'));
}

function inflate(data: Uint8Array, mostBytes: number): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: mostBytes });
  } catch (error) {
    throw new PdfSyntaxError('a stream cannot be decoded', { cause: error });
  }
}

/** Undoes PNG's prediction of one byte a pixel. Source: PNG (third edition), 9.2. */
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
