import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMultipartBody, type FileToSend } from '../../../../src/api/http/multipart.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ocr-multipart-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(content: Buffer | string, name = 'a.pdf'): FileToSend {
  const path = join(dir, 'document');
  writeFileSync(path, content);
  const { size: sizeBytes, mtimeMs } = statSync(path);
  return { path, name, sizeBytes, mtimeMs };
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // Copied, for the two buffers are used again and again.
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

test('arguments and a file → a body of args, then the file, of the length that it announces', async () => {
  const content = Buffer.from([0, 1, 13, 10, 45, 45, 255]);
  const body = createMultipartBody(write(content), { format: 'markdown', pages: [1, 2] });
  const sent = await collect(body.stream());
  const boundary = body.contentType.replace('multipart/form-data; boundary=', '');
  expect(boundary.length).toBeLessThanOrEqual(70);
  const expected = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="args"\r\n\r\n{"format":"markdown","pages":[1,2]}\r\n` +
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    ),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  expect(sent.equals(expected)).toBe(true);
  expect(body.contentLength).toBe(expected.length);
});

test('a body → Node’s form parser reads the same arguments, file and file name', async () => {
  const content = Buffer.alloc(3_000_000, 'x1');
  const body = createMultipartBody(write(content, 'Größe "1"\r\n.pdf'), {});
  const response = new Response(Uint8Array.from(await collect(body.stream())), {
    headers: { 'content-type': body.contentType },
  });
  const form = await response.formData();
  expect(form.get('args')).toBe('{}');
  expect([...form.keys()].sort()).toEqual(['args', 'file']);
  const file = form.get('file') as File;
  expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);
  expect(file.name).toBe('Größe "1"\r\n.pdf');
});

test('two attempts → the file is read for each', async () => {
  const body = createMultipartBody(write('again'), {});
  expect((await collect(body.stream())).equals(await collect(body.stream()))).toBe(true);
});

test('a file that was kept when it was first read → sent as it was, in one piece, without a look at the file', async () => {
  const file = { ...write('as it was'), bytes: Buffer.from('as it was') };
  rmSync(file.path);
  const body = createMultipartBody(file, {});
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.stream()) chunks.push(chunk);
  expect(chunks).toHaveLength(1);
  expect(String(chunks[0])).toContain('\r\n\r\nas it was\r\n--');
  expect(chunks[0]).toHaveLength(body.contentLength);
});

test('a large file → read through two buffers', async () => {
  const body = createMultipartBody(write(Buffer.alloc(5 * 1024 * 1024)), {});
  const memories = new Set<ArrayBufferLike>();
  for await (const chunk of body.stream()) if (chunk.length > 100_000) memories.add(chunk.buffer);
  expect(memories.size).toBe(2);
});

test.each<[string, (file: FileToSend) => void]>([
  ['grew', (file) => writeFileSync(file.path, 'longer than before')],
  ['shrank', (file) => writeFileSync(file.path, 'x')],
  ['was written again', (file) => utimesSync(file.path, 1, 1)],
])('a file that %s after its SHA-256 was taken → FILE_CHANGED', async (_, change) => {
  const file = write('as it was');
  change(file);
  await expect(collect(createMultipartBody(file, {}).stream())).rejects.toMatchObject({ code: 'FILE_CHANGED' });
});
