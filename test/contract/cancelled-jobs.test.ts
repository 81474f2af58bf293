import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelAnyJob } from '../../dist/service/administration/jobs.js';
import { loadServiceConfig } from '../../dist/service/config/service-config.js';
import { one } from '../../dist/store/unit.js';
import { call } from './support/http.js';
import { type Beside, openBeside, type TestOrganisation } from './support/organisations.js';
import { HOSTILE_PROGRAM, startTestService, type TestService, waitForNoBlobs } from './support/running-service.js';
import { isRunning, spawnService } from './support/spawned-service.js';
import { countLines, makeDocument } from './support/test-documents.js';
import { useDataDirs } from './survival-suite.js';

const ASYNC = { headers: { prefer: 'respond-async' } };
const PATIENCE = { interval: 10 };

let running: TestService;
let beside: Beside;
let unique = 0;

beforeAll(async () => {
  running = await startTestService({ documentProgram: HOSTILE_PROGRAM, config: { workers: 1 } });
  beside = await openBeside(running);
});
afterAll(async () => {
  await beside.close();
  await running.remove();
});

const remove = (key: string, jobId: string, headers: Record<string, string> = {}) =>
  call(`${running.url}/v1/ocr/jobs/${jobId}`, { method: 'DELETE', headers: { 'x-api-key': key, ...headers } });
const IF_UNFINISHED = { prefer: 'if-unfinished' };
const jobOf = (organisation: Pick<TestOrganisation, 'get'>, jobId: string) => organisation.get(`/v1/ocr/jobs/${jobId}`);

/** Submits a document that is read until `open` is called, and waits until it is being read. */
async function submitGated(organisation: TestOrganisation, text = 'gated') {
  const gate = join(running.dataDir, `gate-${unique++}`);
  const marker = `${gate}-marker`;
  const file = makeDocument(`DO=wait GATE=${gate} MARKER=${marker} TEXT=${text}`);
  const { json } = await organisation.submit(file, ASYNC);
  await expect.poll(() => existsSync(marker), PATIENCE).toBe(true);
  return { jobId: String(json.jobId), pid: Number(readFileSync(marker, 'utf8')), open: () => writeFileSync(gate, '') };
}

const CANCELLED = {
  status: 'failed',
  finishedAt: expect.any(String),
  error: { code: 'CANCELLED', message: expect.any(String), retryable: false },
};

describe('an unfinished job', () => {
  test('running → failed as CANCELLED, its process ended, billed, the worker free', async () => {
    const organisation = await beside.add();
    const { jobId, pid } = await submitGated(organisation);
    const answer = await remove(organisation.key, jobId);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      jobId,
      function: 'TEXT_EXTRACTION',
      startedAt: expect.any(String),
      ...CANCELLED,
    });
    await expect.poll(() => isRunning(pid), PATIENCE).toBe(false);
    expect((await jobOf(organisation, jobId)).json).toMatchObject(CANCELLED);
    expect(await beside.countUsage(organisation.id)).toBe(1);
    expect((await organisation.submit(makeDocument('TEXT=next'))).json.result).toEqual({ text: 'next' });
    expect(await waitForNoBlobs(running.dataDir)).toEqual([]);
  });

  test('waiting → failed as CANCELLED, never begun, not billed', async () => {
    const organisation = await beside.add();
    const gate = join(running.dataDir, `gate-${unique++}`);
    const jobIds: string[] = [];
    // More than run at once.
    for (let i = 0; i < 8; i++) {
      const { json } = await organisation.submit(makeDocument(`DO=wait GATE=${gate} TEXT=waits-${i}`), ASYNC);
      jobIds.push(json.jobId);
    }
    const waiting = jobIds.at(-1) ?? '';
    expect((await jobOf(organisation, waiting)).json.status).toBe('queued');
    const answer = await remove(organisation.key, waiting);
    expect(answer.json).toMatchObject(CANCELLED);
    expect(answer.json).not.toHaveProperty('startedAt');
    expect(await beside.countUsage(organisation.id)).toBe(7);
    writeFileSync(gate, '');
    for (const jobId of jobIds.slice(0, -1))
      expect((await organisation.waitForJob(jobId)).json.status).toBe('completed');
    expect(await waitForNoBlobs(running.dataDir)).toEqual([]);
    expect((await jobOf(organisation, waiting)).json).toMatchObject(CANCELLED);
  });

  test('whose pages are being counted → failed as CANCELLED; the file is no suspect afterwards', async () => {
    const counting = await startTestService({
      documentProgram: HOSTILE_PROGRAM,
      config: { workers: 1, inlineTimeoutMs: 100 },
    });
    try {
      const counts = join(counting.dataDir, 'counts');
      const gate = join(counting.dataDir, 'count-gate');
      const hanging = (text: string) => makeDocument(`COUNT=wait COUNT_GATE=${gate} COUNTS=${counts} TEXT=${text}`);
      // An organisation has half of the counters, which is two here: the third document becomes a job without a count.
      const first = counting.submit(hanging('first'), ASYNC);
      const other = counting.submit(hanging('other'), ASYNC);
      await expect.poll(() => countLines(counts), PATIENCE).toBe(2);
      const file = hanging('third');
      const { json, status } = await counting.submit(file, ASYNC);
      expect(status).toBe(202);
      await expect.poll(() => countLines(counts), PATIENCE).toBe(3);
      const answer = await call(`${counting.url}${json.statusUrl}`, {
        method: 'DELETE',
        headers: { 'x-api-key': counting.key },
      });
      expect(answer.json).toMatchObject(CANCELLED);
      await expect.poll(() => counting.listBlobs().length, PATIENCE).toBe(2);
      writeFileSync(gate, '');
      const firstJob = (await first).json.jobId;
      expect((await counting.waitForJob((await other).json.jobId)).json.result).toEqual({ text: 'other' });
      expect((await counting.waitForJob(firstJob)).json.result).toEqual({ text: 'first' });
      const again = await counting.submit(file, ASYNC);
      expect((await counting.waitForJob(again.json.jobId)).json.result).toEqual({ text: 'third' });
    } finally {
      await counting.remove();
    }
  });

  test('a second DELETE → 200 with the same job', async () => {
    const organisation = await beside.add();
    const { jobId } = await submitGated(organisation);
    const first = await remove(organisation.key, jobId);
    const again = await remove(organisation.key, jobId);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.json).toEqual(first.json);
    expect(await beside.countUsage(organisation.id)).toBe(1);
  });

  test('a call that waits inline for it → 409 CANCELLED, and its replay too', async () => {
    const organisation = await beside.add();
    const gate = join(running.dataDir, `gate-${unique++}`);
    const file = makeDocument(`DO=wait GATE=${gate} TEXT=inline`);
    const headers = { 'idempotency-key': `inline-${unique++}` };
    const waiting = organisation.submit(file, { headers });
    const findJob = async () =>
      await beside.store.read(
        one<{ id: string }>('SELECT id FROM job WHERE organisation_id = :id', { id: organisation.id }),
      );
    await expect.poll(async () => (await findJob())?.id, PATIENCE).toBeDefined();
    await remove(organisation.key, (await findJob())?.id ?? '');
    const answer = await waiting;
    expect([answer.status, answer.json.error.code, answer.json.error.retryable]).toEqual([409, 'CANCELLED', false]);
    expect((await organisation.submit(file, { headers })).json.error.code).toBe('CANCELLED');
  });

  test('a held poll → answered at once', async () => {
    const organisation = await beside.add();
    const { jobId } = await submitGated(organisation);
    const held = call(`${running.url}/v1/ocr/jobs/${jobId}`, {
      headers: { 'x-api-key': organisation.key, prefer: 'wait=30' },
    });
    await remove(organisation.key, jobId);
    expect((await held).json).toMatchObject(CANCELLED);
  });

  test('cancelled by another process on the store → its process ended, its caller answered', async () => {
    const organisation = await beside.add();
    const gate = join(running.dataDir, `gate-${unique++}`);
    const marker = `${gate}-marker`;
    const waiting = organisation.submit(makeDocument(`DO=wait GATE=${gate} MARKER=${marker} TEXT=beside`));
    await expect.poll(() => existsSync(marker), PATIENCE).toBe(true);
    const pid = Number(readFileSync(marker, 'utf8'));
    const { id: jobId } = (await beside.store.read(
      one<{ id: string }>('SELECT id FROM job WHERE organisation_id = :id', {
        id: organisation.id,
      }),
    )) ?? { id: '' };
    const { config } = loadServiceConfig({ flags: { dataDir: running.dataDir }, env: {} });
    expect(await cancelAnyJob({ store: beside.store, config }, jobId)).toMatchObject({ status: 'failed' });
    expect((await waiting).json.error.code).toBe('CANCELLED');
    await expect.poll(() => isRunning(pid), PATIENCE).toBe(false);
  });

  test('a completion at the same time → one of both, the same everywhere', async () => {
    const organisation = await beside.add();
    for (let round = 0; round < 20; round++) {
      const { jobId, open } = await submitGated(organisation, `race-${round}`);
      open();
      const answer = await remove(organisation.key, jobId, IF_UNFINISHED);
      expect(answer.status).toBe(200);
      const { json } = await organisation.waitForJob(jobId);
      expect(json.status).toBe(answer.json.status);
      expect(json.result !== undefined).toBe(json.status === 'completed');
      if (json.status === 'failed') expect(json.error.code).toBe('CANCELLED');
    }
    expect(await waitForNoBlobs(running.dataDir)).toEqual([]);
  });
});

describe('a finished job', () => {
  test('its result and its cached answer → removed at once; 410 from then on, for a second DELETE too', async () => {
    const organisation = await beside.add();
    const file = makeDocument('TEXT=once');
    const { json } = await organisation.submit(file, ASYNC);
    expect((await organisation.waitForJob(json.jobId)).json.result).toEqual({ text: 'once' });
    expect((await organisation.submit(file)).json.meta.cached).toBe(true);
    const answer = await remove(organisation.key, json.jobId);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ jobId: json.jobId, status: 'completed' });
    expect(answer.json).not.toHaveProperty('result');
    for (const gone of [await jobOf(organisation, json.jobId), await remove(organisation.key, json.jobId)])
      expect([gone.status, gone.json.error.code]).toEqual([410, 'EXPIRED']);
    expect(
      await beside.store.read(one('SELECT 1 AS found FROM result WHERE job_id = :id', { id: json.jobId })),
    ).toBeUndefined();
    expect((await organisation.submit(file)).json.meta.cached).toBe(false);
    expect(await beside.countUsage(organisation.id)).toBe(2);
    const row = await organisation.get(`/v1/ocr/requests/${json.requestId}`);
    expect(row.json).toMatchObject({ requestId: json.requestId, jobId: json.jobId, fileName: 'document' });
  });

  test('failed by itself → deleted; 410 from then on', async () => {
    const organisation = await beside.add();
    const { json } = await organisation.submit(makeDocument('DO=refuse REASON=damaged'), ASYNC);
    expect((await organisation.waitForJob(json.jobId)).json.status).toBe('failed');
    expect((await remove(organisation.key, json.jobId)).json).toMatchObject({ status: 'failed' });
    expect((await jobOf(organisation, json.jobId)).status).toBe(410);
    expect((await remove(organisation.key, json.jobId)).status).toBe(410);
  });

  test('a replay under its Idempotency-Key → 410', async () => {
    const organisation = await beside.add();
    const file = makeDocument('TEXT=replayed');
    const headers = { 'idempotency-key': `replay-${unique++}` };
    expect((await organisation.submit(file, { headers })).status).toBe(200);
    const { id = '' } =
      (await beside.store.read(
        one<{ id: string }>('SELECT id FROM job WHERE organisation_id = :id', {
          id: organisation.id,
        }),
      )) ?? {};
    expect((await remove(organisation.key, id)).status).toBe(200);
    const again = await organisation.submit(file, { headers });
    expect([again.status, again.json.error.code]).toEqual([410, 'EXPIRED']);
  });

  test('Prefer: if-unfinished → kept, with its result', async () => {
    const organisation = await beside.add();
    const { json } = await organisation.submit(makeDocument('TEXT=kept'), ASYNC);
    await organisation.waitForJob(json.jobId);
    const answer = await remove(organisation.key, json.jobId, IF_UNFINISHED);
    expect([answer.status, answer.json.status]).toEqual([200, 'completed']);
    expect((await jobOf(organisation, json.jobId)).json.result).toEqual({ text: 'kept' });
    expect(answer.headers['preference-applied']).toBe('if-unfinished');
  });
});

describe('access', () => {
  test('another organisation, an unknown id, no key → as GET answers, and nothing changes', async () => {
    const [owner, other] = [await beside.add(), await beside.add()];
    const { jobId, open } = await submitGated(owner, 'mine');
    const foreign = await remove(other.key, jobId);
    const polled = await jobOf(other, jobId);
    const { requestId } = foreign.json.error;
    expect([foreign.status, foreign.json.error]).toEqual([404, { ...polled.json.error, requestId }]);
    expect((await remove(owner.key, 'job_01ARZ3NDEKTSV4RRFFQ69G5FAV')).status).toBe(404);
    expect((await remove('ocr_live_wrong', jobId)).status).toBe(401);
    open();
    expect((await owner.waitForJob(jobId)).json.result).toEqual({ text: 'mine' });
    expect((await remove(other.key, jobId)).status).toBe(404);
    expect((await jobOf(owner, jobId)).json.result).toEqual({ text: 'mine' });
  });

  test('an organisation whose rate is used up → may delete all the same', async () => {
    const organisation = await beside.add({ requestsPerWindow: 1 });
    const { json } = await organisation.submit(makeDocument('TEXT=late'), ASYNC);
    await organisation.waitForJob(json.jobId);
    expect((await organisation.submit(makeDocument('TEXT=refused'))).status).toBe(429);
    expect((await remove(organisation.key, json.jobId)).status).toBe(200);
  });

  test('the catalog names the extension', async () => {
    expect((await running.get('/v1/ocr/functions')).json.extensions).toContain('jobs.delete');
  });
});

describe('kill -9', () => {
  const createDataDir = useDataDirs();

  test('after the answer, of running and waiting jobs → still cancelled, never run again', async () => {
    const dataDir = createDataDir();
    const first = await spawnService(dataDir, { workers: 1 }, HOSTILE_PROGRAM);
    const key = readFileSync(join(dataDir, 'api-key'), 'utf8').trim();
    const runs = join(dataDir, 'runs');
    const jobIds: string[] = [];
    for (let i = 0; i < 8; i++) {
      const { json } = await first.client.submit(`%PDF-1.4 DO=hang ALWAYS=1 MARKER=${runs} N=${i}`, ASYNC);
      jobIds.push(json.jobId);
    }
    await expect.poll(() => existsSync(runs), PATIENCE).toBe(true);
    const done = await first.client.submit('%PDF-1.4 TEXT=done', ASYNC);
    const answers = await Promise.all(
      jobIds.map((jobId) =>
        call(`${first.url}/v1/ocr/jobs/${jobId}`, { method: 'DELETE', headers: { 'x-api-key': key } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(jobIds.map(() => 200));
    await first.client.waitForJob(done.json.jobId);
    const deleted = await call(first.url + done.json.statusUrl, { method: 'DELETE', headers: { 'x-api-key': key } });
    expect(deleted.status).toBe(200);
    await first.kill('SIGKILL');
    const before = readFileSync(runs, 'utf8');
    const second = await spawnService(dataDir, { workers: 1 }, HOSTILE_PROGRAM);
    for (const jobId of jobIds)
      expect((await second.client.get(`/v1/ocr/jobs/${jobId}`)).json).toMatchObject(CANCELLED);
    expect((await second.client.get(done.json.statusUrl)).status).toBe(410);
    expect((await second.client.submit('%PDF-1.4 TEXT=after')).json.result).toEqual({ text: 'after' });
    expect(readFileSync(runs, 'utf8')).toBe(before);
    expect(await waitForNoBlobs(dataDir)).toEqual([]);
    await second.kill('SIGTERM');
  });
});
