import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { all } from '../../dist/store/unit.js';
import { documents, examples } from '../fixtures/manifest.js';
import { call } from './support/http.js';
import { openBeside } from './support/organisations.js';
import { HOSTILE_PROGRAM, startTestService, type TestService, waitForNoBlobs } from './support/running-service.js';

let running: TestService;
let real: TestService;
let unique = 0;
/** Makes a new document, so that no cached result answers it. */
const make = (text: string) => `%PDF-1.4 ${text} N=${unique++}`;

beforeAll(async () => {
  running = await startTestService({ documentProgram: HOSTILE_PROGRAM });
  real = await startTestService();
});
afterAll(() => Promise.all([running.remove(), real.remove()]));

test('few pages → answered inline; many → a job with the same result', async () => {
  const inline = await real.submit(readFileSync(examples.report.path));
  expect(inline.status).toBe(200);
  const queued = await real.submit(readFileSync(documents.hundred.path));
  expect(queued.status).toBe(202);
  expect(queued.json).toEqual({
    requestId: queued.headers['x-request-id'],
    jobId: expect.stringMatching(/^job_[0-9A-HJKMNP-TV-Z]{26}$/),
    status: expect.stringMatching(/^(?:queued|processing)$/),
    statusUrl: `/v1/ocr/jobs/${queued.json.jobId}`,
  });
  expect(Number(queued.headers['retry-after'])).toBeGreaterThan(0);
  const job = await real.waitForJob(queued.json.jobId);
  expect(job.json).toMatchObject({
    jobId: queued.json.jobId,
    requestId: queued.json.requestId,
    function: 'TEXT_EXTRACTION',
    status: 'completed',
    progress: { pagesDone: 100, pageCount: 100 },
    meta: { provider: 'pdf-text', pageCount: 100, cached: false },
  });
  expect(job.json.result.text).toContain(documents.hundred.text[99]?.split('\n')[0]);
  const { createdAt, startedAt, finishedAt } = job.json;
  expect([createdAt, startedAt, finishedAt].map((time) => new Date(time).toISOString())).toEqual([
    createdAt,
    startedAt,
    finishedAt,
  ]);
  expect([createdAt, startedAt, finishedAt]).toEqual([createdAt, startedAt, finishedAt].sort());
  expect(await waitForNoBlobs(real.dataDir)).toEqual([]);
});

test('Prefer: respond-async → a job, also for a cached result', async () => {
  const file = make('TEXT=async');
  expect((await running.submit(file)).status).toBe(200);
  const answer = await running.submit(file, { headers: { prefer: 'wait=10, respond-async' } });
  expect(answer.status).toBe(202);
  expect((await running.waitForJob(answer.json.jobId)).json.result).toEqual({ text: 'async' });
});

test('an inline run over its time limit → a job with progress', async () => {
  const slow = await startTestService({ documentProgram: HOSTILE_PROGRAM, config: { inlineTimeoutMs: 200 } });
  try {
    const answer = await slow.submit(make('PAGES=4 DO=slow PAGE_MS=1500 TEXT=late'));
    expect(answer.status).toBe(202);
    expect(['queued', 'processing']).toContain(answer.json.status);
    const readProgress = async () => (await slow.get(answer.json.statusUrl)).json.progress;
    await expect.poll(readProgress).toMatchObject({ pagesDone: expect.any(Number), pageCount: 4 });
    await expect.poll(async () => (await readProgress())?.pagesDone).toBeGreaterThan(0);
    expect((await slow.waitForJob(answer.json.jobId)).json.result).toEqual({ text: 'late' });
  } finally {
    await slow.remove();
  }
});

test('a file over the inline limit → a job', async () => {
  const small = await startTestService({ documentProgram: HOSTILE_PROGRAM, config: { inlineMaxBytes: 100 } });
  try {
    expect((await small.submit(make('TEXT=small'))).status).toBe(200);
    expect((await small.submit(make('x'.repeat(100)))).status).toBe(202);
  } finally {
    await small.remove();
  }
});

test('a large result of any characters → unchanged', async () => {
  const text = 'ü€'.repeat(150_000);
  const { json } = await running.submit(make(`TEXT=${text}`));
  // The document program reads each byte as one character.
  expect(json.result.text === Buffer.from(text).toString('latin1')).toBe(true);
});

test('the same document again → cached, within one organisation', async () => {
  const file = make('TEXT=once');
  const [first, second] = [await running.submit(file), await running.submit(file, { filename: 'other-name' })];
  expect(first.json.meta.cached).toBe(false);
  expect(second.json).toMatchObject({
    result: first.json.result,
    meta: { cached: true, pageCount: 1, provider: 'pdf-text' },
  });
  expect(second.json.requestId).not.toBe(first.json.requestId);
  expect((await running.submit(file, { args: { format: 'markdown' } })).json.meta.cached).toBe(false);

  const beside = await openBeside(running);
  const other = await beside.add();
  await beside.close();
  expect((await other.submit(file)).json.meta.cached).toBe(false);
  const queued = await running.submit(file, { headers: { prefer: 'respond-async' } });
  const foreign = await other.get(queued.json.statusUrl);
  expect(foreign.status).toBe(404);
  expect(foreign.json.error.code).toBe('NOT_FOUND');
});

test('a result that time cut short → answers no other call, which may get more', async () => {
  const file = make('CUT=1 TEXT=cut');
  for (let i = 0; i < 2; i++) expect((await running.submit(file)).json.meta.cached).toBe(false);
});

/** Submits a job that ends as soon as `open` is called. */
async function submitGated(service: TestService): Promise<{ path: string; open(): void }> {
  const gate = join(service.dataDir, `gate-${unique++}`);
  const answer = await service.submit(make(`DO=wait GATE=${gate} TEXT=gated`), {
    headers: { prefer: 'respond-async' },
  });
  expect(answer.status).toBe(202);
  return { path: answer.json.statusUrl, open: () => writeFileSync(gate, '') };
}

const poll = (service: TestService, path: string, prefer: string) =>
  call(service.url + path, { headers: { 'x-api-key': service.key, prefer } });

/** Waits until the service has this many open requests. */
async function untilOpen(service: TestService, count: number): Promise<void> {
  const readOpen = async () => (await call(`${service.url}/healthz`)).json.openRequests;
  await expect.poll(readOpen).toBe(count);
}

test('Prefer: wait → polls are held until the job ends', async () => {
  const job = await submitGated(running);
  const held = Array.from({ length: 50 }, () => poll(running, job.path, 'wait=30'));
  await untilOpen(running, 50);
  job.open();
  for (const answer of await Promise.all(held)) {
    expect(answer.json).toMatchObject({ status: 'completed', result: { text: 'gated' } });
    expect(answer.headers).toMatchObject({ 'preference-applied': 'wait=30' });
    expect(answer.headers['retry-after']).toBeUndefined();
  }
  expect((await poll(running, job.path, 'wait=30')).json.status).toBe('completed');
});

test('a held poll → answered after its time, after 30 s at most', async () => {
  const job = await submitGated(running);
  const answer = await poll(running, job.path, 'foo=bar, Wait="1"; x=y, wait=20');
  expect(answer.json.status).toMatch(/^(?:queued|processing)$/);
  expect(answer.headers).toMatchObject({ 'preference-applied': 'wait=1', 'retry-after': '1' });
  for (const prefer of ['wait=0', 'wait=-1', 'wait=1.5', 'wait', 'respond-async']) {
    const atOnce = await poll(running, job.path, prefer);
    expect(atOnce.json.status, prefer).toMatch(/^(?:queued|processing)$/);
    expect(atOnce.headers['preference-applied'], prefer).toBeUndefined();
  }
  job.open();
  await running.waitForJob(job.path.split('/').at(-1) ?? '');
  expect((await poll(running, job.path, 'wait=3600')).headers['preference-applied']).toBe('wait=30');
});

test('a held poll on a stopping service → answered at once', async () => {
  const stopping = await startTestService({ documentProgram: HOSTILE_PROGRAM });
  try {
    const job = await submitGated(stopping);
    const held = poll(stopping, job.path, 'wait=30');
    await untilOpen(stopping, 1);
    const stopped = stopping.service.stop();
    expect((await held).json.status).toMatch(/^(?:queued|processing)$/);
    await stopped;
  } finally {
    await stopping.remove();
  }
});

test('a held poll without its caller → ended', async () => {
  const job = await submitGated(running);
  const request = http.get(running.url + job.path, { headers: { 'x-api-key': running.key, prefer: 'wait=30' } });
  request.on('error', () => {});
  await untilOpen(running, 1);
  request.destroy();
  // The line of a call is written when the call has ended.
  const { store } = await openBeside(running);
  try {
    const readLines = async () =>
      (await store.read(all('SELECT * FROM request WHERE path = :path', { path: job.path }))).length;
    await expect.poll(readLines).toBe(1);
  } finally {
    await store.close();
  }
  job.open();
});

/** Changes the times of a service's rows by `sql`. */
async function age(service: TestService, sql: string): Promise<void> {
  const beside = await openBeside(service);
  await beside.run(sql);
  await beside.close();
}

test('a cached result past its lifetime → read again', async () => {
  const brief = await startTestService({ documentProgram: HOSTILE_PROGRAM, config: { cacheTtlMs: 60_000 } });
  try {
    const file = make('TEXT=brief');
    await brief.submit(file);
    expect((await brief.submit(file)).json.meta.cached).toBe(true);
    await age(brief, 'UPDATE result_cache SET created_at = created_at - 60001');
    expect((await brief.submit(file)).json.meta.cached).toBe(false);
  } finally {
    await brief.remove();
  }
});

test('a result past its lifetime → 410', async () => {
  const brief = await startTestService({ documentProgram: HOSTILE_PROGRAM, config: { resultTtlMs: 60_000 } });
  try {
    const { jobId } = (await brief.submit(make('TEXT=x'), { headers: { prefer: 'respond-async' } })).json;
    expect((await brief.waitForJob(jobId)).status).toBe(200);
    await age(brief, 'UPDATE job SET finished_at = finished_at - 60001');
    const gone = await brief.get(`/v1/ocr/jobs/${jobId}`);
    expect(gone.status).toBe(410);
    expect(gone.json.error).toMatchObject({ code: 'EXPIRED', retryable: false });
  } finally {
    await brief.remove();
  }
});

test('a document found unreadable in its job → failed with its code', async () => {
  const headers = { prefer: 'respond-async' };
  const args = { languages: ['tlh'], ocr: 'force' };
  const queued = await real.submit(readFileSync(examples.report.path), { args, headers });
  expect(queued.status).toBe(202);
  const job = await real.waitForJob(queued.json.jobId);
  expect(job.status).toBe(200);
  expect(job.json).toMatchObject({ status: 'failed', error: { code: 'INVALID_ARGS', retryable: false } });
  expect(job.json.error.message).toMatch(/\/languages/);
  expect(job.json.result).toBeUndefined();
});

test.each([
  ['2-1', /args at \/pages: the range "2-1" runs backwards/],
  ['-1-1', /args at \/pages: the range "-1-1" runs backwards/],
  ['101', /args at \/pages: page 101 is not in the document/],
])('pages=%s, which the document does not have → INVALID_ARGS before it becomes a job', async (pages, message) => {
  const headers = { prefer: 'respond-async' };
  const refused = await real.submit(readFileSync(documents.hundred.path), { args: { pages: `1,${pages}` }, headers });
  expect(refused).toMatchObject({ status: 400, json: { error: { code: 'INVALID_ARGS', retryable: false } } });
  expect(refused.json.error.message).toMatch(message);
  expect(await waitForNoBlobs(real.dataDir)).toEqual([]);
});

test('an Idempotency-Key again → the first answer, with the key echoed', async () => {
  const marker = join(running.dataDir, 'marker-replay');
  const file = make(`MARKER=${marker} DO=answer TEXT=first`);
  const headers = { 'idempotency-key': 'a key of 20 chars.' };
  const first = await running.submit(file, { headers });
  const again = await running.submit(file, { headers, filename: 'renamed' });
  expect(first.status).toBe(200);
  expect(again).toMatchObject({ status: 200, text: first.text });
  for (const answer of [first, again]) {
    expect(answer.headers['idempotency-key']).toBe('a key of 20 chars.');
    expect(answer.headers['x-request-id']).toBe(first.json.requestId);
  }
  expect(readFileSync(marker, 'utf8').trim().split('\n')).toHaveLength(1);
});

test('an Idempotency-Key of a 202 or a cached answer again → the same answer', async () => {
  const file = make('TEXT=again');
  const queued = { 'idempotency-key': 'queued', prefer: 'respond-async' };
  const first = await running.submit(file, { headers: queued });
  await running.waitForJob(first.json.jobId);
  const again = await running.submit(file, { headers: queued });
  expect(again.status).toBe(202);
  expect(again.json).toMatchObject({ requestId: first.json.requestId, jobId: first.json.jobId });
  const cached = await running.submit(file, { headers: { 'idempotency-key': 'cached' } });
  expect(cached.json.meta.cached).toBe(true);
  expect((await running.submit(file, { headers: { 'idempotency-key': 'cached' } })).text).toBe(cached.text);
});

test('the same key with other content → conflict; a refused call → not bound', async () => {
  const headers = { 'idempotency-key': 'conflict' };
  const refused = await running.submit(make(''), { headers, args: { nonsense: 1 } });
  expect(refused.status).toBe(400);
  expect(refused.headers['idempotency-key']).toBe('conflict');
  const file = make('TEXT=a');
  expect((await running.submit(file, { headers })).status).toBe(200);
  for (const [other, args] of [
    [make('TEXT=b'), undefined],
    [file, { format: 'markdown' }],
  ] as const) {
    const conflict = await running.submit(other, { headers, args });
    expect(conflict.status).toBe(409);
    expect(conflict.json.error).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', retryable: false });
  }
});

test.each(['x'.repeat(256), 'ümlaut', ''])('the invalid Idempotency-Key "%s" → INVALID_ARGS', async (key) => {
  const answer = await running.submit(make(''), {
    headers: { 'idempotency-key': Buffer.from(key).toString('latin1') },
  });
  expect(answer.json.error.code).toBe('INVALID_ARGS');
});

test('concurrent calls under one key → one run, the same answer', async () => {
  const marker = join(running.dataDir, 'marker-concurrent');
  const file = make(`MARKER=${marker} PAGES=2 DO=slow PAGE_MS=150 TEXT=together`);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => running.submit(file, { headers: { 'idempotency-key': 'concurrent' } })),
  );
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(answers[0]?.json.result).toEqual({ text: 'together' });
  expect(existsSync(marker) && readFileSync(marker, 'utf8').trim().split('\n')).toHaveLength(1);
  expect(await waitForNoBlobs(running.dataDir)).toEqual([]);
});

test('arguments → unchanged in the function', async () => {
  const args = { format: 'markdown', pages: '1-2', password: 'pass word' };
  const answer = await running.submit(make('DO=args'), { args });
  expect(JSON.parse(answer.json.result.text)).toEqual(args);
});
