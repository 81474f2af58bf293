import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cutTiffFrame } from '../../../../../../src/engine/stages/picture/decode/tiff-frame.js';

const SHORT = 3;
const LONG = 4;
const STRIP_OFFSETS = 273;
const STRIP_BYTE_COUNTS = 279;
type Entry = readonly [tag: number, type: number, values: readonly number[]];

const folder = mkdtempSync(join(tmpdir(), 'tiff-bounds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let written = 0;

/** Writes a little-endian TIFF with these directories, grown to `sizeBytes` if that is given. */
function writeTiff(directories: readonly (readonly Entry[])[], sizeBytes = 0): string {
  const header = Buffer.from('II*\0\x08\0\0\0', 'latin1');
  const parts: Buffer[] = [header];
  let at = header.length;
  for (const [index, entries] of directories.entries()) {
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    const values: Buffer[] = [];
    let valuesAt = at + directory.length;
    directory.writeUInt16LE(entries.length, 0);
    for (const [row, [tag, type, numbers]] of entries.entries()) {
      const entry = 2 + row * 12;
      directory.writeUInt16LE(tag, entry);
      directory.writeUInt16LE(type, entry + 2);
      directory.writeUInt32LE(numbers.length, entry + 4);
      if (numbers.length === 1) {
        directory.writeUInt32LE(numbers[0] ?? 0, entry + 8);
        continue;
      }
      const bytes = Buffer.alloc(numbers.length * 4);
      for (const [place, number] of numbers.entries()) bytes.writeUInt32LE(number, place * 4);
      directory.writeUInt32LE(valuesAt, entry + 8);
      values.push(bytes);
      valuesAt += bytes.length;
    }
    if (index + 1 < directories.length) directory.writeUInt32LE(valuesAt, directory.length - 4);
    parts.push(directory, ...values);
    at = valuesAt;
  }
  const path = join(folder, `${written++}.tiff`);
  writeFileSync(path, Buffer.concat(parts));
  if (sizeBytes > 0) truncateSync(path, sizeBytes);
  return path;
}

const strips = (count: number, bytes = 1): Entry[] => [
  [STRIP_OFFSETS, LONG, Array(count).fill(0)],
  [STRIP_BYTE_COUNTS, LONG, Array(count).fill(bytes)],
];
const page = strips(1);
const pages = (count: number) => Array.from({ length: count }, () => page);
/** True when a page is cut out of its file. A failed test would print the whole Buffer. */
const isCut = (path: string, index: number) => cutTiffFrame(path, index) !== undefined;
/** True when a page with these entries is cut, among enough other pages. */
const isCutAmongOthers = (entries: readonly Entry[], sizeBytes?: number) =>
  isCut(writeTiff([entries, ...pages(8)], sizeBytes), 0);

it('a page of 65,536 strips → cut; with one more → left to the decoder', () => {
  expect(isCutAmongOthers(strips(65_536))).toBe(true);
  expect(isCutAmongOthers(strips(65_537))).toBe(false);
});

it('a page of 64 MB with the header → cut; one more byte → left to the decoder', () => {
  const most = 64 * 1024 * 1024 - 8;
  expect(isCutAmongOthers(strips(1, most), most + 1)).toBe(true);
  expect(isCutAmongOthers(strips(1, most + 1), most + 1)).toBe(false);
});

it('a directory of 4,096 entries → cut; with one more → left to the decoder', () => {
  const entries = (count: number): Entry[] => [
    ...page,
    ...Array.from({ length: count - 2 }, (_, index): Entry => [50_000 + index, SHORT, [1]]),
  ];
  expect(isCutAmongOthers(entries(4096))).toBe(true);
  expect(isCutAmongOthers(entries(4097))).toBe(false);
});

it('a file of 8 pages → its pages are cut; of 7 → left to the decoder, which is as fast', () => {
  expect(isCut(writeTiff(pages(8)), 7)).toBe(true);
  expect(isCut(writeTiff(pages(7)), 6)).toBe(false);
});

it('page 100,000 → cut; the page after it → not looked for', () => {
  const path = writeTiff([...Array.from({ length: 99_999 }, () => []), page, page]);
  expect(isCut(path, 99_999)).toBe(true);
  expect(isCut(path, 100_000)).toBe(false);
});
