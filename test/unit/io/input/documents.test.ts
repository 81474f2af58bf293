import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { sniffBytes } from '../../../../src/engine/sniff.js';
import { countPages } from '../../../../src/io/input/count-pages.js';
import { openFile, unreadableInput } from '../../../../src/io/input/input-file.js';
import { acceptsType, sniffType } from '../../../../src/io/input/sniff-type.js';

const directory = mkdtempSync(join(tmpdir(), 'ocr-documents-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function write(name: string, content: string | Buffer): string {
  const path = join(directory, name);
  writeFileSync(path, typeof content === 'string' ? Buffer.from(content, 'latin1') : content);
  return path;
}

test.each<[string, string, string | undefined]>([
  ['a PDF', '%PDF-1.4', 'application/pdf'],
  ['a PDF behind other bytes', `${'\0x'.repeat(500)}%PDF-1.4`, 'application/pdf'],
  ['a PDF behind other lines', 'HTTP/1.1 200 OK\r\n\r\n%PDF-1.4', 'application/pdf'],
  ['a PDF too far behind', `${'x'.repeat(1_023)}\n%PDF-1.4`, undefined],
  ['a text that tells of PDFs', 'const head = "%PDF-1.4\\n";', undefined],
  ['a PNG', '\x89PNG\r\n\x1a\n', 'image/png'],
  ['a JPEG', '\xff\xd8\xff\xe0', 'image/jpeg'],
  ['a WebP', 'RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
  ['a TIFF', 'MM\0*\0\0\0\x08', 'image/tiff'],
  ['a GIF', 'GIF89a', 'image/gif'],
  ['a bitmap', `BM\x46\0\0\0\0\0\0\0\x36\0\0\0${'\0'.repeat(60)}`, 'image/bmp'],
  ['what only file-type knows', `\x1f\x8b\x08\0${'\0'.repeat(20)}`, 'application/gzip'],
  ['text', 'hello\n', undefined],
  ['nothing', '', undefined],
])('the bytes of $0 → the type $2', async (_, content, expected) => {
  expect(await sniffType(write('some.doc', content))).toBe(expected);
});

const SAMPLES = ['examples', 'test/fixtures'].flatMap((name) => {
  const folder = fileURLToPath(new URL(`../../../../${name}/`, import.meta.url));
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [[entry.name, join(folder, entry.name)] as const] : [],
  );
});

test.each(SAMPLES)('%s → the client and the engine name the same type', async (_, path) => {
  expect(await sniffType(path)).toBe(sniffBytes(readFileSync(path)));
});

test.each([
  ['a small document', 64 * 1024, true],
  ['a larger one', 64 * 1024 + 1, false],
])('%s → its size and SHA-256, and its bytes if they are few', async (_, length, isKept) => {
  const path = write('sized.pdf', 'x'.repeat(length));
  const { sizeBytes, sha256, bytes } = await openFile(path, AbortSignal.timeout(60_000));
  expect(sizeBytes).toBe(length);
  expect(sha256).toBe(createHash('sha256').update(readFileSync(path)).digest('hex'));
  expect(bytes?.length).toBe(isKept ? length : undefined);
});

test('a PDF behind words, with the extension .pdf → application/pdf', async () => {
  expect(await sniffType(write('some.pdf', 'saved by a gateway %PDF-1.4'))).toBe('application/pdf');
});

test.each<[string[], string | undefined, boolean]>([
  [['application/pdf'], 'application/pdf', true],
  [['application/pdf'], 'image/png', false],
  [['image/*'], 'image/png', true],
  [['*/*'], undefined, true],
  [['pdf', '.TIF'], 'image/tiff', true],
  [['image/jpg'], 'image/jpeg', true],
  [['text/plain'], undefined, true],
  [['application/pdf'], undefined, false],
])('accepted types %j and a file of type %s → %s', (accepted, type, expected) => {
  expect(acceptsType(accepted, type)).toBe(expected);
});

function pdf(count: string, changes = ''): string {
  const objects = [
    '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n',
    `2 0 obj <</Type/Pages/Kids[]/Count ${count}>> endobj\n`,
  ];
  let text = `%PDF-1.4\n${changes}`;
  const offsets = objects.map((object) => {
    const at = text.length;
    text += object;
    return at;
  });
  const entries = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  return `${text}xref\n0 3\n0000000000 65535 f \n${entries}trailer <</Size 3/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
}

test('a PDF with a plain cross-reference table → its page count; changed afterwards → the newer count', async () => {
  expect(await countPages(write('a.pdf', pdf('12')), 'application/pdf')).toBe(12);
  const first = pdf('12');
  const table = first.lastIndexOf('xref\n0 3');
  const at = first.length;
  const changed = `${first}2 0 obj <</Type/Pages/Count 13>> endobj\n`;
  const second = `${changed}xref\n2 1\n${String(at).padStart(10, '0')} 00000 n \ntrailer <</Root 1 0 R/Prev ${table}>>\nstartxref\n${changed.length}\n%%EOF`;
  expect(await countPages(write('b.pdf', second), 'application/pdf')).toBe(13);
});

test('a linearised PDF → the page count that it states; changed afterwards → none', async () => {
  const body = (length: number) => `%PDF-1.4\n1 0 obj <</Linearized 1/L ${length}/N 7>> endobj\n`.padEnd(200);
  expect(await countPages(write('l.pdf', body(200)), 'application/pdf')).toBe(7);
  expect(await countPages(write('l.pdf', body(199)), 'application/pdf')).toBeUndefined();
});

test.each(['', '%PDF-1.4', pdf('x'), pdf('1').replace('/Root 1', '/Root 9'), pdf('3').slice(0, 90)])(
  'a PDF whose page count cannot be found → none, no guess',
  async (content) => {
    expect(await countPages(write('x.pdf', content), 'application/pdf')).toBeUndefined();
  },
);

test('a TIFF → a page for each directory of its chain; a circle → no count', async () => {
  const directoryAt = (next: number) => {
    const buffer = Buffer.alloc(18);
    buffer.writeUInt16LE(1, 0);
    buffer.writeUInt32LE(next, 14);
    return buffer;
  };
  const tiff = (last: number) =>
    Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), directoryAt(26), directoryAt(last)]);
  expect(await countPages(write('t.tif', tiff(0)), 'image/tiff')).toBe(2);
  expect(await countPages(write('t.tif', tiff(8)), 'image/tiff')).toBeUndefined();
});

test.each([
  ['report.pdf', 'application/pdf'],
  ['pages.tiff', 'image/tiff'],
  ['photo.jpg', 'image/jpeg'],
])('the example %s → the type %s, and the right page count or none', async (name, type) => {
  const path = fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url));
  expect(await sniffType(path)).toBe(type);
  const { countPages: countByEngine } = await import('../../../../dist/engine/count-pages.js');
  const pageCount = await countByEngine(path, type, { maxPixels: 100_000_000 });
  expect([pageCount, undefined]).toContain(await countPages(path, type));
});

test('too many open files → FILE_UNREADABLE with a hint to lower --concurrency', () => {
  const error = unreadableInput('a.pdf', Object.assign(new Error('too many'), { code: 'EMFILE' }));
  expect(error).toMatchObject({ code: 'FILE_UNREADABLE', message: 'Cannot read a.pdf: too many files are open' });
  expect(error.hint).toContain('--concurrency');
});
