import { readCrossReferences } from './cross-references.js';
import { PdfParser } from './parse.js';
import { decodeStream, readObject } from './read-object.js';
import { isDict, isRef, type PdfDict, type PdfObject, PdfSyntaxError, type PdfValue, toCount } from './values.js';

/** A PDF file's objects, found by its cross-reference table. Everything that reads throws PdfSyntaxError. */
export interface PdfFile {
  bytes: Uint8Array;
  /** Of the newest section. */
  trailer: PdfDict;
  /** Where the newest section stands, and whether it is a stream: an update's section is to be of the same kind. */
  startOfTable: number;
  tableIsStream: boolean;
  /** No object has this number or a higher one. */
  size: number;
  /** The object of a reference, a value that is none as it is; `null` where there is no such object. */
  resolve(value: PdfValue): PdfValue;
  /** As `resolve`, of what is to be a dictionary: an empty one where there is none. */
  resolveDict(value: PdfValue | undefined): PdfDict;
}

/** References to references to references. */
const MOST_STEPS = 32;
const MOST_OBJECT_STREAMS_KEPT = 16;

/** Opens a PDF whose cross-references are whole. Throws PdfSyntaxError. */
export function openPdfFile(bytes: Uint8Array): PdfFile {
  const table = readCrossReferences(bytes);
  const objectStreams = new Map<number, Map<number, PdfValue>>();

  const readAt = (number: number): PdfObject | undefined => {
    const place = table.places.get(number);
    if (place === undefined) return undefined;
    if ('offset' in place) return readObject(bytes, place.offset, number);
    const held = objectStreams.get(place.stream) ?? openObjectStream(place.stream);
    const value = held.get(number);
    return value === undefined ? undefined : { value };
  };
  // Of an object stream, so it cannot stand in one: that could be the same.
  const resolveLength = (value: PdfValue): PdfValue => {
    const place = isRef(value) ? table.places.get(value.number) : undefined;
    return isRef(value) && place !== undefined && 'offset' in place
      ? readObject(bytes, place.offset, value.number).value
      : value;
  };
  const openObjectStream = (number: number): Map<number, PdfValue> => {
    const place = table.places.get(number);
    if (place === undefined || !('offset' in place)) throw new PdfSyntaxError('an object stream is missing');
    if (objectStreams.size >= MOST_OBJECT_STREAMS_KEPT) objectStreams.clear();
    const values = readObjectStream(readObject(bytes, place.offset, number, resolveLength));
    objectStreams.set(number, values);
    return values;
  };
  const resolve = (value: PdfValue): PdfValue => {
    let current = value;
    for (let step = 0; step < MOST_STEPS; step++) {
      if (!isRef(current)) return current;
      current = readAt(current.number)?.value ?? 'null';
    }
    throw new PdfSyntaxError('references go in a circle');
  };
  const resolveDict = (value: PdfValue | undefined): PdfDict => {
    const resolved = value === undefined ? undefined : resolve(value);
    return isDict(resolved) ? resolved : new Map();
  };
  const { trailer, startOfTable, tableIsStream, size } = table;
  return { bytes, trailer, startOfTable, tableIsStream, size, resolve, resolveDict };
}

/** Objects by their numbers: the place that cross-references name is too small a field in streams of more than 65,536. */
function readObjectStream(object: PdfObject): Map<number, PdfValue> {
  const data = decodeStream(object);
  const dict = isDict(object.value) ? object.value : new Map<string, PdfValue>();
  const count = toCount(dict.get('/N')) ?? 0;
  const start = toCount(dict.get('/First')) ?? 0;
  // Each object has at least four bytes of the head.
  if (count > data.length / 4) throw new PdfSyntaxError('an object stream is damaged');
  const head = new PdfParser(data, 0);
  const places = Array.from({ length: count }, (): [number, number] => [readCount(head), start + readCount(head)]);
  return new Map(places.map(([number, at]) => [number, new PdfParser(data, at).readValue()]));
}

function readCount(parser: PdfParser): number {
  const count = toCount(parser.readToken());
  if (count === undefined) throw new PdfSyntaxError('an object stream is damaged');
  return count;
}
