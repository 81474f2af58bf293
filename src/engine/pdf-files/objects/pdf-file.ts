import { type CrossReferences, readCrossReferences } from './cross-references.js';
import { decodeStream } from './decode-stream.js';
import { toCount } from './decode-value.js';
import { PdfParser } from './parser.js';
import { readObject } from './read-object.js';
import { isRef, isStream, NULL, type PdfObject, type PdfStream, PdfSyntaxError, type PdfValue } from './values.js';

/** The objects of a PDF file as they stand in it, found by its cross-references. */
export interface PdfFile extends Omit<CrossReferences, 'places'> {
  bytes: Uint8Array;
  /**
   * Returns the object that a reference names; any other value as it is; `null` where there is no such object. An
   * object is read once: every reference gives the same one. Throws PdfSyntaxError where it is damaged, the first
   * time; from then on it is `null`, so that the cost is paid once.
   */
  resolve(value: PdfValue): PdfObject;
}

/** References to references, at most. */
const MAX_REFERENCE_STEPS = 32;
const MAX_OBJECT_STREAMS_KEPT = 16;
const MAX_DECODED_BYTES = 64 * 1024 * 1024;
/** All decodings of object streams. A stream is decoded again when too many others were read after it. */
const MAX_ALL_DECODED_BYTES = 1024 * 1024 * 1024;

/** Opens a PDF whose cross-references are whole. Throws PdfSyntaxError. */
export function openPdfFile(bytes: Uint8Array): PdfFile {
  const { places, ...table } = readCrossReferences(bytes);
  const objects = new Map<number, PdfObject>();
  const objectStreams = new Map<number, ReadonlyMap<number, PdfValue>>();
  let decodedBytes = 0;

  const resolve = (value: PdfValue): PdfObject => {
    let current: PdfObject = value;
    for (let step = 0; step < MAX_REFERENCE_STEPS; step++) {
      if (!isRef(current)) return current;
      current = objects.get(current.number) ?? readOnce(current.number);
    }
    throw new PdfSyntaxError('references form a circle');
  };
  const readOnce = (number: number): PdfObject => {
    objects.set(number, NULL);
    const object = read(number);
    objects.set(number, object);
    return object;
  };
  const read = (number: number): PdfObject => {
    const place = places.get(number);
    if (place === undefined) return NULL;
    if ('offset' in place) return readObject(bytes, place.offset, number, resolveLength);
    return (objectStreams.get(place.stream) ?? openObjectStream(place.stream)).get(number) ?? NULL;
  };
  // The length has to stand by itself: in an object stream it could be the length of that very stream.
  const resolveLength = (value: PdfValue | undefined): PdfObject | undefined => {
    const place = isRef(value) ? places.get(value.number) : undefined;
    return isRef(value) && place !== undefined && 'offset' in place
      ? readObject(bytes, place.offset, value.number)
      : value;
  };
  const openObjectStream = (number: number): ReadonlyMap<number, PdfValue> => {
    const place = places.get(number);
    if (place === undefined || !('offset' in place)) throw new PdfSyntaxError('an object stream is missing');
    if (objectStreams.size >= MAX_OBJECT_STREAMS_KEPT) objectStreams.clear();
    objectStreams.set(number, new Map());
    const stream = readObject(bytes, place.offset, number, resolveLength);
    if (!isStream(stream)) throw new PdfSyntaxError('an object stream is missing');
    const data = decodeStream(stream, MAX_DECODED_BYTES);
    decodedBytes += data.length;
    if (decodedBytes > MAX_ALL_DECODED_BYTES) throw new PdfSyntaxError('its object streams are too large');
    const values = readObjectStream(stream, data);
    objectStreams.set(number, values);
    return values;
  };
  return { bytes, ...table, resolve };
}

/** Objects by number: the index that cross-references name is too small a field in streams of more than 65,536 objects. */
function readObjectStream(stream: PdfStream, data: Uint8Array): ReadonlyMap<number, PdfValue> {
  const count = toCount(stream.dict.get('N')) ?? 0;
  const start = toCount(stream.dict.get('First')) ?? 0;
  // Each object has at least four bytes of the head.
  if (count > data.length / 4) throw new PdfSyntaxError('an object stream is damaged');
  const head = new PdfParser(data, 0);
  const places = Array.from({ length: count }, (): [number, number] => [readCount(head), start + readCount(head)]);
  // Objects do not overlap: many that begin within one large array would each be as large as it.
  const starts = [...new Set(places.map(([, at]) => at))].sort((a, b) => a - b);
  const values = new Map(
    starts.map((at, index) => [at, new PdfParser(data.subarray(at, starts[index + 1]), 0).readValue()]),
  );
  return new Map(places.map(([number, at]) => [number, values.get(at) ?? NULL]));
}

function readCount(parser: PdfParser): number {
  const count = toCount(parser.readToken());
  if (count === undefined) throw new PdfSyntaxError('an object stream is damaged');
  return count;
}
