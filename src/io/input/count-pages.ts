import { type FileHandle, open } from 'node:fs/promises';

const HEAD_BYTES = 2_048;
const OBJECT_BYTES = 16 * 1024;
const MAX_TABLE_BYTES = 8 * 1024 * 1024;
const MAX_TABLES = 64;
const MAX_IMAGES = 100_000;

/**
 * The pages of a document where a few reads tell them for certain; undefined otherwise: nothing is guessed, and no
 * document is parsed for it. PDFs that are linearised or have a plain cross-reference table, TIFFs, and images of one.
 */
export async function countPages(path: string, type: string | undefined): Promise<number | undefined> {
  if (type === 'image/png' || type === 'image/jpeg' || type === 'image/bmp') return 1;
  if (type !== 'application/pdf' && type !== 'image/tiff') return undefined;
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    return type === 'image/tiff' ? await countTiff(handle, size) : await countPdf(handle, size);
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

/** TIFF 6.0, section 2: a chain of image file directories, one for each page. */
async function countTiff(handle: FileHandle, size: number): Promise<number | undefined> {
  const head = await read(handle, 0, 8);
  const isLittle = head.toString('latin1', 0, 2) === 'II';
  const u16 = (from: Buffer, at: number) => (isLittle ? from.readUInt16LE(at) : from.readUInt16BE(at));
  const u32 = (from: Buffer, at: number) => (isLittle ? from.readUInt32LE(at) : from.readUInt32BE(at));
  const seen = new Set<number>();
  for (let at = u32(head, 4); at !== 0; ) {
    if (at + 2 > size || seen.has(at) || seen.size >= MAX_IMAGES) return undefined;
    seen.add(at);
    const entries = u16(await read(handle, at, 2), 0);
    const next = at + 2 + entries * 12;
    if (next + 4 > size) return undefined;
    at = u32(await read(handle, next, 4), 0);
  }
  return seen.size || undefined;
}

async function countPdf(handle: FileHandle, size: number): Promise<number | undefined> {
  const head = (await read(handle, 0, Math.min(HEAD_BYTES, size))).toString('latin1');
  const linearised = /<<[^>]*\/Linearized[^>]*>>/.exec(head)?.[0];
  // A file of another length was changed afterwards: its dictionary says nothing any more (ISO 32000-1, annex F.3.3).
  if (linearised !== undefined && Number(/\/L\s+(\d+)/.exec(linearised)?.[1]) === size) {
    return positive(/\/N\s+(\d+)/.exec(linearised)?.[1]);
  }
  const tail = (await read(handle, Math.max(0, size - HEAD_BYTES), Math.min(HEAD_BYTES, size))).toString('latin1');
  const start = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1];
  return start === undefined ? undefined : await countByTable(handle, size, Number(start));
}

/** ISO 32000-1, 7.5.4 and 7.7: the table leads to the root, that to the tree of pages, whose top knows how many. */
async function countByTable(handle: FileHandle, size: number, start: number): Promise<number | undefined> {
  const offsets = new Map<number, number>();
  let root: number | undefined;
  let at: number | undefined = start;
  for (let tables = 0; at !== undefined && tables < MAX_TABLES; tables++) {
    const text = await readTable(handle, size, at);
    const table = /^\s*xref\s+((?:\d+ \d+\s+(?:\d{10} \d{5} [nf]\s+)*)+)trailer\s*<<([\s\S]*)/.exec(text);
    if (table === null) return undefined;
    readEntries(table[1] ?? '', offsets);
    const trailer = (table[2] ?? '').split('startxref')[0] ?? '';
    root ??= reference(trailer, 'Root');
    const previous = /\/Prev\s+(\d+)/.exec(trailer)?.[1];
    at = previous === undefined ? undefined : Number(previous);
  }
  const pages = reference(await readObject(handle, size, offsets, root), 'Pages');
  const tree = await readObject(handle, size, offsets, pages);
  return /\/Type\s*\/Pages\b/.test(tree) ? positive(/\/Count\s+(\d+)(?!\s+\d+\s+R)/.exec(tree)?.[1]) : undefined;
}

/** Up to its trailer's end. */
async function readTable(handle: FileHandle, size: number, at: number): Promise<string> {
  let text = '';
  while (text.length < MAX_TABLE_BYTES && at + text.length < size) {
    const chunk = await read(handle, at + text.length, Math.min(64 * 1024, size - at - text.length));
    if (chunk.length === 0) break;
    text += chunk.toString('latin1');
    if (text.length > 8 && !/^\s*xref/.test(text)) break;
    if (text.includes('startxref')) break;
  }
  return text;
}

/** Entries of a newer table stand: those are read first. */
function readEntries(table: string, offsets: Map<number, number>): void {
  let next = 0;
  for (const line of table.split(/[\r\n]+/)) {
    const entry = /^(\d{10}) \d{5} ([nf])/.exec(line);
    if (entry === null) {
      next = Number(/^(\d+) \d+/.exec(line)?.[1] ?? next);
      continue;
    }
    if (entry[2] === 'n' && !offsets.has(next)) offsets.set(next, Number(entry[1]));
    next++;
  }
}

async function readObject(
  handle: FileHandle,
  size: number,
  offsets: Map<number, number>,
  id: number | undefined,
): Promise<string> {
  const at = id === undefined ? undefined : offsets.get(id);
  if (at === undefined || at >= size) return '';
  const text = (await read(handle, at, Math.min(OBJECT_BYTES, size - at))).toString('latin1');
  return new RegExp(`^\\s*${id}\\s+\\d+\\s+obj`).test(text) ? (text.split('endobj')[0] ?? '') : '';
}

function reference(text: string, name: string): number | undefined {
  const id = new RegExp(`/${name}\\s+(\\d+)\\s+\\d+\\s+R`).exec(text)?.[1];
  return id === undefined ? undefined : Number(id);
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

async function read(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, at);
  return buffer.subarray(0, bytesRead);
}
