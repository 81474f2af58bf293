import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import { createApiKey } from '../../dist/store/access.js';
import { revokeApiKey } from '../../dist/store/api-keys.js';
import { updateOrganisation } from '../../dist/store/organisations.js';
import { updatePlan } from '../../dist/store/plans.js';
import { type Beside, openBeside, type TestOrganisation } from './support/organisations.js';
import { createClient, HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';

const KEY_CACHE_MS = 1;

let running: TestService;
let beside: Beside;
beforeAll(async () => {
  running = await startTestService({
    documentProgram: HOSTILE_PROGRAM,
    // The whole test runs within one window.
    config: { keyCacheMs: KEY_CACHE_MS, rateWindowMs: 3_600_000 },
  });
  beside = await openBeside(running);
});
afterAll(async () => {
  await beside.close();
  await running.remove();
});

type State = 'active' | 'trialing' | 'expired' | 'canceled' | 'suspended';
type Side = 0 | 1;
type Operation =
  | { does: 'submit'; side: Side; document: number; isAsync: boolean; key: string | undefined }
  | { does: 'poll'; side: Side; whose: Side; index: number }
  | { does: 'look up'; side: Side; whose: Side; index: number }
  | { does: 'revoke' | 'mint'; side: Side }
  | { does: 'limit'; side: Side; documents: number | undefined; requests: number; isAllowed: boolean }
  | { does: 'subscribe'; side: Side; state: State };

/** Operations of operators and callers. Two organisations, few documents and few keys make them meet often. */
const side = fc.constantFrom<Side>(0, 1);
const index = fc.nat(5);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('submit' as const),
      side,
      document: fc.nat(2),
      isAsync: fc.boolean(),
      key: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined, freq: 2 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('poll', 'look up'), side, whose: side, index }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('revoke', 'mint'), side }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('limit' as const),
      side,
      documents: fc.option(fc.nat(4), { nil: undefined }),
      requests: fc.constantFrom(3, 1_000, 1_000),
      isAllowed: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('subscribe' as const),
      side,
      state: fc.constantFrom<State>('active', 'active', 'trialing', 'expired', 'canceled', 'suspended'),
    }),
  },
);

/** Number of the document whose processing fails. */
const FAILING = 2;
const textOf = (document: number) => `%PDF-1.4 TEXT=of-${document}${document === FAILING ? ' DO=fault' : ''}`;

interface Answered {
  document: number;
  requestId: string;
  status: number;
  jobId: string | undefined;
}

/** Expected state of an organisation. */
interface Model {
  is: TestOrganisation;
  isKeyValid: boolean;
  state: State;
  limits: { documents: number | undefined; requests: number; isAllowed: boolean };
  calls: number;
  /** Counted documents of each period: the month and the trial. */
  used: { month: number; trial: number };
  cache: Set<number>;
  answers: Map<string, Answered>;
  jobs: Array<{ jobId: string; requestId: string; isFailed: boolean }>;
  requestIds: string[];
}

async function begin(): Promise<Model> {
  return {
    is: await beside.add({ requestsPerWindow: 1_000 }),
    isKeyValid: true,
    state: 'active',
    limits: { documents: undefined, requests: 1_000, isAllowed: true },
    calls: 0,
    used: { month: 0, trial: 0 },
    cache: new Set(),
    answers: new Map(),
    jobs: [],
    requestIds: [],
  };
}

type Expected =
  | { status: number; code: string }
  | { again: Answered }
  | { status: 200 | 202; isCached: boolean; isNew: boolean };

/** Returns the expected answer to a submission, in the order of the checks. */
function foresee(model: Model, { document, isAsync, key }: Extract<Operation, { does: 'submit' }>): Expected {
  if (!model.isKeyValid) return { status: 401, code: 'UNAUTHORIZED' };
  if (model.state !== 'active' && model.state !== 'trialing') return { status: 402, code: 'PAYMENT_REQUIRED' };
  if (!model.limits.isAllowed) return { status: 403, code: 'FORBIDDEN' };
  model.calls++;
  if (model.calls > model.limits.requests) return { status: 429, code: 'RATE_LIMITED' };
  const used = model.used[model.state === 'trialing' ? 'trial' : 'month'];
  if (used >= (model.limits.documents ?? Number.POSITIVE_INFINITY)) return { status: 429, code: 'QUOTA_EXCEEDED' };
  const earlier = key === undefined ? undefined : model.answers.get(key);
  if (earlier !== undefined)
    return earlier.document === document ? { again: earlier } : { status: 409, code: 'IDEMPOTENCY_CONFLICT' };
  if (!isAsync && model.cache.has(document)) return { status: 200, isCached: true, isNew: false };
  if (document === FAILING && !isAsync) return { status: 500, code: 'INTERNAL' };
  return { status: isAsync ? 202 : 200, isCached: false, isNew: true };
}

async function submit(model: Model, asked: Extract<Operation, { does: 'submit' }>): Promise<void> {
  const expected = foresee(model, asked);
  const { document, isAsync, key } = asked;
  const answer = await model.is.submit(textOf(document), {
    headers: {
      ...(isAsync ? { prefer: 'respond-async' } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
  });
  const { status, json, headers } = answer;
  const requestId: string = json.error?.requestId ?? json.requestId;
  const shown = JSON.stringify({ asked, expected, answer: json });
  if ([200, 202, 429].includes(status)) {
    expect(headers['ratelimit-limit'], shown).toBe(String(model.limits.requests));
    expect(headers['ratelimit-remaining'], shown).toBe(String(Math.max(0, model.limits.requests - model.calls)));
  }
  if (expected !== undefined && 'again' in expected) {
    expect([status, requestId, json.jobId], shown).toEqual([
      expected.again.status,
      expected.again.requestId,
      expected.again.jobId,
    ]);
    return;
  }
  expect(status, shown).toBe(expected.status);
  expect(model.requestIds, shown).not.toContain(requestId);
  if (status !== 401) model.requestIds.push(requestId);
  if ('code' in expected) {
    expect(json.error.code, shown).toBe(expected.code);
    // The document was accepted before it failed, so its Idempotency-Key repeats this answer.
    if (status === 500 && key !== undefined) model.answers.set(key, { document, requestId, status, jobId: undefined });
    return;
  }
  if (status === 202) {
    const job = await model.is.waitForJob(json.jobId);
    expect(job.json.status, shown).toBe(document === FAILING ? 'failed' : 'completed');
    model.jobs.push({ jobId: json.jobId, requestId, isFailed: document === FAILING });
  } else {
    expect(json.result, shown).toEqual({ text: `of-${document}` });
    expect(json.meta.cached, shown).toBe(expected.isCached);
  }
  if (key !== undefined) model.answers.set(key, { document, requestId, status, jobId: json.jobId });
  if (expected.isNew && document !== FAILING) {
    model.cache.add(document);
    model.used[model.state === 'trialing' ? 'trial' : 'month']++;
  }
}

/** Looks up a job or call: an own one is answered, one of the other organisation is unknown. */
async function look(by: Model, at: Model, { does, index }: Extract<Operation, { does: 'poll' | 'look up' }>) {
  const job = at.jobs[index % Math.max(1, at.jobs.length)];
  const id = does === 'poll' ? job?.jobId : at.requestIds[index % Math.max(1, at.requestIds.length)];
  if (id === undefined) return;
  // A shortened id is as good, for its own organisation alone.
  const start = id.slice(0, id.length - (index % 3));
  const answer = await by.is.get(does === 'poll' ? `/v1/ocr/jobs/${start}` : `/v1/ocr/requests/${start}`);
  const shown = JSON.stringify({ does, isOwn: by === at, answer: answer.json });
  if (!by.isKeyValid) return expect(answer.status, shown).toBe(401);
  if (by !== at) {
    expect([answer.status, answer.json.error?.code], shown).toEqual([404, 'NOT_FOUND']);
    return;
  }
  expect(answer.status, shown).toBe(200);
  if (does === 'poll')
    expect(answer.json, shown).toMatchObject({
      requestId: job?.requestId,
      status: job?.isFailed === true ? 'failed' : 'completed',
    });
  else expect(answer.json.requestId, shown).toBe(id);
}

async function operate(model: Model, asked: Exclude<Operation, { does: 'submit' | 'poll' | 'look up' }>) {
  const { store } = beside;
  const { is } = model;
  switch (asked.does) {
    case 'revoke':
      await revokeApiKey(store, is.keyId, Date.now());
      model.isKeyValid = false;
      break;
    case 'mint': {
      const keyId = createId('key');
      const key = await createApiKey(store, is.id, 'another', { id: keyId });
      Object.assign(is, { keyId, key, ...createClient(running.url, key) });
      model.isKeyValid = true;
      break;
    }
    case 'limit':
      await updatePlan(store, is.plan, {
        documentsPerPeriod: asked.documents,
        requestsPerWindow: asked.requests,
        functions: asked.isAllowed ? undefined : [],
      });
      model.limits = asked;
      break;
    case 'subscribe': {
      const newTrial = { startedAtMs: Date.now(), endsAtMs: Date.now() + 86_400_000 };
      await updateOrganisation(store, is.id, { subscription: asked.state, newTrial });
      model.state = asked.state;
    }
  }
  await sleep(KEY_CACHE_MS * 3);
}

/** An operation of each kind, which comes first: a few runs draw the rare ones by chance alone. */
const EACH_KIND: readonly Operation[] = [
  { does: 'submit', side: 0, document: 0, isAsync: false, key: 'k1' },
  { does: 'poll', side: 1, whose: 0, index: 0 },
  { does: 'look up', side: 1, whose: 0, index: 0 },
  { does: 'limit', side: 0, documents: 2, requests: 3, isAllowed: true },
  { does: 'revoke', side: 0 },
  { does: 'subscribe', side: 1, state: 'trialing' },
  { does: 'mint', side: 0 },
  { does: 'submit', side: 0, document: 0, isAsync: true, key: 'k2' },
];

/** Runs random operations of two organisations against the model, `numRuns` times. */
export function testIsolation(numRuns: number): void {
  test('random operations of two organisations → each is answered by its own keys, plan, allowance, cache and log', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
        const models = [await begin(), await begin()] as const;
        for (const asked of operations) {
          const model = models[asked.side];
          if (asked.does === 'submit') await submit(model, asked);
          else if (asked.does === 'poll' || asked.does === 'look up') await look(model, models[asked.whose], asked);
          else await operate(model, asked);
        }
        for (const { is, used } of models) expect(await beside.countUsage(is.id)).toBe(used.month + used.trial);
      }),
      { numRuns, examples: [[[...EACH_KIND]]] },
    );
  });
}
