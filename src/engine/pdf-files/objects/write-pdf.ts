import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { PdfFile } from './pdf-file.js';
import {
  isStream,
  makeDict,
  NULL,
  type PdfDict,
  type PdfObject,
  type PdfRef,
  type PdfStream,
  serialise,
} from './values.js';

/** Objects to be written, under numbers that are free in the file. */
export interface ObjectWriter {
  /** A number for an object that is put later. */
  reserve(): PdfRef;
  put(ref: PdfRef, object: PdfObject): void;
  add(object: PdfObject): PdfRef;
  /** Adds a stream, deflated. */
  addDeflated(data: Uint8Array | string, dict?: PdfDict): PdfRef;
  readonly byteLength: number;
  readonly objects: readonly WrittenObject[];
  readonly size: number;
}

interface WrittenObject {
  ref: PdfRef;
  chunks: Uint8Array[];
  byteLength: number;
}

/** Creates a writer whose numbers begin at `size`. Each object is put into bytes at once. */
export function createObjectWriter(size: number): ObjectWriter {
  const objects: WrittenObject[] = [];
  let next = size;
  let byteLength = 0;
  const writer: ObjectWriter = {
    reserve: () => ({ number: next++, generation: 0 }),
    put: (ref, object) => {
      const chunks = toChunks(ref, object);
      const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      byteLength += length;
      objects.push({ ref, chunks, byteLength: length });
    },
    add: (object) => {
      const ref = writer.reserve();
      writer.put(ref, object);
      return ref;
    },
    addDeflated: (data, dict = new Map()) => {
      return writer.add(makeDeflated(typeof data === 'string' ? latin1(data) : data, dict));
    },
    get byteLength() {
      return byteLength;
    },
    objects,
    get size() {
      return next;
    },
  };
  return writer;
}

function toChunks({ number, generation }: PdfRef, object: PdfObject): Uint8Array[] {
  const head = `${number} ${generation} obj\n`;
  if (!isStream(object)) return [latin1(`${head}${serialise(object)}\nendobj\n`)];
  return [latin1(`${head}${serialise(object.dict)}\nstream\n`), object.data, latin1('\nendstream\nendobj\n')];
}

function makeDeflated(bytes: Uint8Array, dict: PdfDict): PdfStream {
  const data = deflateSync(bytes);
  return { dict: new Map([...dict, ...makeDict({ Filter: '/FlateDecode', Length: data.length })]), data };
}

/** Writes a file of these objects alone. */
export function writeFile(writer: ObjectWriter, root: PdfRef): Uint8Array[] {
  // The second line tells programs that look at a file's beginning that it is not text.
  const header = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');
  const chunks: Uint8Array[] = [header, ...writer.objects.flatMap((object) => object.chunks)];
  const id = fingerprint(writer);
  const trailer = makeDict({ Size: writer.size, Root: root, ID: [id, id] });
  const offsets = locate(writer, header.length);
  chunks.push(latin1(writeTable(offsets, trailer, header.length + writer.byteLength, [[0, '0000000000 65535 f']])));
  return chunks;
}

/**
 * Appends an update with these objects to the file: an object of an old number takes the place of the older one. The
 * bytes of the file stay unchanged. Source: ISO 32000-2, 7.5.6.
 */
export function writeUpdate(file: PdfFile, writer: ObjectWriter): Uint8Array[] {
  const { bytes } = file;
  const gap = latin1('\n');
  const start = bytes.length + gap.length;
  const offsets = locate(writer, start);
  const chunks: Uint8Array[] = [bytes, gap, ...writer.objects.flatMap((object) => object.chunks)];
  const trailer: PdfDict = new Map();
  for (const key of ['Root', 'Info', 'ID']) {
    const value = file.trailer.get(key);
    if (value !== undefined) trailer.set(key, value);
  }
  const id = file.resolve(trailer.get('ID') ?? NULL);
  if (Array.isArray(id) && id[0] !== undefined) trailer.set('ID', [id[0], fingerprint(writer)]);
  trailer.set('Prev', String(file.startOfTable));
  trailer.set('Size', String(writer.size));
  const at = start + writer.byteLength;
  if (file.tableIsStream) chunks.push(...writeStreamTable(offsets, trailer, at, writer.size));
  else chunks.push(latin1(writeTable(offsets, trailer, at, [])));
  return chunks;
}

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

interface Located {
  number: number;
  generation: number;
  offset: number;
}

function locate(writer: ObjectWriter, start: number): Located[] {
  let offset = start;
  const located = writer.objects.map(({ ref, byteLength }) => {
    const place = { ...ref, offset };
    offset += byteLength;
    return place;
  });
  return located.sort((a, b) => a.number - b.number);
}

/** An identifier made of the objects, so that a document read twice gives the same file. */
function fingerprint(writer: ObjectWriter): string {
  const hash = createHash('sha256');
  for (const { chunks } of writer.objects) for (const chunk of chunks) hash.update(chunk);
  return `<${hash.digest('hex').slice(0, 32)}>`;
}

function writeTable(offsets: readonly Located[], trailer: PdfDict, at: number, first: [number, string][]): string {
  const rows: [number, string][] = [
    ...first,
    ...offsets.map(({ number, generation, offset }): [number, string] => [
      number,
      `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} n`,
    ]),
  ];
  const lines = ['xref'];
  for (const run of toRuns(rows, ([number]) => number)) {
    lines.push(`${run[0]?.[0]} ${run.length}`);
    // A row has twenty bytes, its end included.
    for (const [, row] of run) lines.push(`${row} `);
  }
  return `${lines.join('\n')}\ntrailer\n${serialise(trailer)}\nstartxref\n${at}\n%%EOF\n`;
}

function writeStreamTable(offsets: readonly Located[], trailer: PdfDict, at: number, size: number): Uint8Array[] {
  // The stream is an object too, and lists itself.
  const rows = [...offsets, { number: size, generation: 0, offset: at }];
  const data = Buffer.alloc(rows.length * 8);
  rows.forEach(({ generation, offset }, index) => {
    data.writeUInt8(1, index * 8);
    data.writeUIntBE(offset, index * 8 + 1, 5);
    data.writeUInt16BE(generation, index * 8 + 6);
  });
  const index = toRuns(rows, ({ number }) => number).flatMap((run) => [String(run[0]?.number), String(run.length)]);
  const dict = makeDict({ Type: '/XRef', Size: size + 1, Index: index, W: ['1', '5', '2'] });
  const stream = makeDeflated(data, new Map([...trailer, ...dict]));
  return [...toChunks({ number: size, generation: 0 }, stream), latin1(`startxref\n${at}\n%%EOF\n`)];
}

/** Groups rows whose numbers follow each other. */
function toRuns<T>(rows: readonly T[], numberOf: (row: T) => number): T[][] {
  const runs: T[][] = [];
  let last: number | undefined;
  for (const row of rows) {
    const number = numberOf(row);
    if (last === undefined || number !== last + 1) runs.push([]);
    runs.at(-1)?.push(row);
    last = number;
  }
  return runs;
}
