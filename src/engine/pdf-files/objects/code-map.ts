import { toBytes, toCount } from './decode-value.js';
import { PdfParser } from './parser.js';
import { attempt, type PdfValue } from './values.js';

/** Values of one section: more than the three values for each code of two bytes. */
const MAX_SECTION_VALUES = 200_000;
/** Ranges of all sections: one for each code of two bytes. A code is looked for in all of them. */
const MAX_RANGES = 65_536;

interface Entry {
  first: number;
  last: number;
  target: PdfValue;
}

/**
 * Returns the characters that a font's ToUnicode map gives a code; undefined where it has none. PDFium leaves out
 * sections with a wrong count of entries, and ranges beyond 256 codes. Source: ISO 32000-2, 9.10.3.
 */
export function readToUnicode(map: Uint8Array): (code: number) => string | undefined {
  const find = createFinder(map, 'bf');
  return (code) => {
    const entry = find(code);
    if (entry === undefined) return undefined;
    const offset = code - entry.first;
    return Array.isArray(entry.target) ? textOf(entry.target[offset], 0) : textOf(entry.target, offset);
  };
}

/** Returns the character identifier (CID) that a map gives a code. Source: ISO 32000-2, 9.7.5. */
export function readCids(map: Uint8Array): (code: number) => number | undefined {
  const find = createFinder(map, 'cid');
  return (code) => {
    const entry = find(code);
    const first = toCount(entry?.target as PdfValue);
    return entry === undefined || first === undefined ? undefined : first + code - entry.first;
  };
}

function createFinder(map: Uint8Array, kind: 'bf' | 'cid'): (code: number) => Entry | undefined {
  const single = new Map<number, Entry>();
  const ranges: Entry[] = [];
  for (const { first, last, target } of readEntries(map, kind)) {
    if (first === last) single.set(first, { first, last, target });
    else if (ranges.length < MAX_RANGES) ranges.push({ first, last, target });
  }
  return (code) => single.get(code) ?? ranges.find(({ first, last }) => first <= code && code <= last);
}

function readEntries(map: Uint8Array, kind: 'bf' | 'cid'): Entry[] {
  const text = Buffer.from(map.buffer, map.byteOffset, map.byteLength).toString('latin1');
  const entries: Entry[] = [];
  for (const { form, section } of findSections(text, kind)) {
    const values = readValues(section);
    const step = form === 'char' ? 2 : 3;
    for (let at = 0; at + step <= values.length; at += step) {
      const first = codeOf(values[at]);
      const last = form === 'char' ? first : codeOf(values[at + 1]);
      const target = values[at + step - 1];
      if (first !== undefined && last !== undefined && target !== undefined) entries.push({ first, last, target });
    }
  }
  return entries;
}

/** Finds each section up to its end. After a section without an end there is none: a search for each of them would never end. */
function* findSections(text: string, kind: 'bf' | 'cid'): Generator<{ form: string | undefined; section: string }> {
  const [begin, end] = [new RegExp(`\\bbegin${kind}(char|range)\\b`, 'g'), new RegExp(`\\bend${kind}`, 'g')];
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    end.lastIndex = begin.lastIndex;
    const stop = end.exec(text);
    if (stop === null) return;
    yield { form: found[1], section: text.slice(begin.lastIndex, stop.index) };
    begin.lastIndex = end.lastIndex;
  }
}

function readValues(section: string): PdfValue[] {
  const parser = new PdfParser(Buffer.from(section, 'latin1'), 0);
  const values: PdfValue[] = [];
  for (;;) {
    const value = attempt(() => parser.readValue());
    if (value === undefined || values.length > MAX_SECTION_VALUES) return values;
    values.push(value);
  }
}

function codeOf(value: PdfValue | undefined): number | undefined {
  const bytes = toBytes(value);
  if (bytes === undefined) return toCount(value);
  return bytes.length > 0 && bytes.length <= 4 ? bytes.readUIntBE(0, bytes.length) : undefined;
}

/** UTF-16 text, its last unit moved on by `offset`. */
function textOf(value: PdfValue | undefined, offset: number): string | undefined {
  const bytes = toBytes(value);
  if (bytes === undefined || bytes.length === 0) return undefined;
  if (bytes.length === 1) return String.fromCharCode((bytes[0] ?? 0) + offset);
  const units = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  const last = units.length - 2;
  units.writeUInt16BE((units.readUInt16BE(last) + offset) & 0xffff, last);
  return units.swap16().toString('utf16le');
}
