import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashApiKey } from '../../dist/contract/api-key.js';
import { createId } from '../../dist/contract/identifiers.js';
import { createApiKey, findAccess, findSupportAccess } from '../../dist/store/access.js';
import { all, one } from '../../dist/store/unit.js';
import { checkAnswer } from './support/check-answer.js';
import { call } from './support/http.js';
import { type Beside, openBeside, type TestOrganisation } from './support/organisations.js';
import { createClient, HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';

const KEY_CACHE_MS = 5;

let running: TestService;
let beside: Beside;
let support: ReturnType<typeof createClient> & { key: string; keyId: string };
let [own, other]: TestOrganisation[] = [];
beforeAll(async () => {
  running = await startTestService({ documentProgram: HOSTILE_PROGRAM, config: { keyCacheMs: KEY_CACHE_MS } });
  beside = await openBeside(running);
  support = await createSupportKey();
  [own, other] = [await beside.add(), await beside.add()];
});
afterAll(async () => {
  await beside.close();
  await running.remove();
});

async function createSupportKey(more: { expiresAtMs?: number } = {}) {
  const keyId = createId('key');
  const key = await createApiKey(beside.store, null, 'help desk', { id: keyId, ...more });
  return { ...createClient(running.url, key), key, keyId };
}

const SECRET = 'the-text-of-the-document';
let count = 0;
const pdf = () => Buffer.from(`%PDF-1.4 TEXT=${SECRET}-${++count}`);
const organisations = () => [own, other] as [TestOrganisation, TestOrganisation];
const ask = (key: string, path: string, method = 'GET') =>
  call(running.url + path, { method, headers: { 'x-api-key': key } });

/** Sends one document inline and one as a job. */
async function sendBoth(organisation: TestOrganisation) {
  const inline = await organisation.submit(pdf(), { filename: 'inline.pdf' });
  const queued = await organisation.submit(pdf(), { filename: 'queued.pdf', headers: { prefer: 'respond-async' } });
  const { jobId, requestId } = queued.json;
  await organisation.waitForJob(jobId);
  return { inlineId: inline.json.requestId as string, requestId: requestId as string, jobId: jobId as string };
}

test('requests and jobs of every organisation → read, with whose they are, and without results', async () => {
  for (const organisation of organisations()) {
    const { inlineId, requestId, jobId } = await sendBoth(organisation);
    for (const id of [inlineId, requestId]) {
      const answer = await support.get(`/v1/ocr/requests/${id}`);
      expect(answer.json).toMatchObject({
        requestId: id,
        function: 'TEXT_EXTRACTION',
        keyId: organisation.keyId,
        organisation: { id: organisation.id, name: organisation.plan },
      });
      expect(answer.text).not.toContain(SECRET);
      checkAnswer('GET', `${running.url}/v1/ocr/requests/${id}`, answer);
    }
    const job = await support.get(`/v1/ocr/jobs/${jobId}`);
    expect(job.json).toMatchObject({ jobId, status: 'completed', organisation: { id: organisation.id } });
    expect(Object.keys(job.json)).not.toContain('result');
    expect(job.text).not.toContain(SECRET);
    checkAnswer('GET', `${running.url}/v1/ocr/jobs/${jobId}`, job);
    expect((await organisation.get(`/v1/ocr/jobs/${jobId}`)).json.result.text).toContain(SECRET);
  }
});

test('a call with an unknown key, and a failed job → read with the reason', async () => {
  const refused = await call(`${running.url}/v1/ocr/functions`, { headers: { 'x-api-key': 'wrong' } });
  const { requestId } = refused.json.error;
  const entry = (await support.get(`/v1/ocr/requests/${requestId}`)).json;
  expect(entry).toMatchObject({ httpStatus: 401, organisation: null, error: { code: 'UNAUTHORIZED' } });
  const [first] = organisations();
  const failing = await first.submit('%PDF-1.4 DO=refuse REASON=damaged', { headers: { prefer: 'respond-async' } });
  await first.waitForJob(failing.json.jobId);
  const job = (await support.get(`/v1/ocr/jobs/${failing.json.jobId}`)).json;
  expect(job).toMatchObject({ status: 'failed', error: { code: 'INVALID_DOCUMENT' } });
  expect(Object.keys(job)).not.toContain('result');
});

test('a held poll of a running job → answered at its end, without a result', async () => {
  const [first] = organisations();
  const queued = await first.submit(pdf(), { headers: { prefer: 'respond-async' } });
  const held = await call(`${running.url}/v1/ocr/jobs/${queued.json.jobId}`, {
    headers: { 'x-api-key': support.key, prefer: 'wait=20' },
  });
  expect(held.json.finishedAt).toMatch(/Z$/);
  expect(Object.keys(held.json)).not.toContain('result');
});

test('anything else → 403 FORBIDDEN, and nothing is sent, counted or removed', async () => {
  const [first] = organisations();
  const { jobId } = await sendBoth(first);
  const before = (await beside.store.read(one<{ n: number }>('SELECT count(*) AS n FROM job')))?.n;
  for (const answer of [
    await support.submit(pdf()),
    await support.submit(pdf(), { function: 'NO_SUCH_FUNCTION' }),
    await support.submit('no document'),
    await ask(support.key, `/v1/ocr/jobs/${jobId}`, 'DELETE'),
    await ask(support.key, '/v1/ocr/jobs/job_00000000000000000000000000', 'DELETE'),
  ]) {
    expect(answer.status, answer.text).toBe(403);
    expect(answer.json.error).toMatchObject({ code: 'FORBIDDEN', retryable: false });
  }
  expect((await beside.store.read(one<{ n: number }>('SELECT count(*) AS n FROM job')))?.n).toBe(before);
  expect((await first.get(`/v1/ocr/jobs/${jobId}`)).json).toMatchObject({ status: 'completed' });
  const catalog = (await support.get('/v1/ocr/functions')).json;
  for (const entry of catalog.functions) expect(entry.included, entry.id).toBe(false);
});

test('events of organisations → not for a support key', async () => {
  const answer = await support.get('/v1/ocr/events');
  expect([403, 405]).toContain(answer.status);
});

test('its usage → no organisation, no plan, no documents', async () => {
  const answer = await support.get('/v1/ocr/usage');
  expect(answer.json).toMatchObject({
    organisation: null,
    plan: null,
    subscription: null,
    documents: { used: 0, limit: 0, left: 0 },
    rate: { limit: null },
  });
  checkAnswer('GET', `${running.url}/v1/ocr/usage`, answer);
});

test('each use, also a refused one → in the request log with its key, and visible to no organisation', async () => {
  const key = await createSupportKey();
  const [first] = organisations();
  const { requestId, jobId } = await sendBoth(first);
  const uses = [
    await key.get(`/v1/ocr/requests/${requestId}`),
    await key.get(`/v1/ocr/jobs/${jobId}`),
    await key.get('/v1/ocr/requests/req_00000000000000000000000000'),
    await key.get('/v1/ocr/functions'),
    await key.get('/v1/ocr/usage'),
    await key.get('/v1/ocr/nothing'),
    await key.submit(pdf()),
    await ask(key.key, `/v1/ocr/jobs/${jobId}`, 'DELETE'),
  ];
  for (const use of uses) {
    const id = use.headers['x-request-id'] as string;
    expect((await support.get(`/v1/ocr/requests/${id}`)).json, use.text).toMatchObject({
      requestId: id,
      httpStatus: use.status,
      keyId: key.keyId,
      keyLastFour: key.key.slice(-4),
      organisation: null,
    });
    for (const { get } of organisations()) expect((await get(`/v1/ocr/requests/${id}`)).status).toBe(404);
  }
  const lines = await beside.store.read(
    all<{ path: string }>('SELECT path FROM request WHERE key_id = :keyId ORDER BY created_at, id', {
      keyId: key.keyId,
    }),
  );
  expect(lines.map(({ path }) => path).sort()).toEqual(
    [
      `/v1/ocr/requests/${requestId}`,
      `/v1/ocr/jobs/${jobId}`,
      '/v1/ocr/requests/req_00000000000000000000000000',
      '/v1/ocr/functions',
      '/v1/ocr/usage',
      '/v1/ocr/nothing',
      '/v1/ocr/TEXT_EXTRACTION',
      `/v1/ocr/jobs/${jobId}`,
    ].sort(),
  );
});

test('a revoked or expired support key → 401; its last use is recorded', async () => {
  const key = await createSupportKey();
  expect((await key.get('/v1/ocr/functions')).status).toBe(200);
  const read = async () =>
    (
      await beside.store.read(
        one<{ at: number | null }>('SELECT last_used_at AS at FROM api_key WHERE id = :keyId', {
          keyId: key.keyId,
        }),
      )
    )?.at;
  for (let tries = 0; (await read()) === null && tries < 500; tries++) await sleep(10);
  expect(await read()).toBeTypeOf('number');
  await beside.run('UPDATE api_key SET revoked_at = 1 WHERE id = :keyId', { keyId: key.keyId });
  await sleep(KEY_CACHE_MS * 2);
  expect((await key.get('/v1/ocr/functions')).status).toBe(401);
  const expired = await createSupportKey({ expiresAtMs: Date.now() - 1 });
  expect((await expired.get('/v1/ocr/functions')).status).toBe(401);
});

test('the two kinds of keys → each found by its own query alone', async () => {
  const [first] = organisations();
  expect(await findAccess(beside.store, hashApiKey(support.key))).toBeUndefined();
  expect(await findSupportAccess(beside.store, hashApiKey(first.key))).toBeUndefined();
});
