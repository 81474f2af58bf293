import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Of a file's directories; a document has fewer pages, and a chain that bites its tail ends. */
const MOST_DIRECTORIES = 100_000;
/** In files of fewer pages the decoder finds them as fast. */
const LEAST_DIRECTORIES = 8;
const MOST_ENTRIES = 4096;
/** Strips or tiles of a page. */
const MOST_PARTS = 65_536;
const MOST_FRAME_BYTES = 64 * 1024 * 1024;
const ENTRY_BYTES = 12;
/** Bytes of a value by its type, from 1. Source: TIFF 6.0, section 2. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;
const X_RESOLUTION = 282;
const Y_RESOLUTION = 283;
/** One side of a pixel by the other, from where they are not taken for squares to where that is taken for a mistake. */
const LEAST_OBLONG = 1.1;
const MOST_OBLONG = 2.5;
/** Where the pixels are, and how many bytes of them: strips and tiles. */
const BYTE_COUNTS: ReadonlyMap<number, number> = new Map([
  [273, 279],
  [324, 325],
]);
/** Entries that lead to other directories, and JPEG's first form in TIFF, whose tables lie anywhere: not followed. */
const SUB_DIRECTORIES = new Set([330, 34665, 34853, 40965]);
const OLD_JPEG = new Set([512, 519, 520, 521]);

interface Entry {
  tag: number;
  type: number;
  count: number;
  /** Its value, wherever it stands in the file. */
  value: Buffer;
}

/**
 * Cuts page `index` (from 0) out of a TIFF of many: a file of that page alone, its pixels as they are stored. Decoders find
 * a page by reading every directory before it and, to count them, after it: of 1,000 pages that takes longer than to
 * decode one. Undefined where the page is not of the plain kind (BigTIFF, JPEG's first form, damaged): the decoder may still read it.
 */
export function cutTiffFrame(path: string, index: number): Buffer | undefined {
  return withFile(path, (file) => {
    const offsets = listDirectories(file, path);
    const offset = offsets.length < LEAST_DIRECTORIES ? undefined : offsets[index];
    return offset === undefined ? undefined : cut(file, offset);
  });
}

/**
 * How many times as high as wide the pixels of page `index` (from 0) are, by its two resolutions: 1 for nearly all, 2.08 for
 * faxes of standard quality (204 by 98 dots an inch). 1 too where the file does not say, or says what cannot be.
 */
export function readPixelHeight(path: string, index: number): number {
  const ratio = withFile(path, (file) => {
    const offset = listDirectories(file, path)[index];
    const entries = offset === undefined ? [] : (readEntries(file, offset) ?? []);
    const resolution = (tag: number) =>
      readRational(
        file,
        entries.find((entry) => entry.tag === tag),
      );
    return resolution(X_RESOLUTION) / resolution(Y_RESOLUTION);
  });
  const isMeant =
    ratio !== undefined && Math.max(ratio, 1 / ratio) > LEAST_OBLONG && Math.max(ratio, 1 / ratio) < MOST_OBLONG;
  return isMeant ? ratio : 1;
}

function withFile<T>(path: string, use: (file: Reader) => T): T | undefined {
  const descriptor = openSync(path, 'r');
  try {
    const file = createReader(descriptor);
    return file === undefined ? undefined : use(file);
  } finally {
    closeSync(descriptor);
  }
}

interface Reader {
  size: number;
  modifiedMs: number;
  isLittle: boolean;
  /** Undefined beyond the end. */
  read(at: number, length: number): Buffer | undefined;
  short(bytes: Buffer, at: number): number;
  long(bytes: Buffer, at: number): number;
}

function createReader(descriptor: number): Reader | undefined {
  const { size, mtimeMs: modifiedMs } = fstatSync(descriptor);
  const read = (at: number, length: number): Buffer | undefined => {
    if (at + length > size) return undefined;
    const bytes = Buffer.allocUnsafe(length);
    return readSync(descriptor, bytes, 0, length, at) === length ? bytes : undefined;
  };
  const mark = read(0, 4)?.toString('latin1');
  if (mark !== 'II*\0' && mark !== 'MM\0*') return undefined;
  const isLittle = mark === 'II*\0';
  return {
    ...{ size, modifiedMs, isLittle, read },
    short: (bytes, at) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)),
    long: (bytes, at) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)),
  };
}

let listed: { key: string; offsets: readonly number[] } | undefined;

/** Offsets of the directories, in their order; those of the last file are kept, whose next page is likely the next call. */
function listDirectories(file: Reader, path: string): readonly number[] {
  const key = `${path}\0${file.size}\0${file.modifiedMs}`;
  if (listed?.key === key) return listed.offsets;
  const offsets = new Set<number>();
  const header = file.read(4, 4);
  let offset = header === undefined ? 0 : file.long(header, 0);
  while (offset !== 0 && !offsets.has(offset) && offsets.size < MOST_DIRECTORIES) {
    const count = file.read(offset, 2);
    if (count === undefined) break;
    offsets.add(offset);
    const next = file.read(offset + 2 + file.short(count, 0) * ENTRY_BYTES, 4);
    offset = next === undefined ? 0 : file.long(next, 0);
  }
  listed = { key, offsets: [...offsets] };
  return listed.offsets;
}

function cut(file: Reader, offset: number): Buffer | undefined {
  const entries = readEntries(file, offset);
  if (entries === undefined) return undefined;
  const pixels: Buffer[] = [];
  // The pixels follow the header; the directory and its values follow the pixels.
  let end = 8;
  for (const [offsetsTag, countsTag] of BYTE_COUNTS) {
    const offsets = entries.find(({ tag }) => tag === offsetsTag);
    if (offsets === undefined) continue;
    const from = readNumbers(file, offsets);
    const byteCounts = entries.find(({ tag }) => tag === countsTag);
    const counts = byteCounts && readNumbers(file, byteCounts);
    if (from === undefined || counts?.length !== from.length || from.length > MOST_PARTS) return undefined;
    const moved = Buffer.alloc(from.length * 4);
    for (const [part, at] of from.entries()) {
      const length = counts[part] ?? 0;
      if (end + length > MOST_FRAME_BYTES) return undefined;
      const bytes = file.read(at, length);
      if (bytes === undefined) return undefined;
      writeLong(file, moved, part * 4, end);
      const padding = Buffer.alloc(length % 2);
      pixels.push(bytes, padding);
      end += length + padding.length;
    }
    Object.assign(offsets, { type: LONG, value: moved });
  }
  return pixels.length === 0 ? undefined : Buffer.concat([...compose(file, entries, pixels, end)]);
}

/** Undefined where they are not of the plain kind. */
function readEntries(file: Reader, offset: number): Entry[] | undefined {
  const head = file.read(offset, 2);
  const count = head === undefined ? 0 : file.short(head, 0);
  const table = count > MOST_ENTRIES ? undefined : file.read(offset + 2, count * ENTRY_BYTES);
  if (table === undefined) return undefined;
  const entries: Entry[] = [];
  let total = 0;
  for (let at = 0; at < table.length; at += ENTRY_BYTES) {
    const [tag, type, values] = [file.short(table, at), file.short(table, at + 2), file.long(table, at + 4)];
    if (SUB_DIRECTORIES.has(tag)) continue;
    const length = (TYPE_BYTES[type] ?? 0) * values;
    total += length;
    if (OLD_JPEG.has(tag) || length === 0 || total > MOST_FRAME_BYTES) return undefined;
    const value = length <= 4 ? table.subarray(at + 8, at + 8 + length) : file.read(file.long(table, at + 8), length);
    if (value === undefined) return undefined;
    entries.push({ tag, type, count: values, value });
  }
  return entries;
}

function readNumbers(file: Reader, { type, count, value }: Entry): number[] | undefined {
  if (type !== SHORT && type !== LONG) return undefined;
  return Array.from({ length: count }, (_, index) =>
    type === SHORT ? file.short(value, index * 2) : file.long(value, index * 4),
  );
}

/** NaN where it is none. */
function readRational(file: Reader, entry: Entry | undefined): number {
  if (entry?.type !== RATIONAL) return Number.NaN;
  return file.long(entry.value, 0) / file.long(entry.value, 4);
}

function* compose(file: Reader, entries: readonly Entry[], pixels: readonly Buffer[], end: number): Generator<Buffer> {
  const header = Buffer.from(file.isLittle ? 'II*\0' : 'MM\0*', 'latin1');
  const first = Buffer.alloc(4);
  writeLong(file, first, 0, end);
  yield* [header, first, ...pixels];
  // Its last four bytes stay 0: no directory follows.
  const directory = Buffer.alloc(2 + entries.length * ENTRY_BYTES + 4);
  writeShort(file, directory, 0, entries.length);
  const values: Buffer[] = [];
  let at = end + directory.length;
  for (const [index, { tag, type, count, value }] of entries.entries()) {
    const entry = 2 + index * ENTRY_BYTES;
    writeShort(file, directory, entry, tag);
    writeShort(file, directory, entry + 2, type);
    writeLong(file, directory, entry + 4, count);
    if (value.length <= 4) {
      value.copy(directory, entry + 8);
      continue;
    }
    writeLong(file, directory, entry + 8, at);
    values.push(value, Buffer.alloc(value.length % 2));
    at += value.length + (value.length % 2);
  }
  yield* [directory, ...values];
}

function writeShort({ isLittle }: Reader, bytes: Buffer, at: number, value: number): void {
  if (isLittle) bytes.writeUInt16LE(value, at);
  else bytes.writeUInt16BE(value, at);
}

function writeLong({ isLittle }: Reader, bytes: Buffer, at: number, value: number): void {
  if (isLittle) bytes.writeUInt32LE(value, at);
  else bytes.writeUInt32BE(value, at);
}
