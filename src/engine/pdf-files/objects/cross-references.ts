import { decodeStream } from './decode-stream.js';
import { toCount, toName } from './decode-value.js';
import { PdfParser } from './parser.js';
import { readObject } from './read-object.js';
import { isDict, isStream, type PdfDict, PdfSyntaxError } from './values.js';

/** The place of an object: an offset of the file, or an object stream. */
type Place = { offset: number; generation: number } | { stream: number };

export interface CrossReferences {
  places: Map<number, Place>;
  trailer: PdfDict;
  startOfTable: number;
  tableIsStream: boolean;
  size: number;
}

/** Distance of `startxref` from the end of the file, at most. */
const TAIL_BYTES = 2048;
const MAX_SECTIONS = 2000;
const MAX_DECODED_BYTES = 64 * 1024 * 1024;
/** The format's own limit. */
const MAX_OBJECTS = 8_388_607;

interface Section {
  trailer: PdfDict;
  isStream: boolean;
  /** The places of objects by number; undefined for an object that was removed. */
  places: Map<number, Place | undefined>;
}

/** Reads all sections of a file's cross-references, the newest first. Throws PdfSyntaxError. Source: ISO 32000-2, 7.5.4-7.5.8. */
export function readCrossReferences(bytes: Uint8Array): CrossReferences {
  const startOfTable = findStart(bytes);
  const places = new Map<number, Place | undefined>();
  const seen = new Set<number>();
  const waiting = [startOfTable];
  let newest: Section | undefined;
  let rows = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    // Sections that name each other are read once.
    if (seen.has(next)) continue;
    seen.add(next);
    if (seen.size > MAX_SECTIONS) throw new PdfSyntaxError('the cross-references have too many sections');
    const section = readSection(bytes, next);
    newest ??= section;
    rows += section.places.size;
    if (rows > MAX_OBJECTS) throw new PdfSyntaxError('the cross-references name too many objects');
    for (const [number, place] of section.places) if (!places.has(number)) places.set(number, place);
    // A file for old readers too has objects that those do not see in a stream, which comes before older sections.
    for (const key of ['XRefStm', 'Prev']) {
      const offset = toCount(section.trailer.get(key));
      if (offset !== undefined) waiting.push(offset);
    }
  }
  if (newest === undefined) throw new PdfSyntaxError('there are no cross-references');
  const { trailer, isStream } = newest;
  let highest = 0;
  const present = new Map<number, Place>();
  for (const [number, place] of places) {
    highest = Math.max(highest, number);
    if (place !== undefined) present.set(number, place);
  }
  const size = Math.max(highest + 1, toCount(trailer.get('Size')) ?? 0);
  if (size > MAX_OBJECTS) throw new PdfSyntaxError('the cross-references name too many objects');
  return { places: present, trailer, startOfTable, tableIsStream: isStream, size };
}

function findStart(bytes: Uint8Array): number {
  const from = Math.max(0, bytes.length - TAIL_BYTES);
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from).toString('latin1');
  const found = /startxref\s+(\d{1,12})/.exec(tail.slice(Math.max(0, tail.lastIndexOf('startxref'))));
  if (found === null) throw new PdfSyntaxError('the file does not say where its cross-references are');
  return Number(found[1]);
}

function readSection(bytes: Uint8Array, offset: number): Section {
  const parser = new PdfParser(bytes, offset);
  if (parser.take('xref')) return readTable(parser);
  const stream = readObject(bytes, offset, undefined);
  if (!isStream(stream) || toName(stream.dict.get('Type')) !== 'XRef') {
    throw new PdfSyntaxError('the cross-references are not where they should be');
  }
  const places = readStreamTable(stream.dict, decodeStream(stream, MAX_DECODED_BYTES));
  return { trailer: stream.dict, isStream: true, places };
}

function readTable(parser: PdfParser): Section {
  const places = new Map<number, Place | undefined>();
  while (!parser.take('trailer')) {
    const start = toCount(parser.readToken());
    const count = toCount(parser.readToken());
    if (start === undefined || count === undefined) throw new PdfSyntaxError('the cross-reference table is damaged');
    checkNumbers(start, count);
    for (let index = 0; index < count; index++) {
      const offset = toCount(parser.readToken());
      const generation = toCount(parser.readToken());
      const kind = parser.readToken();
      if (offset === undefined || generation === undefined || (kind !== 'n' && kind !== 'f')) {
        throw new PdfSyntaxError('the cross-reference table is damaged');
      }
      places.set(start + index, kind === 'n' ? { offset, generation } : undefined);
    }
  }
  const trailer = parser.readValue();
  if (!isDict(trailer)) throw new PdfSyntaxError('the trailer is damaged');
  return { trailer, isStream: false, places };
}

function readStreamTable(dict: PdfDict, data: Uint8Array): Map<number, Place | undefined> {
  const widths = toCounts(dict, 'W', 3);
  const index = dict.has('Index') ? toCounts(dict, 'Index', 2) : [0, toCount(dict.get('Size')) ?? 0];
  const [kindWidth = 0, secondWidth = 0, thirdWidth = 0] = widths;
  const rowBytes = kindWidth + secondWidth + thirdWidth;
  if (rowBytes === 0 || Math.max(...widths) > 6) throw new PdfSyntaxError('the cross-reference stream is damaged');
  const places = new Map<number, Place | undefined>();
  let at = 0;
  const read = (width: number): number => {
    let value = 0;
    for (let end = at + width; at < end; at++) value = value * 256 + (data[at] ?? 0);
    return value;
  };
  for (let part = 0; part + 1 < index.length; part += 2) {
    const [start = 0, count = 0] = index.slice(part, part + 2);
    checkNumbers(start, count);
    for (let row = 0; row < count && at + rowBytes <= data.length; row++) {
      const kind = kindWidth === 0 ? 1 : read(kindWidth);
      const second = read(secondWidth);
      const third = read(thirdWidth);
      if (kind === 1) places.set(start + row, { offset: second, generation: third });
      else if (kind === 2) places.set(start + row, { stream: second });
      else places.set(start + row, undefined);
    }
  }
  return places;
}

/** Checks the numbers before rows are held: a few bytes may unfold to very many rows. */
function checkNumbers(start: number, count: number): void {
  if (start + count > MAX_OBJECTS) throw new PdfSyntaxError('the cross-references name too many objects');
}

function toCounts(dict: PdfDict, key: string, least: number): number[] {
  const value = dict.get(key);
  const counts = Array.isArray(value) ? value.map((entry) => toCount(entry) ?? -1) : [];
  if (counts.length < least || counts.some((count) => count < 0)) {
    throw new PdfSyntaxError('the cross-reference stream is damaged');
  }
  return counts;
}
