import { inflateSync } from 'node:zlib';
import { toCount, toName, toNumber } from './decode-value.js';
import { PdfParser } from './parser.js';
import { readObject } from './read-object.js';
import { isDict, isStream, type PdfDict, type PdfStream, PdfSyntaxError, type PdfValue } from './values.js';

/** Distance of `startxref` from the end of the file, and of the header from its beginning, within which PDFium looks. */
const TAIL_BYTES = 4096;
const HEAD_BYTES = 1024;
/** Bytes of an entry of a classic table (ISO 32000-2, 7.5.4). */
const TABLE_ENTRY_BYTES = 20;
/**
 * Entries that a file of any size may name. Of 2,542 public PDFs none has more than one for each 8 bytes; a reader takes 2 ms
 * for these.
 */
const FREE_ENTRIES = 10_000;
/** Steps for each entry that a file may name. A reader merges all earlier entries with each section; public PDFs have 19 sections at most. */
const STEPS_PER_ENTRY = 10;

/** Distance of an object stream's type from the object's beginning. */
const MAX_DICT_BYTES = 2048;
const OBJECT_STREAM = '/ObjStm';

/**
 * Refuses a file whose cross-references would keep a reader busy for longer than their size explains. A stream with entries of
 * no bytes, or with packed zeros, names millions of objects in a few bytes, and PDFium makes a record of each. A file of n bytes
 * may name n entries, and some more. Cross-references that cannot be followed are left to PDFium, which then rebuilds them from
 * the objects; those are bounded too.
 * Throws PdfSyntaxError.
 */
export function checkCrossReferences(file: Uint8Array): void {
  const bytes = skipToHeader(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  const maxEntries = FREE_ENTRIES + bytes.length;
  unlessMalformed(() => followSections(bytes, new Budget(maxEntries)));
  countCompressedObjects(bytes, new Budget(maxEntries));
}

function unlessMalformed(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof PdfSyntaxError) || error instanceof TooManyEntriesError) throw error;
  }
}

class TooManyEntriesError extends PdfSyntaxError {
  constructor() {
    super('its cross-references name more objects than the file can have');
  }
}

class Budget {
  readonly maxEntries: number;
  #entries = 0;
  #steps: number;

  constructor(maxEntries: number) {
    this.maxEntries = maxEntries;
    this.#steps = maxEntries * STEPS_PER_ENTRY;
  }

  spendEntries(entries: number): void {
    this.#entries += entries;
    if (this.#entries > this.maxEntries) throw new TooManyEntriesError();
  }

  /** Spends what PDFium does for a section: it reads its entries and merges them with all earlier ones. */
  spendSection(entries: number): void {
    this.spendEntries(entries);
    this.spendSteps(this.#entries);
  }

  spendSteps(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new TooManyEntriesError();
  }
}

/** Offsets count from the header, which junk may precede. */
function skipToHeader(file: Buffer): Buffer {
  const at = file.subarray(0, HEAD_BYTES + 4).indexOf('%PDF');
  return at > 0 ? file.subarray(at) : file;
}

function followSections(bytes: Buffer, budget: Budget): void {
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - TAIL_BYTES));
  const start = /^startxref\s+(\d{1,12})/.exec(tail.slice(Math.max(0, tail.lastIndexOf('startxref'))));
  const waiting = start === null ? [] : [Number(start[1])];
  const seen = new Set<number>();
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const trailer = readSection(bytes, next, budget);
    for (const key of ['XRefStm', 'Prev']) {
      const offset = toWhole(trailer.get(key));
      if (offset > 0) waiting.push(offset);
    }
  }
}

/** Counts the objects of all object streams: PDFium opens each of them when it rebuilds cross-references. */
function countCompressedObjects(bytes: Buffer, budget: Budget): void {
  let end = 0;
  for (let at = bytes.indexOf(OBJECT_STREAM); at !== -1; at = bytes.indexOf(OBJECT_STREAM, at + 1)) {
    const from = Math.max(end, at - MAX_DICT_BYTES);
    end = at;
    const start = bytes.subarray(from, at).lastIndexOf('obj');
    if (start === -1) continue;
    const begin = from + start + 3;
    const parser = new PdfParser(bytes, begin);
    unlessMalformed(() => {
      const dict = parser.readValue();
      if (isDict(dict)) budget.spendEntries(toWhole(dict.get('N')));
      end = Math.max(at, parser.at);
    });
    // A string without an end is looked for up to the end of the file.
    budget.spendSteps(parser.at - begin);
  }
}

/** Returns the trailer of a section. */
function readSection(bytes: Buffer, offset: number, budget: Budget): PdfDict {
  const parser = new PdfParser(bytes, offset);
  if (parser.take('xref')) return readTable(parser, budget);
  const stream = readObject(bytes, offset, undefined);
  if (!isStream(stream)) throw new PdfSyntaxError('the cross-references are not where they should be');
  budget.spendSteps(stream.data.byteOffset - bytes.byteOffset - offset);
  budget.spendSection(countEntries(stream, budget));
  return stream.dict;
}

function readTable(parser: PdfParser, budget: Budget): PdfDict {
  let entries = 0;
  while (!parser.take('trailer')) {
    const start = toCount(parser.readToken());
    const count = toCount(parser.readToken());
    if (start === undefined || count === undefined) throw new PdfSyntaxError('the cross-reference table is damaged');
    parser.skipSpace();
    parser.at += count * TABLE_ENTRY_BYTES;
    entries += count;
    budget.spendSteps(1);
  }
  const from = parser.at;
  const trailer = parser.readValue();
  if (!isDict(trailer)) throw new PdfSyntaxError('the trailer is damaged');
  budget.spendSteps(parser.at - from);
  budget.spendSection(entries);
  return trailer;
}

/** Returns the entries that a reader would make: those that are named, as far as the data goes. */
function countEntries(stream: PdfStream, budget: Budget): number {
  const ranges = toWholes(stream.dict.get('Index'));
  const named =
    ranges.length === 0
      ? toWhole(stream.dict.get('Size'))
      : ranges.reduce((sum, count, index) => sum + (index % 2 === 1 ? count : 0), 0);
  const entryBytes = toWholes(stream.dict.get('W')).reduce((sum, width) => sum + width, 0);
  if (entryBytes === 0 || named <= 0) return named;
  const enough = Math.min(named, budget.maxEntries + 1) * entryBytes;
  const dataBytes = measureData(stream, enough);
  budget.spendSteps(Math.min(enough, dataBytes));
  return Math.min(named, dataBytes / entryBytes);
}

/** Returns the length of the data without its filters; `enough` where it is longer, and where it cannot be found out. */
function measureData({ dict, data }: PdfStream, enough: number): number {
  const filter = [dict.get('Filter') ?? []].flat();
  if (filter.length === 0) return data.length;
  if (filter.length > 1 || !['FlateDecode', 'Fl'].includes(toName(filter[0]) ?? '')) return enough;
  try {
    return inflateSync(data, { maxOutputLength: Math.max(1, enough) }).length;
  } catch {
    return enough;
  }
}

function toWholes(value: PdfValue | undefined): number[] {
  return Array.isArray(value) ? value.map(toWhole) : [];
}

/** Reads a number as PDFium does: without its fraction, and 0 for anything else or a negative one. */
function toWhole(value: PdfValue | undefined): number {
  return Math.max(0, Math.trunc(toNumber(value) ?? 0));
}
