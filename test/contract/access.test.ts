import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICE_ERRORS, type ServiceErrorCode } from '../../dist/contract/error-codes.js';
import { type Answer, call, MULTIPART_TYPE, multipart, type Part } from './support/http.js';
import { type Beside, openBeside, type TestOrganisation } from './support/organisations.js';
import { HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';

const KEY_CACHE_MS = 5;
const MAX_FILE_BYTES = 64 * 1024;
const DAY_MS = 86_400_000;

let running: TestService;
let beside: Beside;
beforeAll(async () => {
  running = await startTestService({
    documentProgram: HOSTILE_PROGRAM,
    // All tests run within one window.
    config: { keyCacheMs: KEY_CACHE_MS, rateWindowMs: 3_600_000, maxFileBytes: MAX_FILE_BYTES },
  });
  beside = await openBeside(running);
});
afterAll(async () => {
  await beside.close();
  await running.remove();
});

const seen = () => sleep(KEY_CACHE_MS * 2);
const pdf = (text: string) => Buffer.from(`%PDF-1.4 ${text}`);
let count = 0;
/** A new document, so that no cached result answers it. */
const fresh = (text = '') => pdf(`TEXT=${++count} ${text}`);

function expectRefusal(answer: Answer, code: ServiceErrorCode, message = /./): void {
  expect(answer.json, answer.text).toMatchObject({
    error: { code, retryable: SERVICE_ERRORS[code].retryable, message: expect.stringMatching(message) },
  });
  expect(answer.status).toBe(SERVICE_ERRORS[code].status);
  expect(answer.headers['x-request-id']).toBe(answer.json.error.requestId);
}

interface Attempt {
  function: string;
  contentType: string;
  args: string;
  file: Buffer;
}

/** A reason for a refusal. Their order is the one in which the service checks them. */
interface Reason {
  code: ServiceErrorCode;
  message: RegExp;
  /** Change that an operator makes before the call. */
  prepare?: (organisation: TestOrganisation) => Promise<unknown>;
  /** Mistake of the caller. */
  spoil?: (attempt: Attempt) => void;
}

const REASONS: Record<string, Reason> = {
  'a key that was revoked': {
    code: 'UNAUTHORIZED',
    message: /revoked/,
    prepare: ({ keyId }) => beside.run('UPDATE api_key SET revoked_at = 1 WHERE id = :keyId', { keyId }),
  },
  'a subscription that is suspended': {
    code: 'PAYMENT_REQUIRED',
    message: /suspended/,
    prepare: ({ id }) => beside.run(`UPDATE organisation SET subscription = 'suspended' WHERE id = :id`, { id }),
  },
  'a function that there is not': {
    code: 'NOT_FOUND',
    message: /no function/,
    spoil: (attempt) => Object.assign(attempt, { function: 'TEXT_EXTRACTON' }),
  },
  'a plan without the function': {
    code: 'FORBIDDEN',
    message: /plan PLAN_\d+ does not include TEXT_EXTRACTION/,
    prepare: ({ plan }) => beside.run(`UPDATE plan SET functions = '["OTHER"]' WHERE name = :plan`, { plan }),
  },
  'a key without the function': {
    code: 'FORBIDDEN',
    message: /key may not call TEXT_EXTRACTION: it is limited to OTHER/,
    prepare: ({ keyId }) => beside.run(`UPDATE api_key SET functions = '["OTHER"]' WHERE id = :keyId`, { keyId }),
  },
  'too many calls': {
    code: 'RATE_LIMITED',
    message: /allows 1 call in 3600 s/,
    // One call was made before.
    prepare: ({ plan }) => beside.run('UPDATE plan SET requests_per_window = 1 WHERE name = :plan', { plan }),
  },
  'an exhausted allowance': {
    code: 'QUOTA_EXCEEDED',
    message: /allows 0 documents/,
    prepare: ({ plan }) => beside.run('UPDATE plan SET documents_per_period = 0 WHERE name = :plan', { plan }),
  },
  'a file that is too large': {
    code: 'PAYLOAD_TOO_LARGE',
    message: /larger than/,
    spoil: (attempt) => Object.assign(attempt, { file: Buffer.concat([attempt.file, Buffer.alloc(400_000)]) }),
  },
  'a body that is no multipart': {
    code: 'INVALID_ARGS',
    message: /multipart\/form-data/,
    spoil: (attempt) => Object.assign(attempt, { contentType: 'text/plain' }),
  },
  'arguments that there are not': {
    code: 'INVALID_ARGS',
    message: /fromat/,
    spoil: (attempt) => Object.assign(attempt, { args: '{"fromat":1}' }),
  },
  'bytes of another type': {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message:
      /^The file is plain text, which TEXT_EXTRACTION does not read: it is text already, with nothing to recognise$/,
    spoil: (attempt) => attempt.file.write('not a PDF, '),
  },
  'more pages than the plan allows': {
    code: 'PAGE_LIMIT_EXCEEDED',
    message: /has 3 pages; the plan PLAN_\d+ allows 2 at most/,
    prepare: ({ plan }) => beside.run('UPDATE plan SET page_cap = 2 WHERE name = :plan', { plan }),
  },
};
const names = Object.keys(REASONS);
const pairs = names.flatMap((first, i) => names.slice(i).map((second) => [first, second] as const));

test.each(pairs)(
  'two reasons to refuse, %s and %s → the first is answered; nothing is billed or left behind',
  async (first, second) => {
    const organisation = await beside.add();
    expect((await organisation.submit(fresh())).status).toBe(200);
    const reasons = [first, second].map((name) => REASONS[name] as Reason);
    const attempt = { function: 'TEXT_EXTRACTION', contentType: MULTIPART_TYPE, args: '{}', file: fresh('PAGES=3') };
    for (const { prepare, spoil } of reasons) {
      await prepare?.(organisation);
      spoil?.(attempt);
    }
    await seen();
    const parts: Part[] = [
      { name: 'file', filename: 'a.pdf', content: attempt.file },
      { name: 'args', content: attempt.args },
    ];
    const answer = await call(`${running.url}/v1/ocr/${attempt.function}`, {
      method: 'POST',
      headers: { 'x-api-key': organisation.key, 'content-type': attempt.contentType },
      body: multipart(parts),
    });
    const [expected] = reasons as [Reason, Reason];
    expectRefusal(answer, expected.code, expected.message);
    // Refused documents are not billed, and leave no job.
    expect(await beside.countUsage(organisation.id)).toBe(1);
    expect(await beside.countRows('job', organisation.id)).toBe(1);
    const isCounted = answer.status === 429;
    expect(answer.headers['ratelimit-limit'] !== undefined).toBe(isCounted);
    expect(answer.headers['retry-after'] !== undefined).toBe(isCounted);
  },
);

test('a chunked body beyond the limit → refused during the upload, after the earlier checks', async () => {
  const organisation = await beside.add({ documentsPerPeriod: 1 });
  const parts = [{ name: 'file', filename: 'a', content: Buffer.concat([pdf(''), Buffer.alloc(MAX_FILE_BYTES)]) }];
  const post = () =>
    call(`${running.url}/v1/ocr/TEXT_EXTRACTION`, {
      method: 'POST',
      headers: { 'x-api-key': organisation.key, 'content-type': MULTIPART_TYPE, 'transfer-encoding': 'chunked' },
      body: multipart(parts),
    });
  expectRefusal(await post(), 'PAYLOAD_TOO_LARGE');
  expect((await organisation.submit(fresh())).status).toBe(200);
  expectRefusal(await post(), 'QUOTA_EXCEEDED');
});

test('a file of exactly the limit → read; one byte more → PAYLOAD_TOO_LARGE', async () => {
  const organisation = await beside.add();
  const file = Buffer.alloc(MAX_FILE_BYTES + 1, ' ');
  fresh().copy(file);
  expect((await organisation.submit(file.subarray(0, -1))).status).toBe(200);
  expectRefusal(await organisation.submit(file), 'PAYLOAD_TOO_LARGE', /65536 bytes/);
});

test.each([
  ['expired', 402],
  ['canceled', 402],
  ['suspended', 402],
  ['active', 202],
  ['trialing', 202],
])('the subscription %s → %i for a document; jobs and the catalog stay open', async (state, status) => {
  const organisation = await beside.add();
  const job = await organisation.submit(fresh(), { headers: { prefer: 'respond-async' } });
  await beside.run('UPDATE organisation SET subscription = :state WHERE id = :id', { state, id: organisation.id });
  await seen();
  const answer = await organisation.submit(fresh(), { headers: { prefer: 'respond-async' } });
  expect(answer.status).toBe(status);
  if (status === 402) expectRefusal(answer, 'PAYMENT_REQUIRED', new RegExp(state));
  expect((await organisation.waitForJob(job.json.jobId)).json.status).toBe('completed');
  expect((await organisation.get('/v1/ocr/functions')).status).toBe(200);
});

test('a trial → works until its end, then expired', async () => {
  const nowMs = Date.now();
  const trial = { startedAtMs: nowMs - DAY_MS, endsAtMs: nowMs + DAY_MS };
  const organisation = await beside.add({}, { organisation: { subscription: 'trialing', trial } });
  expect((await organisation.submit(fresh())).status).toBe(200);
  await beside.run('UPDATE organisation SET trial_ends_at = :endsAtMs WHERE id = :id', {
    endsAtMs: Date.now() + 60,
    id: organisation.id,
  });
  await sleep(70);
  expectRefusal(await organisation.submit(fresh()), 'PAYMENT_REQUIRED', /expired/);
});

test('polls and the catalog → neither counted nor limited', async () => {
  const organisation = await beside.add({ requestsPerWindow: 2, documentsPerPeriod: 1 });
  const job = await organisation.submit(fresh(), { headers: { prefer: 'respond-async' } });
  expectRefusal(await organisation.submit(fresh()), 'QUOTA_EXCEEDED');
  expectRefusal(await organisation.submit(fresh()), 'RATE_LIMITED');
  for (let i = 0; i < 5; i++) {
    expect((await organisation.get(`/v1/ocr/jobs/${job.json.jobId}`)).status).toBe(200);
    const listed = await organisation.get('/v1/ocr/functions');
    expect(listed.status).toBe(200);
    expect(listed.headers['ratelimit-limit']).toBeUndefined();
  }
});

test('a key at its expiry → UNAUTHORIZED on every route', async () => {
  const organisation = await beside.add();
  expect((await organisation.submit(fresh())).status).toBe(200);
  const expiresAtMs = Date.now() + 300;
  await beside.run('UPDATE api_key SET expires_at = :expiresAtMs WHERE id = :id', {
    expiresAtMs,
    id: organisation.keyId,
  });
  await seen();
  // Repeated calls keep the key in the cache. It works until it expires, and no longer.
  while (Date.now() < expiresAtMs) {
    const answer = await organisation.get('/v1/ocr/functions');
    if (Date.now() < expiresAtMs) expect(answer.status).toBe(200);
  }
  expectRefusal(await organisation.get('/v1/ocr/functions'), 'UNAUTHORIZED');
  expectRefusal(await organisation.submit(fresh()), 'UNAUTHORIZED', /expired/);
});

test('the lower cap of function and plan → PAGE_LIMIT_EXCEEDED that names its owner', async () => {
  const small = await beside.add({ pageCap: 2 });
  expect((await small.submit(fresh('PAGES=2'))).status).toBe(200);
  expectRefusal(await small.submit(fresh('PAGES=3')), 'PAGE_LIMIT_EXCEEDED', /the plan PLAN_\d+ allows 2 at most/);
  for (const pageCap of [undefined, 1_000_000]) {
    const large = await beside.add({ pageCap });
    const refused = await large.submit(fresh('PAGES=2001'));
    expectRefusal(refused, 'PAGE_LIMIT_EXCEEDED', /2001 pages; TEXT_EXTRACTION takes 2000 at most/);
  }
  // The cap holds for cached results too.
  const file = fresh('PAGES=2');
  expect((await small.submit(file)).json.meta.cached).toBe(false);
  expect((await small.submit(file)).json.meta.cached).toBe(true);
  await beside.run('UPDATE plan SET page_cap = 1 WHERE name = :plan', { plan: small.plan });
  await seen();
  expectRefusal(await small.submit(file), 'PAGE_LIMIT_EXCEEDED', /allows 1 at most/);
});

test('the catalog → the functions of this key, with an ETag of that view', async () => {
  const organisation = await beside.add();
  const list = async (ifNoneMatch = '') =>
    await call(`${running.url}/v1/ocr/functions`, {
      headers: { 'x-api-key': organisation.key, 'if-none-match': ifNoneMatch },
    });
  const included = (answer: Answer) => answer.json.functions[0].included;
  const all = await list();
  expect(included(all)).toBe(true);
  expect((await list(all.headers.etag)).status).toBe(304);

  await beside.run(`UPDATE api_key SET functions = '["OTHER"]' WHERE id = :id`, { id: organisation.keyId });
  await seen();
  const narrow = await list(all.headers.etag);
  expect([narrow.status, included(narrow)]).toEqual([200, false]);
  expect(narrow.headers.etag).not.toBe(all.headers.etag);

  await beside.run('UPDATE api_key SET functions = NULL WHERE id = :id', { id: organisation.keyId });
  await beside.run(`UPDATE plan SET functions = '[]' WHERE name = :plan`, { plan: organisation.plan });
  await seen();
  expect(included(await list())).toBe(false);
});

test('RateLimit headers → count down and name the end of the window', async () => {
  const organisation = await beside.add({ requestsPerWindow: 5, pageCap: 1 });
  const rate = ({ headers }: Answer) => [headers['ratelimit-limit'], headers['ratelimit-remaining']];
  const file = fresh();
  const inline = await organisation.submit(file, { headers: { 'idempotency-key': 'rate' } });
  expect([inline.status, ...rate(inline)]).toEqual([200, '5', '4']);
  const queued = await organisation.submit(fresh(), { headers: { prefer: 'respond-async' } });
  expect([queued.status, ...rate(queued)]).toEqual([202, '5', '3']);
  // The refused call counts, but a 400 has no RateLimit headers.
  const refused = await organisation.submit(fresh('PAGES=2'));
  expect([refused.status, ...rate(refused)]).toEqual([400, undefined, undefined]);
  const replay = await organisation.submit(file, { headers: { 'idempotency-key': 'rate' } });
  expect([replay.status, ...rate(replay)]).toEqual([200, '5', '1']);
  const cached = await organisation.submit(file);
  expect([cached.status, ...rate(cached)]).toEqual([200, '5', '0']);
  const limited = await organisation.submit(file);
  expect([limited.status, ...rate(limited)]).toEqual([429, '5', '0']);
  for (const { headers } of [inline, queued, replay, cached, limited]) {
    expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(3_000);
    expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(3_600);
  }
  expect(limited.headers['retry-after']).toBe(limited.headers['ratelimit-reset']);
});

test('an exhausted allowance → Retry-After until the period ends; RateLimit headers of the window', async () => {
  const now = new Date();
  const monthEndMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const trial = { startedAtMs: now.getTime(), endsAtMs: now.getTime() + 9 * DAY_MS };
  const byMonth = await beside.add({ documentsPerPeriod: 0, requestsPerWindow: 9 });
  const onTrial = await beside.add(
    { documentsPerPeriod: 0, requestsPerWindow: 9 },
    { organisation: { subscription: 'trialing', trial } },
  );
  for (const [organisation, endsAtMs] of [
    [byMonth, monthEndMs],
    [onTrial, trial.endsAtMs],
  ] as const) {
    const answer = await organisation.submit(fresh());
    expectRefusal(answer, 'QUOTA_EXCEEDED', new RegExp(new Date(endsAtMs).toISOString()));
    const seconds = (endsAtMs - Date.now()) / 1000;
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(Math.floor(seconds));
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(Math.ceil(seconds) + 60);
    expect(answer.headers['ratelimit-remaining']).toBe('8');
    expect(Number(answer.headers['ratelimit-reset'])).toBeLessThanOrEqual(3_600);
  }
});
