import { expect, it } from 'vitest';
import { decodeLzw } from '../../../../../src/engine/pdf-files/objects/decode-lzw.js';

const CLEAR = 256;
const END = 257;
const MAX_ENTRIES = 4096 - END - 1;

it('the example of ISO 32000-2 (7.4.4.2) → its bytes', () => {
  const data = Buffer.from('800b6050220c0c8501', 'hex');
  expect([...decodeLzw(data, 100, true)]).toEqual([45, 45, 45, 45, 45, 65, 45, 45, 45, 66]);
});

it.each([true, false])('all lengths of codes, and a new table after a full one, early: %s → the bytes', (early) => {
  const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => (index * index) >> 3);
  expect(Buffer.from(decodeLzw(encode(bytes, early), bytes.length, early)).equals(bytes)).toBe(true);
});

it('data without an end code → as far as it goes', () => {
  const data = encode(Buffer.from('the same, the same, the same'), true);
  expect(Buffer.from(decodeLzw(data.subarray(0, -2), 100, true)).toString()).toMatch(/^the same, the/);
});

it('more bytes than allowed → refused', () => {
  expect(() => decodeLzw(encode(new Uint8Array(5000), true), 1000, true)).toThrow('too large');
});

it('a full table that is not cleared → its codes go on', () => {
  const bytes = Uint8Array.from({ length: 40_000 }, (_, index) => (index * index) >> 5);
  const data = encode(bytes, true, false);
  expect(Buffer.from(decodeLzw(data, bytes.length, true)).equals(bytes)).toBe(true);
});

it('a code that there cannot be yet → refused', () => {
  expect(() => decodeLzw(Buffer.from([0x80, 0x7f, 0xff]), 100, true)).toThrow('cannot be decoded');
});

/** Encodes bytes: a sequence that is new gets the next code, until the codes of twelve bits are used up. */
function encode(bytes: Uint8Array, early: boolean, clears = true): Buffer {
  let bits = '';
  let table = new Map<string, number>();
  let sequence = '';
  const put = (code: number) => {
    // A decoder is one entry behind.
    const next = END + table.size + (early ? 1 : 0);
    bits += code.toString(2).padStart(Math.max(9, Math.min(12, next.toString(2).length)), '0');
  };
  const codeOf = (text: string) => (text.length === 1 ? text.charCodeAt(0) : (table.get(text) ?? 0));
  put(CLEAR);
  for (const byte of bytes) {
    const longer = sequence + String.fromCharCode(byte);
    if (longer.length === 1 || table.has(longer)) {
      sequence = longer;
      continue;
    }
    put(codeOf(sequence));
    if (table.size < MAX_ENTRIES) table.set(longer, END + 1 + table.size);
    sequence = String.fromCharCode(byte);
    if (!clears || END + table.size < 4093) continue;
    put(CLEAR);
    table = new Map();
  }
  put(codeOf(sequence));
  table.set('', 0);
  put(END);
  return Buffer.from((bits.match(/.{1,8}/g) ?? []).map((octet) => Number.parseInt(octet.padEnd(8, '0'), 2)));
}
