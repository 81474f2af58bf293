import { inflateSync } from 'node:zlib';
import { PdfParser } from './parser.js';
import { decodeTextString } from './text-string.js';
import { PdfDict, PdfName, PdfRef, PdfStream, type PdfValue } from './values.js';

const MOST_STREAM_BYTES = 16 * 1024 * 1024;
/** References to references. */
const MOST_STEPS = 8;

/**
 * The objects of a PDF that `copyPdf` wrote: plain, under one cross-reference table. Each is read when it is asked for,
 * and what is missing or of another type reads as undefined, so that a damaged part costs no more than itself.
 */
export class PdfObjects {
  readonly #file: Buffer;
  readonly #text: string;
  readonly #offsets: ReadonlyMap<number, number>;
  readonly #read = new Map<number, PdfValue>();
  readonly trailer: PdfDict;

  constructor(file: Buffer) {
    this.#file = file;
    this.#text = file.toString('latin1');
    const { offsets, trailer } = readCrossReferences(this.#text);
    this.#offsets = offsets;
    this.trailer = trailer;
  }

  get catalog(): PdfDict {
    return this.dict(this.trailer.get('Root')) ?? new PdfDict();
  }

  /** What a value is, with references followed. */
  resolve(value: PdfValue | undefined): PdfValue {
    let found = value ?? null;
    for (let step = 0; found instanceof PdfRef; step++) {
      if (step === MOST_STEPS) return null;
      found = this.#object(found.number);
    }
    return found;
  }

  dict(value: PdfValue | undefined): PdfDict | undefined {
    const found = this.resolve(value);
    if (found instanceof PdfStream) return found.dict;
    return found instanceof PdfDict ? found : undefined;
  }

  array(value: PdfValue | undefined): PdfValue[] {
    const found = this.resolve(value);
    return Array.isArray(found) ? found : [];
  }

  number(value: PdfValue | undefined): number | undefined {
    const found = this.resolve(value);
    return typeof found === 'number' ? found : undefined;
  }

  boolean(value: PdfValue | undefined): boolean {
    return this.resolve(value) === true;
  }

  name(value: PdfValue | undefined): string | undefined {
    const found = this.resolve(value);
    return found instanceof PdfName ? found.name : undefined;
  }

  /** A text string, or a stream of text. */
  text(value: PdfValue | undefined): string | undefined {
    const found = this.resolve(value);
    if (found instanceof PdfStream) {
      const data = this.decode(found);
      return data === undefined ? undefined : decodeTextString(data);
    }
    return Buffer.isBuffer(found) ? decodeTextString(found) : undefined;
  }

  /** The bytes of a stream whose only filter is Flate, or none. */
  decode({ dict, data }: PdfStream): Buffer | undefined {
    const filter = this.resolve(dict.get('Filter'));
    const names = (Array.isArray(filter) ? filter : filter === null ? [] : [filter]).map((item) => this.name(item));
    if (names.length === 0) return data;
    if (names.length > 1 || (names[0] !== 'FlateDecode' && names[0] !== 'Fl')) return undefined;
    try {
      return inflateSync(data, { maxOutputLength: MOST_STREAM_BYTES });
    } catch {
      return undefined;
    }
  }

  #object(number: number): PdfValue {
    const known = this.#read.get(number);
    if (known !== undefined) return known;
    const value = this.#parse(number);
    this.#read.set(number, value);
    return value;
  }

  #parse(number: number): PdfValue {
    const offset = this.#offsets.get(number);
    if (offset === undefined) return null;
    const parser = new PdfParser(this.#text, offset);
    if (parser.readValue() !== number || parser.readValue() === null || parser.readKeyword() !== 'obj') return null;
    const value = parser.readValue();
    if (!(value instanceof PdfDict) || parser.readKeyword() !== 'stream') return value;
    const start = parser.position + (this.#text.startsWith('\r\n', parser.position) ? 2 : 1);
    // Its length may be another object; an object that stands for its own length reads as nothing.
    this.#read.set(number, null);
    const length = this.number(value.get('Length')) ?? 0;
    return new PdfStream(value, this.#file.subarray(start, start + Math.max(0, length)));
  }
}

function readCrossReferences(text: string): { offsets: Map<number, number>; trailer: PdfDict } {
  const offsets = new Map<number, number>();
  const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text.slice(-64))?.[1] ?? text.length);
  const end = text.indexOf('trailer', start);
  if (end === -1) return { offsets, trailer: new PdfDict() };
  let next = 0;
  for (const [, first, kind] of text.slice(start, end).matchAll(/(\d+) \d+(?: ([nf]))?/g)) {
    // "0 12" opens a run of objects; "0000000017 00000 n" is one of them.
    if (kind === undefined) next = Number(first);
    else {
      if (kind === 'n') offsets.set(next, Number(first));
      next++;
    }
  }
  const trailer = new PdfParser(text, end + 'trailer'.length).readValue();
  return { offsets, trailer: trailer instanceof PdfDict ? trailer : new PdfDict() };
}
