import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openS3Client, type S3Client } from '../../dist/store/blobs/s3/client.js';
import { locateBucket, type S3Location } from '../../dist/store/blobs/s3/location.js';
import { type FakeS3, startFakeS3 } from '../support/fake-s3.js';

let fake: FakeS3;
let clients: S3Client[] = [];
let pauses: number[] = [];
beforeEach(async () => {
  fake = await startFakeS3({ pageSize: 10 });
  pauses = [];
});
afterEach(async () => {
  for (const client of clients) await client.close();
  clients = [];
  await fake.close();
});

async function open(changes: Partial<S3Location> = {}, now: () => number = Date.now): Promise<S3Client> {
  const client = await openS3Client({
    location: { ...locateBucket(fake.url, fake.env), ...changes },
    now,
    sleep: async (ms) => pauses.push(ms),
  });
  clients.push(client);
  return client;
}

const BYTES = Buffer.from('the bytes of a document'.repeat(10_000));
const bodyOf = (bytes: Buffer, sha256 = createHash('sha256').update(bytes).digest('hex')) => ({
  sizeBytes: bytes.length,
  sha256,
  open: () => bytes,
});
const read = async (chunks: AsyncIterable<Uint8Array>) => {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
};

test('an object → put, got, listed and removed, each with a signature that the server takes', async () => {
  const client = await open();
  await client.put('some/prefix/doc_1', bodyOf(BYTES));
  expect(fake.objects.get('some/prefix/doc_1')?.equals(BYTES)).toBe(true);
  expect((await client.get('some/prefix/doc_1', read)).equals(BYTES)).toBe(true);
  await client.remove('some/prefix/doc_1');
  await client.remove('some/prefix/doc_1');
  await expect(client.get('some/prefix/doc_1', read)).rejects.toThrow(
    expect.objectContaining({ name: 'BlobMissingError' }),
  );
  expect(pauses).toEqual([]);
});

test('keys beyond a page → all listed, by continuation tokens', async () => {
  const keys = Array.from({ length: 43 }, (_, i) => `a/doc_${String(i).padStart(3, '0')}`);
  for (const key of [...keys, 'a/other', 'b/doc_1']) fake.objects.set(key, Buffer.alloc(1));
  const pages: string[][] = [];
  for await (const page of (await open()).list('a/doc_')) pages.push(page);
  expect(pages.flat()).toEqual(keys);
  expect(pages).toHaveLength(5);
});

test.each([
  ['a wrong secret', { secretAccessKey: 'wrong' }, 0, '403 SignatureDoesNotMatch', 'AWS_SECRET_ACCESS_KEY'],
  ['an unknown key', { accessKeyId: 'wrong' }, 0, '403 InvalidAccessKeyId', 'AWS_ACCESS_KEY_ID'],
  ['a wrong region', { region: 'us-east-1' }, 0, '400 AuthorizationHeaderMalformed', 'AWS_REGION'],
  ['a clock behind', {}, -16 * 60_000, '403 RequestTimeTooSkewed', 'clocks'],
  ['a clock ahead', {}, 16 * 60_000, '403 RequestTimeTooSkewed', 'clocks'],
])('%s → refused at once: what failed, where, what to do', async (_, changes, skewMs, reason, advice) => {
  const client = await open(changes, () => Date.now() + skewMs);
  const failure = await client.put('doc_1', bodyOf(BYTES)).catch((error: Error) => error);
  expect(failure).toMatchObject({ name: 'BlobsUnavailableError', needsOperator: true });
  expect((failure as Error).message).toContain(`PUT doc_1 in the bucket ocr-test at http://127.0.0.1:`);
  expect((failure as Error).message).toContain(reason);
  expect((failure as Error).message).toContain(advice);
  expect((failure as Error).message).not.toContain('wJalr');
  expect([fake.objects.size, pauses.length]).toEqual([0, 0]);
});

test('a bucket that does not exist → said so, for an object too', async () => {
  const client = await open({ bucketUrl: locateBucket(fake.url, fake.env).bucketUrl.replace('ocr-test', 'other') });
  await expect(client.get('doc_1', read)).rejects.toThrow(/404 NoSuchBucket.*create the bucket/);
});

test('clocks 5 minutes apart → taken', async () => {
  await (await open({}, () => Date.now() - 300_000)).put('doc_1', bodyOf(BYTES));
});

test('bytes that are not those of the digest → refused, and never stored', async () => {
  const wrong = createHash('sha256').update('other').digest('hex');
  const put = (await open()).put('doc_1', bodyOf(BYTES, wrong));
  await expect(put).rejects.toThrow(/XAmzContentSHA256Mismatch.*after 5 attempts/);
  expect(fake.objects.size).toBe(0);
});

test.each([
  ['500', 500, 'InternalError'],
  ['503 SlowDown', 503, 'SlowDown'],
  ['503 without a body', 503, ''],
  ['429', 429, 'TooManyRequests'],
])('%s three times → tried again, ever later', async (_, status, code) => {
  const client = await open();
  for (const method of ['PUT', 'GET', 'DELETE']) {
    pauses = [];
    fake.fail({ method, times: 3, status, code });
    if (method === 'PUT') await client.put('doc_1', bodyOf(BYTES));
    else if (method === 'GET') expect((await client.get('doc_1', read)).length).toBe(BYTES.length);
    else await client.remove('doc_1');
    expect(pauses).toHaveLength(3);
    for (const [i, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(50 * 2 ** i);
      expect(pause).toBeLessThanOrEqual(100 * 2 ** i);
    }
  }
});

test('a storage that stays away → an error that may pass, with the last reason', async () => {
  fake.fail({ method: 'PUT', times: 5, status: 503, code: 'SlowDown' });
  const client = await open();
  const put = client.put('doc_1', bodyOf(BYTES));
  await expect(put).rejects.toThrow(/PUT doc_1 in the bucket ocr-test .*503 SlowDown.*after 5 attempts/);
  await expect(put).rejects.toMatchObject({ name: 'BlobsUnavailableError', needsOperator: false });
  await fake.stop();
  await expect(client.get('doc_1', read)).rejects.toThrow(/GET doc_1 .*ECONNREFUSED.*after 5 attempts/);
  await fake.start();
  await client.put('doc_2', bodyOf(BYTES));
});

test('an object that breaks off → got again from its start', async () => {
  const client = await open();
  await client.put('doc_1', bodyOf(BYTES));
  fake.fail({ method: 'GET', times: 2, cutAfter: 1_000 });
  expect((await client.get('doc_1', read)).equals(BYTES)).toBe(true);
  expect(pauses).toHaveLength(2);
});

test('an error of the reader → passed on, not tried again', async () => {
  const client = await open();
  await client.put('doc_1', bodyOf(BYTES));
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  await expect(client.get('doc_1', () => Promise.reject(full))).rejects.toBe(full);
  expect(pauses).toEqual([]);
});

test('128 MiB, in and out → never the whole in memory', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-s3-test-'));
  try {
    const bytes = randomBytes(128 * 1024 * 1024);
    writeFileSync(join(directory, 'document'), bytes);
    const { sha256, sizeBytes } = bodyOf(bytes);
    const facts = JSON.stringify({ id: 'doc_01ARZ3NDEKTSV4RRFFQ69G5FAV', sizeBytes, sha256 });
    const mover = fileURLToPath(new URL('./support/blob-mover.mjs', import.meta.url));
    for (const [direction, name] of [
      ['put', 'document'],
      ['get', 'got'],
    ] as const) {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [mover, fake.url, direction, facts, join(directory, name)],
        { env: { ...process.env, ...fake.env } },
      );
      const { before, most } = JSON.parse(stdout) as { before: number; most: number };
      expect(most - before).toBeLessThan(112);
    }
    expect(readFileSync(join(directory, 'got')).equals(bytes)).toBe(true);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
