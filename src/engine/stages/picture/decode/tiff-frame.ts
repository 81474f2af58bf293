import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Directories of a file. No document has more pages, and the bound ends a very long chain in a hostile file. */
const MAX_DIRECTORIES = 100_000;
/** Pages from which cutting pays: in a shorter file the decoder finds a page as fast. */
const MIN_DIRECTORIES_TO_CUT = 8;
const MAX_ENTRIES = 4096;
/** Strips or tiles of a page. */
const MAX_PIXEL_PARTS = 65_536;
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const ENTRY_BYTES = 12;
/** Bytes of a value by its type; the types count from 1. Source: TIFF 6.0, section 2. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;
const X_RESOLUTION = 282;
const Y_RESOLUTION = 283;
/** Aspect of a pixel: below the first it counts as a square, above the second as a mistake in the file. */
const MIN_OBLONG_ASPECT = 1.1;
const MAX_OBLONG_ASPECT = 2.5;
/** Tags of the offsets and of the byte counts of the pixels: strips and tiles. */
const BYTE_COUNT_TAGS: ReadonlyMap<number, number> = new Map([
  [273, 279],
  [324, 325],
]);
/** Tags that lead to other directories; they are left out. */
const SUB_DIRECTORY_TAGS = new Set([330, 34665, 34853, 40965]);
/** Tags of the old form of JPEG in TIFF, whose tables can be anywhere in the file. */
const OLD_JPEG_TAGS = new Set([512, 519, 520, 521]);

interface Entry {
  tag: number;
  type: number;
  count: number;
  /** Bytes of the value, read from the entry or from the place that it points to. */
  value: Buffer;
}

/**
 * Cuts page `index` (from 0) out of a TIFF of many pages: returns a file of that page alone, with its pixels as they are
 * stored. Decoders read every directory before the page and, to count them, after it: in a file of 1,000 pages that takes
 * longer than decoding the page. Undefined for a file that this cannot cut (BigTIFF, old JPEG, damaged): the decoder may
 * still read it.
 */
export function cutTiffFrame(path: string, index: number): Buffer | undefined {
  return withFile(path, (file) => {
    const offsets = listDirectories(file, path);
    const offset = offsets.length < MIN_DIRECTORIES_TO_CUT ? undefined : offsets[index];
    return offset === undefined ? undefined : cut(file, offset);
  });
}

/**
 * Returns the height of a pixel of page `index` (from 0) by its width, from the two resolutions: 1 for nearly all files,
 * 2.08 for faxes of standard quality (204 by 98 dots an inch). 1 too if the file names no plausible resolutions.
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
  const isOblong =
    ratio !== undefined &&
    Math.max(ratio, 1 / ratio) > MIN_OBLONG_ASPECT &&
    Math.max(ratio, 1 / ratio) < MAX_OBLONG_ASPECT;
  return isOblong ? ratio : 1;
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
  /** Returns undefined beyond the end of the file. */
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

let lastListed: { key: string; offsets: readonly number[] } | undefined;

/** Lists the offsets of the directories in their order. Those of the last file are kept: the next call is likely for its next page. */
function listDirectories(file: Reader, path: string): readonly number[] {
  const key = `${path}\0${file.size}\0${file.modifiedMs}`;
  if (lastListed?.key === key) return lastListed.offsets;
  const offsets = new Set<number>();
  const header = file.read(4, 4);
  let offset = header === undefined ? 0 : file.long(header, 0);
  while (offset !== 0 && !offsets.has(offset) && offsets.size < MAX_DIRECTORIES) {
    const count = file.read(offset, 2);
    if (count === undefined) break;
    offsets.add(offset);
    const next = file.read(offset + 2 + file.short(count, 0) * ENTRY_BYTES, 4);
    offset = next === undefined ? 0 : file.long(next, 0);
  }
  lastListed = { key, offsets: [...offsets] };
  return lastListed.offsets;
}

function cut(file: Reader, offset: number): Buffer | undefined {
  const entries = readEntries(file, offset);
  if (entries === undefined) return undefined;
  const pixels: Buffer[] = [];
  // The pixels follow the header; the directory and its values follow the pixels.
  let end = 8;
  for (const [offsetsTag, countsTag] of BYTE_COUNT_TAGS) {
    const offsets = entries.find(({ tag }) => tag === offsetsTag);
    if (offsets === undefined) continue;
    const from = readNumbers(file, offsets);
    const byteCounts = entries.find(({ tag }) => tag === countsTag);
    const counts = byteCounts && readNumbers(file, byteCounts);
    if (from === undefined || counts?.length !== from.length || from.length > MAX_PIXEL_PARTS) return undefined;
    const moved = Buffer.alloc(from.length * 4);
    for (const [part, at] of from.entries()) {
      const length = counts[part] ?? 0;
      if (end + length > MAX_FRAME_BYTES) return undefined;
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

/** Reads the entries of a directory; undefined if there are too many, or one is damaged or of old JPEG. */
function readEntries(file: Reader, offset: number): Entry[] | undefined {
  const head = file.read(offset, 2);
  const count = head === undefined ? 0 : file.short(head, 0);
  const table = count > MAX_ENTRIES ? undefined : file.read(offset + 2, count * ENTRY_BYTES);
  if (table === undefined) return undefined;
  const entries: Entry[] = [];
  let total = 0;
  for (let at = 0; at < table.length; at += ENTRY_BYTES) {
    const [tag, type, values] = [file.short(table, at), file.short(table, at + 2), file.long(table, at + 4)];
    if (SUB_DIRECTORY_TAGS.has(tag)) continue;
    const length = (TYPE_BYTES[type] ?? 0) * values;
    total += length;
    if (OLD_JPEG_TAGS.has(tag) || length === 0 || total > MAX_FRAME_BYTES) return undefined;
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

/** Returns NaN for an entry that is absent or no rational. */
function readRational(file: Reader, entry: Entry | undefined): number {
  if (entry?.type !== RATIONAL) return Number.NaN;
  return file.long(entry.value, 0) / file.long(entry.value, 4);
}

function* compose(file: Reader, entries: readonly Entry[], pixels: readonly Buffer[], end: number): Generator<Buffer> {
  const header = Buffer.from(file.isLittle ? 'II*\0' : 'MM\0*', 'latin1');
  const first = Buffer.alloc(4);
  writeLong(file, first, 0, end);
  yield* [header, first, ...pixels];
  // The last four bytes of the directory stay 0: no directory follows.
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
