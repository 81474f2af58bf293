import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../contract/support/running-service.js';
import { documents, examples } from '../fixtures/manifest.js';
import { runInProcess } from '../support/run-in-process.js';
import { type Serving, startServe } from '../support/serve.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';

/** A hundred scanned pages, other bytes each time: the job is unfinished for as long as a test takes. */
const longScan = () =>
  Buffer.concat([readFileSync(documents.hundredScanned.path), Buffer.from(`\n% ${Math.random()}\n`)]);
const report = () => Buffer.concat([readFileSync(examples.report.path), Buffer.from(`\n% ${Math.random()}\n`)]);
const ASYNC = { headers: { prefer: 'respond-async' } };

let service: TemporaryHome;
let serving: Serving;
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  service = createHome();
  serving = await startServe(service, ['--port', '0', '--workers', '1']);
  client = createClient(serving.url, readFileSync(join(service.dataDir, 'api-key'), 'utf8').trim());
});
afterAll(async () => {
  await serving.stop();
  service.remove();
});

const startLongJob = async (): Promise<string> => (await client.submit(longScan(), ASYNC)).json.jobId;
const startShortJob = async (): Promise<string> => {
  const { json } = await client.submit(report(), ASYNC);
  await client.waitForJob(json.jobId);
  return json.jobId;
};
const stateOf = async (jobId: string) => (await client.get(`/v1/ocr/jobs/${jobId}`)).json;
const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('ocr admin jobs', () => {
  const adminRun = (...args: string[]) => runInProcess(['admin', ...args], { home: service });
  const admin = (...args: string[]) => adminRun('jobs', ...args);

  test('cancel → the job fails as CANCELLED at the running service; again → the same', async () => {
    const jobId = await startLongJob();
    for (let i = 0; i < 2; i++)
      expect(await admin('cancel', jobId)).toMatchObject({ exitCode: 0, stdout: '', stderr: `Cancelled ${jobId}\n` });
    expect(await stateOf(jobId)).toMatchObject({ status: 'failed', error: { code: 'CANCELLED', retryable: false } });
  });

  test('cancel of a finished job → 1, its result kept; delete → 410, one line each with --json', async () => {
    const jobId = await startShortJob();
    expect(await admin('cancel', jobId)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/has ended \(completed\)[\s\S]*Try: ocr admin jobs get job_/),
    });
    expect(await stateOf(jobId)).toMatchObject({ status: 'completed', result: { text: expect.any(String) } });
    const unfinished = await startLongJob();
    const run = await admin('delete', '--json', jobId, 'job_x', unfinished);
    expect(run.exitCode).toBe(8);
    expect(lines(run.stdout)).toMatchObject([
      { jobId, status: 'completed', hasResult: false, deletedAt: expect.any(String), deleted: true },
      { jobId: 'job_x', error: { code: 'NOT_FOUND' } },
      { jobId: unfinished, status: 'failed', error: { code: 'CANCELLED' }, deleted: true },
    ]);
    const gone = await client.get(`/v1/ocr/jobs/${jobId}`);
    expect(gone.status).toBe(410);
    // Lists show that it was deleted.
    const requestId = JSON.parse((await adminRun('jobs', 'get', jobId, '--json')).stdout).requestId;
    const entry = (await client.get(`/v1/ocr/requests/${requestId}`)).json;
    expect(entry).toMatchObject({ jobStatus: 'completed', jobDeletedAt: expect.any(String) });
    expect((await adminRun('jobs', 'list')).stdout).toContain(`${jobId}\tdeleted\t`);
    expect((await adminRun('requests', 'list')).stdout).toMatch(new RegExp(`^${requestId}\t.*\tdeleted\t`, 'm'));
    for (const kind of [
      ['jobs', 'get', jobId],
      ['requests', 'get', requestId],
    ])
      expect((await adminRun(...kind)).stdout, kind.join()).toMatch(/^Result\s+deleted 20/m);
    expect(await admin('delete', jobId)).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining('no longer kept'),
    });
  });
});

describe('ocr local stop --cancel', () => {
  test('a running service → stopped, what is unfinished cancelled; a second time → none', async () => {
    const home = createHome();
    try {
      const run = (...args: string[]) => runInProcess(args, { home });
      const queued = await run('extract', '--no-wait', documents.hundredScanned.path, examples.report.path);
      expect(queued.exitCode).toBe(0);
      const stopped = await run('local', 'stop', '--cancel', '--json');
      expect(JSON.parse(stopped.stdout)).toMatchObject({ stopped: true, cancelled: expect.any(Number) });
      expect(JSON.parse(stopped.stdout).cancelled).toBeGreaterThan(0);
      expect(await run('local', 'stop', '--cancel')).toMatchObject({
        exitCode: 0,
        stderr: 'No service is running on this machine. There were no unfinished jobs.\n',
      });
      const [scan = ''] = queued.stdout.split('\n');
      // Without the service, which is not there to be asked.
      expect((await run('jobs', 'list')).stdout).toContain(`${scan}\tfailed\t`);
      expect((await run('jobs', 'list', '--unfinished', '--json')).stdout.trim()).toBe('[]');
      expect(JSON.parse((await run('jobs', 'wait', scan, '--json')).stdout)).toMatchObject({
        error: { code: 'CANCELLED', retryable: false },
      });
      expect((await run('jobs', 'wait', scan)).exitCode).toBe(1);
    } finally {
      await runInProcess(['local', 'stop'], { home });
      home.remove();
    }
  });

  test('a machine without a service → nothing to stop, nothing made', async () => {
    const home = createHome();
    try {
      const run = await runInProcess(['local', 'stop', '--cancel', '--json'], { home });
      expect(JSON.parse(run.stdout)).toEqual({ stopped: false, cancelled: 0 });
    } finally {
      home.remove();
    }
  });
});
