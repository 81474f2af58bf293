import { PdfDict, PdfName, PdfRef, type PdfValue } from './values.js';

/** Arrays and dictionaries inside of each other: no document needs more. */
const MOST_DEPTH = 64;
const WHITE = /[\0\t\n\f\r ]/;
const REGULAR_END = /[\0\t\n\f\r ()<>[\]{}/%]/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** What ends an array, a dictionary or an object, and whatever else is no value. */
class Keyword {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Reads values from the text of a PDF, one character a byte (ISO 32000-1, 7.2 and 7.3). What is malformed reads as null. */
export class PdfParser {
  readonly #text: string;
  position: number;

  constructor(latin1: string, position: number) {
    this.#text = latin1;
    this.position = position;
  }

  readValue(): PdfValue {
    const token = this.#read(0);
    return token instanceof Keyword ? null : token;
  }

  /** The word that stands here, `obj` or `stream`; it is passed. */
  readKeyword(): string {
    this.#skipWhite();
    return this.#takeRegular();
  }

  #read(depth: number): PdfValue | Keyword {
    this.#skipWhite();
    const text = this.#text;
    const at = this.position;
    const character = text[at];
    if (character === undefined) return new Keyword('');
    if (character === '/') return this.#readName();
    if (character === '(') return this.#readLiteral();
    if (character === '[') return this.#readArray(depth);
    if (character === '<') return text[at + 1] === '<' ? this.#readDict(depth) : this.#readHex();
    if (character === '>' && text[at + 1] === '>') return this.#keyword(2);
    if (REGULAR_END.test(character)) return this.#keyword(1);
    const word = this.#takeRegular();
    if (word === 'true' || word === 'false') return word === 'true';
    if (word === 'null') return null;
    if (!/^[+-]*[\d.]/.test(word)) return new Keyword(word);
    return this.#readReference(word) ?? toNumber(word);
  }

  #keyword(length: number): Keyword {
    this.position += length;
    return new Keyword(this.#text.slice(this.position - length, this.position));
  }

  #skipWhite(): void {
    const text = this.#text;
    for (;;) {
      const character = text[this.position];
      if (character === '%') {
        while (this.position < text.length && !/[\r\n]/.test(text[this.position] ?? '')) this.position++;
      } else if (character === undefined || !WHITE.test(character)) return;
      this.position++;
    }
  }

  #takeRegular(): string {
    const start = this.position;
    while (this.position < this.#text.length && !REGULAR_END.test(this.#text[this.position] ?? '')) this.position++;
    return this.#text.slice(start, this.position);
  }

  /** "12 0 R" */
  #readReference(word: string): PdfRef | undefined {
    if (!/^\d+$/.test(word)) return undefined;
    const rest = /^[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+R(?![^\0\t\n\f\r ()<>[\]{}/%])/.exec(
      this.#text.slice(this.position, this.position + 24),
    );
    if (rest === null) return undefined;
    this.position += rest[0].length;
    return new PdfRef(Number(word));
  }

  #readName(): PdfName {
    this.position++;
    const raw = this.#takeRegular().replace(/#([\dA-Fa-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return new PdfName(decodeName(raw));
  }

  #readLiteral(): Buffer {
    const text = this.#text;
    let out = '';
    let open = 1;
    for (this.position++; this.position < text.length; this.position++) {
      const character = text[this.position] ?? '';
      if (character === '\\') out += this.#readEscape();
      else if (character === '(') {
        open++;
        out += character;
      } else if (character === ')') {
        if (--open === 0) break;
        out += character;
      } else out += character;
    }
    this.position++;
    return Buffer.from(out, 'latin1');
  }

  /** Leaves the position at the escape's last character. */
  #readEscape(): string {
    const octal = /^[0-7]{1,3}/.exec(this.#text.slice(this.position + 1, this.position + 4));
    if (octal !== null) {
      this.position += octal[0].length;
      return String.fromCharCode(Number.parseInt(octal[0], 8) & 255);
    }
    const character = this.#text[++this.position] ?? '';
    if (character === '\r' && this.#text[this.position + 1] === '\n') this.position++;
    if (character === '\r' || character === '\n') return '';
    return ESCAPES[character] ?? character;
  }

  #readHex(): Buffer {
    const end = this.#text.indexOf('>', this.position);
    const stop = end === -1 ? this.#text.length : end;
    const digits = this.#text.slice(this.position + 1, stop).replace(/[^\dA-Fa-f]/g, '');
    this.position = stop + 1;
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
  }

  #readArray(depth: number): PdfValue {
    this.position++;
    const items: PdfValue[] = [];
    for (;;) {
      const item = this.#readInner(depth);
      if (item instanceof Keyword) return items;
      items.push(item);
    }
  }

  #readDict(depth: number): PdfDict {
    this.position += 2;
    const dict = new PdfDict();
    for (;;) {
      const key = this.#readInner(depth);
      if (key instanceof Keyword) return dict;
      if (!(key instanceof PdfName)) continue;
      const value = this.#readInner(depth);
      if (value instanceof Keyword) return dict;
      dict.set(key.name, value);
    }
  }

  #readInner(depth: number): PdfValue | Keyword {
    return depth < MOST_DEPTH ? this.#read(depth + 1) : new Keyword('');
  }
}

/** "--5" and "1.2.3" are found in files; they are read as readers do, as far as they go. */
function toNumber(word: string): number {
  const number = Number.parseFloat(word.replace(/^[+-]*(?=[+-])/, ''));
  return Number.isFinite(number) ? number : 0;
}

/** Names are UTF-8 by the standard, and Latin-1 where that fails. */
function decodeName(latin1: string): string {
  if (!/[\x80-\xff]/.test(latin1)) return latin1;
  const utf8 = Buffer.from(latin1, 'latin1').toString('utf8');
  return utf8.includes('\ufffd') ? latin1 : utf8;
}
