import { unescapeName } from './decode-value.js';
import { type PdfDict, PdfSyntaxError, type PdfValue } from './values.js';

/** Deeper nesting is an attack on the stack. */
const MAX_NESTING = 100;
const SPACE = 1;
const DELIMITER = 2;
const KIND = new Uint8Array(256);
for (const code of [0, 9, 10, 12, 13, 32]) KIND[code] = SPACE;
for (const sign of '()<>[]{}/%') KIND[sign.charCodeAt(0)] = DELIMITER;

/** True for white space between values (ISO 32000-1, 7.2.2). */
export const isSpace = (byte: number | undefined): boolean => byte !== undefined && KIND[byte] === SPACE;

/** Reads values one after the other, from a place in the file on. Throws PdfSyntaxError. */
export class PdfParser {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  readValue(depth = 0): PdfValue {
    if (depth > MAX_NESTING) throw new PdfSyntaxError('values are nested too deeply');
    this.skipSpace();
    const first = this.#bytes[this.at];
    if (first === undefined) throw new PdfSyntaxError('the file ends within a value');
    if (first === LEFT_BRACKET) return this.#readArray(depth);
    if (first === LESS && this.#bytes[this.at + 1] === LESS) return this.#readDict(depth);
    if (first === LESS) return this.#readTo(this.#find(GREATER) + 1);
    if (first === PARENTHESIS) return this.#readString();
    const token = this.readToken();
    if (!/^\d{1,10}$/.test(token)) return token;
    return this.#readReference(token) ?? token;
  }

  /** Reads a name, a number or a word. */
  readToken(): string {
    this.skipSpace();
    let end = this.at + 1;
    while (end < this.#bytes.length && KIND[this.#bytes[end] ?? 0] === 0) end++;
    const token = this.#readTo(end);
    if (token === '' || /^[<>[\](){}]/.test(token)) throw new PdfSyntaxError(`"${token}" stands where a value should`);
    return token;
  }

  /** Takes the word if it is the next one. */
  take(word: string): boolean {
    this.skipSpace();
    for (let index = 0; index < word.length; index++) {
      if (this.#bytes[this.at + index] !== word.charCodeAt(index)) return false;
    }
    this.at += word.length;
    return true;
  }

  skipSpace(): void {
    for (; this.at < this.#bytes.length; this.at++) {
      const byte = this.#bytes[this.at] ?? 0;
      if (byte === PERCENT) {
        while (this.at + 1 < this.#bytes.length && !LINE_ENDS.includes(this.#bytes[this.at + 1] ?? 0)) this.at++;
      } else if (KIND[byte] !== SPACE) return;
    }
  }

  #readArray(depth: number): PdfValue[] {
    this.at++;
    const values: PdfValue[] = [];
    while (!this.take(']')) values.push(this.readValue(depth + 1));
    return values;
  }

  #readDict(depth: number): PdfDict {
    this.at += 2;
    const dict: PdfDict = new Map();
    while (!this.take('>>')) {
      const key = this.readToken();
      if (!key.startsWith('/')) throw new PdfSyntaxError(`"${key}" stands where a name should`);
      dict.set(readKey(key.slice(1)), this.readValue(depth + 1));
    }
    return dict;
  }

  #readString(): string {
    let open = 0;
    for (let end = this.at; end < this.#bytes.length; end++) {
      const byte = this.#bytes[end];
      if (byte === BACKSLASH) end++;
      else if (byte === PARENTHESIS) open++;
      else if (byte === PARENTHESIS + 1 && --open === 0) return this.#readTo(end + 1);
    }
    throw this.#refuseString();
  }

  /** Reads `12 0 R`; two numbers that no R follows are two numbers. */
  #readReference(number: string): PdfValue | undefined {
    const start = this.at;
    this.skipSpace();
    const generation = /^\d{1,5}/.exec(this.#bytes.toString('latin1', this.at, this.at + 5))?.[0];
    if (generation !== undefined) {
      this.at += generation.length;
      const spaced = KIND[this.#bytes[this.at] ?? 0] === SPACE;
      if (spaced && this.take('R') && KIND[this.#bytes[this.at] ?? 32] !== 0) {
        return { number: Number(number), generation: Number(generation) };
      }
    }
    this.at = start;
    return undefined;
  }

  #find(code: number): number {
    const found = this.#bytes.indexOf(code, this.at);
    if (found === -1) throw this.#refuseString();
    return found;
  }

  /** Moves to the end of the file, so that `at` tells how much was read. */
  #refuseString(): PdfSyntaxError {
    this.at = this.#bytes.length;
    return new PdfSyntaxError('a string has no end');
  }

  #readTo(end: number): string {
    const text = this.#bytes.toString('latin1', this.at, end);
    this.at = end;
    return text;
  }
}

const LEFT_BRACKET = 0x5b;
const LESS = 0x3c;
const GREATER = 0x3e;
const PARENTHESIS = 0x28;
const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const LINE_ENDS: readonly number[] = [10, 13];

/** Names with signs that would have to be escaped again stay as they are. */
function readKey(written: string): string {
  if (!written.includes('#')) return written;
  const name = unescapeName(written);
  return /^[A-Za-z0-9_.+-]*$/.test(name) ? name : written;
}
