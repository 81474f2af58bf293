import { toBytes, toCount } from './decode-value.js';
import { PdfParser } from './parser.js';
import { attempt, type PdfValue } from './values.js';

/** Codes of one byte are 256; the map of a font with longer ones is not asked for. */
const MOST_ENTRIES = 512;

/** The first UTF-16 unit that a font's map gives each code of one byte. Source: ISO 32000-2, 9.10.3. */
export function readToUnicode(map: Uint8Array): ReadonlyMap<number, number> {
  const units = new Map<number, number>();
  const text = Buffer.from(map.buffer, map.byteOffset, map.byteLength).toString('latin1');
  for (const [section, kind] of text.matchAll(/\bbeginbf(char|range)\b.*?\bendbf/gs)) {
    const values = readValues(section.slice(`beginbf${kind}`.length, -'endbf'.length));
    const step = kind === 'char' ? 2 : 3;
    for (let at = 0; at + step <= values.length && units.size < MOST_ENTRIES; at += step) {
      const first = codeOf(values[at]);
      const last = kind === 'char' ? first : codeOf(values[at + 1]);
      const target = values[at + step - 1];
      if (first === undefined || last === undefined || last > 0xff) continue;
      for (let code = first; code <= last; code++) {
        const unit = Array.isArray(target) ? unitOf(target[code - first]) : unitOf(target);
        if (unit !== undefined) units.set(code, Array.isArray(target) ? unit : unit + code - first);
      }
    }
  }
  return units;
}

function readValues(section: string): PdfValue[] {
  const parser = new PdfParser(Buffer.from(section, 'latin1'), 0);
  const values: PdfValue[] = [];
  for (;;) {
    const value = attempt(() => parser.readValue());
    if (value === undefined || values.length > MOST_ENTRIES * 3) return values;
    values.push(value);
  }
}

function codeOf(value: PdfValue | undefined): number | undefined {
  const bytes = toBytes(value);
  return bytes?.length === 1 ? bytes[0] : toCount(value);
}

function unitOf(value: PdfValue | undefined): number | undefined {
  const bytes = toBytes(value);
  if (bytes === undefined || bytes.length === 0) return undefined;
  return bytes.length === 1 ? bytes[0] : bytes.readUInt16BE(0);
}
