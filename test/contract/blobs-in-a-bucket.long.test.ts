import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeS3, startFakeS3 } from '../support/fake-s3.js';
import { until } from '../support/until.js';
import { call } from './support/http.js';
import { HOSTILE_PROGRAM } from './support/running-service.js';
import { type SpawnedService, spawnService } from './support/spawned-service.js';
import { killDuringUploads, useDataDirs } from './survival-suite.js';

const createDataDir = useDataDirs();
const LARGE = 'x'.repeat(200_000);

let fake: FakeS3;
let dataDir: string;
let log: Buffer[];
beforeEach(async () => {
  fake = await startFakeS3({ pageSize: 5 });
  dataDir = createDataDir();
  log = [];
});
afterEach(() => fake.close());

const start = (settings: object = {}): Promise<SpawnedService> =>
  spawnService(dataDir, { blobsUrl: fake.url, ...settings }, HOSTILE_PROGRAM, { env: fake.env, log });
const keysOf = (kind: string) => [...fake.objects.keys()].filter((key) => key.includes(`/${kind}_`));
const logText = () => Buffer.concat(log).toString();

test('a large document with a large result → in the bucket; the result is answered from there', async () => {
  const service = await start();
  const answer = await service.client.submit(`%PDF-1.4 TEXT=${LARGE}`);
  expect(answer.json.result.text).toBe(LARGE);
  const [document = '', result = ''] = [...keysOf('doc'), ...keysOf('res')];
  // The first part behind the prefix is the name of the store.
  expect(document).toMatch(/^some\/prefix\/[0-9A-Z]{26}\/doc_[0-9A-Z]{26}$/);
  expect(result).toMatch(/^some\/prefix\/[0-9A-Z]{26}\/res_[0-9A-Z]{26}$/);
  const body = JSON.stringify({ text: LARGE });
  expect(gunzipSync(fake.objects.get(result) as Buffer).toString()).toBe(body);
  expect(readdirSync(join(dataDir, 'documents'))).toEqual([]);
  // A second time from the cache.
  const cached = await service.client.submit(`%PDF-1.4 TEXT=${LARGE}`);
  expect([cached.json.meta.cached, cached.json.result.text]).toEqual([true, LARGE]);
  // A small one needs no bucket.
  await fake.stop();
  expect((await service.client.submit('%PDF-1.4 TEXT=small')).json.result.text).toBe('small');
});

test('DELETE of a finished job → its document and its result are gone from the bucket', async () => {
  const service = await start();
  const { json } = await service.client.submit(`%PDF-1.4 TEXT=${LARGE}`, { headers: { prefer: 'respond-async' } });
  await service.client.waitForJob(json.jobId);
  expect(fake.objects.size).toBe(2);
  const deleted = await call(`${service.url}/v1/ocr/jobs/${json.jobId}`, {
    method: 'DELETE',
    headers: { 'x-api-key': service.key },
  });
  expect(deleted.status).toBe(200);
  expect([...fake.objects.keys()]).toEqual([]);
  expect((await service.client.get(`/v1/ocr/jobs/${json.jobId}`)).status).toBe(410);
});

test('a bucket that is away → 503 at intake, and no file stays', async () => {
  const service = await start();
  await fake.stop();
  const refused = await service.client.submit(`%PDF-1.4 ${LARGE}`);
  expect([refused.status, refused.json.error.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
  expect(refused.headers['retry-after']).toBe('5');
  // The caller learns that it may come again, the operator which bucket it is.
  expect(refused.text).not.toContain('ocr-test');
  expect(logText()).toMatch(/PUT some\/prefix\/\S+ in the bucket ocr-test at http:[^"]*ECONNREFUSED/);
  for (const name of ['incoming', 'documents']) expect(readdirSync(join(dataDir, name))).toEqual([]);
  await fake.start();
  expect((await service.client.submit(`%PDF-1.4 TEXT=a ${LARGE}`)).json.result.text).toBe('a');
});

test('a job whose document cannot be read now → given back without an attempt, done once it can', async () => {
  const service = await start({ jobMaxAttempts: 1 });
  // The answers to five attempts are one look at the bucket.
  fake.fail({ method: 'GET', times: 15, status: 503, code: 'SlowDown' });
  const { json } = await service.client.submit(`%PDF-1.4 TEXT=b ${LARGE}`, { headers: { prefer: 'respond-async' } });
  const { json: job } = await service.client.waitForJob(json.jobId);
  expect(job).toMatchObject({ status: 'completed', result: { text: 'b' } });
  expect(logText()).toContain('"outcome":"unavailable"');
  expect(logText()).toMatch(/GET some\/prefix\/\S+ in the bucket ocr-test [^"]*503 SlowDown/);
});

test('a result that cannot be stored now → held, and stored once', async () => {
  const service = await start();
  const { json } = await service.client.submit(`%PDF-1.4 TEXT=${LARGE}`, {
    headers: { prefer: 'respond-async' },
  });
  fake.fail({ method: 'PUT', times: 7, status: 500, code: 'InternalError' });
  const { json: job } = await service.client.waitForJob(json.jobId);
  expect(job.result.text).toBe(LARGE);
  expect(keysOf('res')).toHaveLength(1);
});

test('a kill between the object and its row → nothing acknowledged, nothing lost; the object stays for a sweep', async () => {
  const first = await start();
  const stored = fake.hold('PUT');
  const cut = first.client.submit(`%PDF-1.4 TEXT=c ${LARGE}`).catch(() => 'cut off');
  await stored;
  await first.kill('SIGKILL');
  expect(await cut).toBe('cut off');
  fake.release();
  expect(keysOf('doc')).toHaveLength(1);
  const second = await start();
  expect((await second.client.submit(`%PDF-1.4 TEXT=c ${LARGE}`)).json.result.text).toBe('c');
  // The name of the store has stayed the same, so its sweep finds what the first process left. It is younger than a day.
  expect(new Set(keysOf('doc').map((key) => key.split('/')[2])).size).toBe(1);
  expect(keysOf('doc')).toHaveLength(2);
});

test('kill -9 during uploads into a bucket → acknowledged jobs complete', async () => {
  await killDuringUploads(dataDir, { settings: { blobsUrl: fake.url }, env: fake.env });
});

test('a service that was without a bucket → its unfinished documents are read all the same', async () => {
  const gate = join(dataDir, 'gate');
  const first = await spawnService(dataDir, {}, HOSTILE_PROGRAM);
  const { json } = await first.client.submit(
    `%PDF-1.4 DO=wait GATE=${gate} MARKER=${join(dataDir, 'm')} TEXT=d ${LARGE}`,
    {
      headers: { prefer: 'respond-async' },
    },
  );
  await until(() => readdirSync(dataDir).includes('m'));
  await first.kill('SIGTERM');
  expect(readdirSync(join(dataDir, 'documents'))).toHaveLength(1);
  const second = await start();
  expect((await second.client.waitForJob(json.jobId)).json.result.text).toBe('d');
  expect(readdirSync(join(dataDir, 'documents'))).toEqual([]);
});
