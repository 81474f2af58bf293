import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { examples } from '../fixtures/manifest.js';
import { startFakeS3 } from '../support/fake-s3.js';
import { clientOf, createServiceHome, startOwnService } from '../support/own-service.js';
import { runCli } from '../support/run-cli.js';

const LARGE = readFileSync(examples.scanned.path);

async function startBucket() {
  const fake = await startFakeS3();
  onTestFinished(() => fake.close());
  return fake;
}

test.each<[string, string, Record<string, string>, string]>([
  ['another URL', 'https://bucket', {}, 'blobsUrl from flag --blobs-url: expected s3://'],
  ['a URL with a key', 's3://id:planted@bucket', {}, 'it must not hold a key: set AWS_ACCESS_KEY_ID'],
  ['no region', 's3://bucket', {}, 'blobsUrl cannot be used: AWS_REGION is not set'],
  ['no key', 's3://bucket', { AWS_REGION: 'r' }, 'blobsUrl cannot be used: AWS_ACCESS_KEY_ID is not set'],
])('%s → exit code 2, in words', async (_, url, env, message) => {
  const run = await runCli(['serve', '--port', '0', '--blobs-url', url], { home: createServiceHome(), env });
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
  expect(run.stderr).not.toContain('planted');
});

test('a wrong secret, a bucket that does not exist → exit code 2, naming bucket and remedy, never the secret', async () => {
  const fake = await startBucket();
  const home = createServiceHome();
  const env = { ...fake.env, AWS_SECRET_ACCESS_KEY: 'planted-secret' };
  const wrong = await runCli(['serve', '--port', '0', '--blobs-url', fake.url], { home, env });
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wrong.stderr).toMatch(/in the bucket ocr-test at http:.*SignatureDoesNotMatch.*correct AWS_SECRET_ACCESS_KEY/);
  expect(wrong.stderr).not.toContain('planted-secret');
  const other = fake.url.replace('ocr-test', 'other');
  const missing = await runCli(['serve', '--port', '0', '--blobs-url', other], { home, env: fake.env });
  expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/NoSuchBucket.*create the bucket/) });
});

test('a bucket that is away at the start → the service starts, and takes large documents once it is back', async () => {
  const fake = await startBucket();
  await fake.stop();
  const serving = await startOwnService(createServiceHome(), fake.env, ['--blobs-url', fake.url]);
  const later = { headers: { prefer: 'respond-async' } };
  expect((await clientOf(serving).submit(LARGE, later)).status).toBe(503);
  await fake.start();
  expect((await clientOf(serving).submit(LARGE, later)).status).toBe(202);
  expect(await serving.stop()).toBe(0);
});

test('a copy of a service with a bucket → documents in the bucket are not missing', async () => {
  const fake = await startBucket();
  const home = createServiceHome();
  const serving = await startOwnService(home, fake.env, ['--blobs-url', fake.url]);
  void fake.hold('GET');
  const { json } = await clientOf(serving).submit(LARGE, { headers: { prefer: 'respond-async' } });
  const env = { ...fake.env, OCR_SERVE_BLOBS_URL: fake.url, OCR_SERVE_DATA_DIR: serving.dataDir };
  const copy = await runCli(['admin', 'backup', join(home.dir, 'copy'), '--json'], { home, env });
  expect(JSON.parse(copy.stdout)).toMatchObject({ jobs: 1, documents: 0, missingDocuments: 0 });
  // An administrator's removal takes the object along.
  const cancelled = await runCli(['admin', 'jobs', 'cancel', json.jobId, '--json'], { home, env });
  expect(cancelled.exitCode, cancelled.stderr).toBe(0);
  expect([...fake.objects.keys()]).toEqual([]);
  fake.release();
  expect(await serving.stop()).toBe(0);
});
