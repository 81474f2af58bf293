import { afterAll, beforeAll, expect, test } from 'vitest';
import { sleep } from '../../dist/contract/sleep.js';
import { createApiKey } from '../../dist/store/access.js';
import { ids } from '../../dist/store/unit.js';
import { call } from './support/http.js';
import { type Beside, openBeside, type TestOrganisation } from './support/organisations.js';
import { createClient, HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';

let running: TestService;
let beside: Beside;
beforeAll(async () => {
  running = await startTestService({ documentProgram: HOSTILE_PROGRAM });
  beside = await openBeside(running);
});
afterAll(async () => {
  await beside.close();
  await running.remove();
});

/** Time after which a clock that counts milliseconds has gone on. */
const NEXT_MS = 2;

let count = 0;
/** Sends a document. No other call of the test has an id of the same millisecond as the submission. */
async function send(organisation: Pick<TestOrganisation, 'submit' | 'waitForJob'>) {
  await sleep(NEXT_MS);
  const { json } = await organisation.submit(`%PDF-1.4 TEXT=${++count}`, { headers: { prefer: 'respond-async' } });
  await sleep(NEXT_MS);
  await organisation.waitForJob(json.jobId);
  return { requestId: json.requestId as string, jobId: json.jobId as string };
}

/** Length of an id up to the end of its time in milliseconds. */
const TIME_LENGTH = 'req_'.length + 10;

/** Returns the shortest beginning of `id`, of at least some length, that none of `others` has. */
function shorten(id: string, others: readonly string[]): string {
  for (let length = 5; length < id.length; length++) {
    const start = id.slice(0, length);
    if (others.every((other) => other === id || !other.startsWith(start))) return start;
  }
  return id;
}

test('a beginning that only one of one’s own ids has → found, in any case, with and without its prefix', async () => {
  const own = await beside.add();
  const sent = [await send(own), await send(own), await send(own)];
  for (const { requestId, jobId } of sent) {
    // Polls and look-ups have ids in the log too: only the whole time is sure to be the submission's own.
    const request = requestId.slice(0, TIME_LENGTH);
    for (const text of [request, request.toLowerCase(), request.slice(4)])
      expect((await own.get(`/v1/ocr/requests/${text}`)).json, text).toMatchObject({ requestId });
    const job = shorten(
      jobId,
      sent.map((one) => one.jobId),
    );
    for (const text of [job, job.toLowerCase(), job.slice(4)])
      expect((await own.get(`/v1/ocr/jobs/${text}`)).json, text).toMatchObject({ jobId, status: 'completed' });
  }
});

test('a beginning that several ids have → 400 AMBIGUOUS_ID with the candidates, all of them one’s own', async () => {
  const [own, other] = [await beside.add(), await beside.add()];
  const mine = [await send(own), await send(own)];
  const theirs = await send(other);
  for (const [path, ids, foreign] of [
    ['requests/req_0', mine.map(({ requestId }) => requestId), theirs.requestId],
    ['jobs/job_0', mine.map(({ jobId }) => jobId), theirs.jobId],
  ] as const) {
    const answer = await own.get(`/v1/ocr/${path}`);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'AMBIGUOUS_ID']);
    if (path.startsWith('jobs')) for (const id of ids) expect(answer.json.error.message).toContain(id);
    expect(answer.text).not.toContain(foreign);
  }
});

test('ids of other organisations → found by no beginning of any length, and never make one’s own ambiguous', async () => {
  const [own, other] = [await beside.add(), await beside.add()];
  const theirs = await send(other);
  for (const [kind, id] of [
    ['requests', theirs.requestId],
    ['jobs', theirs.jobId],
  ] as const)
    for (let length = 5; length <= id.length; length++) {
      const answer = await own.get(`/v1/ocr/${kind}/${id.slice(0, length)}`);
      if (length < id.length) expect(answer.text, id.slice(0, length)).not.toContain(id);
      if (kind === 'jobs') expect(answer.status).toBe(404);
    }
  const { jobId } = await send(own);
  expect((await own.get('/v1/ocr/jobs/job_0')).json).toMatchObject({ jobId });
});

test('a support key → every beginning that is unambiguous among all', async () => {
  const support = createClient(running.url, await createApiKey(beside.store, null, 'help desk'));
  const [own, other] = [await beside.add(), await beside.add()];
  const [mine, theirs] = [await send(own), await send(other)];
  // More than are named.
  for (let i = 0; i < 4; i++) await send(other);
  const all = await beside.store.read(ids('SELECT id FROM job'));
  for (const { jobId } of [mine, theirs])
    expect((await support.get(`/v1/ocr/jobs/${shorten(jobId, all)}`)).json).toMatchObject({ jobId });
  const ambiguous = await support.get('/v1/ocr/jobs/job_0');
  expect(ambiguous.json.error.code).toBe('AMBIGUOUS_ID');
  expect(ambiguous.json.error.message).toMatch(/ and more$/);
});

test('a beginning without any id, and other texts → 404', async () => {
  const own = await beside.add();
  await send(own);
  for (const path of ['jobs/job_Z', 'jobs/job_', 'jobs/req_0', 'requests/job_0', 'requests/%25', 'requests/req_0~'])
    expect((await own.get(`/v1/ocr/${path}`)).status, path).toBe(404);
  expect((await call(`${running.url}/v1/ocr/jobs/job_0`)).status).toBe(401);
});
