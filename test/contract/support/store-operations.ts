import fc from 'fast-check';
import { createId } from '../../../dist/contract/identifiers.js';
import type { DocumentEvent } from '../../../dist/contract/webhook-event.js';
import { createQueue } from '../../../dist/store/create-queue.js';
import { ALL_LANES, LANES, type Lane } from '../../../dist/store/lanes.js';
import { updateOrganisation } from '../../../dist/store/organisations.js';
import { updatePlan } from '../../../dist/store/plans.js';
import type { ClaimedJob } from '../../../dist/store/queue.js';
import { removeExpired } from '../../../dist/store/remove-expired.js';
import { type RequestEntry, writeRequest } from '../../../dist/store/requests.js';
import { rememberCachedAnswer } from '../../../dist/store/result-cache.js';
import type { Store } from '../../../dist/store/store.js';
import {
  claimDeliveries,
  type DeliveryRow,
  finishAttempt,
  listDeliveries,
  listDue,
  resendDelivery,
} from '../../../dist/store/webhook-deliveries.js';
import { insertEndpoint, insertTestDelivery, removeEndpoint, replaceSecret } from '../../../dist/store/webhooks.js';
import { makeAcceptance } from './make-acceptance.js';

/** The names that all processes of a run know. */
export interface World {
  organisations: string[];
  /** The names that each operation may use for what it adds. */
  names: Names[];
  /** Those of the operations that add documents and endpoints, which others look for. */
  documents: Names[];
  endpoints: Names[];
  /** Creation of the first job. */
  startMs: number;
}

interface Names {
  jobId: string;
  requestId: string;
  documentId: string;
  endpointId: string;
}

/** The use of the one period that has a limit. */
export const LIMITED = { period: 'limited', limit: 6 };
const UNLIMITED = { period: 'unlimited', limit: undefined };
const HOUR_MS = 3_600_000;
/** Deliveries of one endpoint that a service has under way. */
const SENT_AT_ONCE = 8;

/** The ends of a run; `abandon` is that of a process that dies. */
const ENDS = ['complete', 'complete', 'foreign', 'fail', 'bill', 'release', 'die', 'postpone', 'abandon'] as const;

const index = fc.nat(10_000);
/** Few enough keys that several calls share each. */
const KEY = fc.option(fc.nat(40), { nil: undefined, freq: 2 });
const OPERATION = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('accept' as const),
      of: index,
      key: KEY,
      content: fc.nat(1),
      isLimited: fc.boolean(),
      isUrgent: fc.boolean(),
      lane: fc.constantFrom(...Object.values(LANES)),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('work' as const),
      isShort: fc.nat(4).map((one) => one === 0),
      choice: fc.constantFrom('any' as const, 'any' as const, 'light' as const),
      steps: fc.array(fc.constantFrom('beat', 'count', 'correct', 'defer'), { maxLength: 3 }),
      end: fc.constantFrom(...ENDS),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('remove' as const), job: index, unfinishedOnly: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('log' as const), job: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('look' as const), job: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clean' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('endpoint' as const), of: index }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('unsubscribe' as const, 'rotate' as const), endpoint: index }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sample' as const), endpoint: index }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      endpoint: index,
      end: fc.constantFrom('deliver' as const, 'fail' as const, 'give-up' as const, 'abandon' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resend' as const), delivery: index }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('cached' as const),
      of: index,
      key: KEY,
      content: fc.nat(1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('organisation' as const), of: index, hasWebhooks: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('plan' as const), pageCap: fc.nat(100) }) },
);

type Drawn = typeof OPERATION extends fc.Arbitrary<infer T> ? T : never;
/** An operation with its place in the run: whatever it adds has the names of that place. */
export type Operation = Drawn & { at: number };

export const OPERATIONS = (length: number): fc.Arbitrary<Operation[]> =>
  fc
    .array(OPERATION, { minLength: length, maxLength: length, size: 'max' })
    .map((drawn) => drawn.map((one, at) => ({ ...one, at })));

/** Names everything that the operations may add. */
export function createWorld(organisations: string[], operations: readonly Operation[]): World {
  const names = operations.map(() => ({
    ...{ jobId: createId('job'), requestId: createId('req'), documentId: createId('doc'), endpointId: createId('whe') },
  }));
  const ofKind = (kind: Operation['kind']) => names.filter((_, at) => operations[at]?.kind === kind);
  const startMs = Date.now() - HOUR_MS;
  return { organisations, names, documents: ofKind('accept'), endpoints: ofKind('endpoint'), startMs };
}

export interface Claim {
  jobId: string;
  token: string;
}

/** The answer of the store: what of it does not depend on the time or on chance. Tokens are apart. */
export interface Answer {
  kind: string;
  claim?: Claim;
  jobId?: string;
  /** Deliveries whose attempts ended. */
  attempts?: number;
  more?: unknown;
}

const modulo = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;
const NOBODY: Names = { jobId: 'job_x', requestId: 'req_x', documentId: 'doc_x', endpointId: 'whe_x' };
const nextLane = (lane: Lane) => ({ lane, delayMs: 100 });

/** Does one operation, and gives the processor to others between its parts. */
export async function perform(store: Store, world: World, operation: Operation): Promise<Answer> {
  const queue = createQueue(store);
  const { organisations, names, documents, endpoints, startMs } = world;
  const { at } = operation;
  const own = names[at] as Names;
  const dueMs = store.clock.steadyNow() + HOUR_MS;
  switch (operation.kind) {
    case 'accept': {
      const organisationId = modulo(organisations, operation.of);
      const { jobId, requestId, documentId } = own;
      const accepted = await queue.accept(
        makeAcceptance(organisationId, {
          ...{ jobId, requestId, isUrgent: operation.isUrgent, cacheKey: `cache ${operation.content}` },
          document: { id: documentId, sha256: 'ab', sizeBytes: 1, mimeType: 'application/pdf', pageCount: undefined },
          effort: { lane: operation.lane, delayMs: 0 },
          idempotency: useOf(operation),
          allowance: operation.isLimited ? LIMITED : UNLIMITED,
          nowMs: startMs + at * 100,
        }),
      );
      return { kind: accepted.kind, jobId, more: accepted };
    }
    case 'work':
      return await work(store, operation);
    case 'remove': {
      const { jobId } = modulo(documents, operation.job) ?? NOBODY;
      const removal = await queue.remove({ jobId, unfinishedOnly: operation.unfinishedOnly, resultTtlMs: HOUR_MS });
      return { kind: removal.kind, jobId };
    }
    case 'look': {
      const { jobId } = modulo(documents, operation.job) ?? NOBODY;
      const view = await queue.find(jobId);
      return { kind: view?.status ?? 'unknown', jobId, more: view?.errorCode };
    }
    case 'log': {
      const { jobId, requestId } = modulo(documents, operation.job) ?? NOBODY;
      // A call is logged after it was accepted.
      if ((await queue.find(jobId)) === undefined) return { kind: 'none' };
      await store.write(() => writeRequest(makeEntry(organisations[0] ?? '', requestId, { jobId, status: 202 })));
      return { kind: 'logged' };
    }
    case 'expire':
      return { kind: 'expired', more: await queue.releaseExpired() };
    case 'clean': {
      const ages = { resultTtlMs: HOUR_MS, cacheTtlMs: HOUR_MS, idempotencyTtlMs: 2 * HOUR_MS };
      await removeExpired(store, { ...ages, requestLogTtlMs: 2 * HOUR_MS }, store.clock.now());
      return { kind: 'cleaned' };
    }
    case 'endpoint': {
      const outcome = await insertEndpoint(store, {
        ...{ id: own.endpointId, organisationId: modulo(organisations, operation.of) },
        ...{
          url: `https://x.example/${own.endpointId}`,
          events: 'document.processed,document.failed',
          secret: `s${at}`,
        },
        ...{ previousSecretUntilMs: null, createdAtMs: startMs + at },
      });
      return { kind: outcome };
    }
    case 'unsubscribe':
      return {
        kind: String(await removeEndpoint(store, (modulo(endpoints, operation.endpoint) ?? NOBODY).endpointId, dueMs)),
      };
    case 'rotate':
      return {
        kind: (await replaceSecret(
          store,
          (modulo(endpoints, operation.endpoint) ?? NOBODY).endpointId,
          `r${at}`,
          startMs,
        ))
          ? 'new'
          : 'none',
      };
    case 'sample': {
      const sample = eventOf(`req_sample_${at}`);
      const samples = { 'document.processed': sample, 'document.failed': sample };
      const sent = await insertTestDelivery(
        store,
        (modulo(endpoints, operation.endpoint) ?? NOBODY).endpointId,
        samples,
        startMs,
      );
      return { kind: sent === undefined ? 'none' : 'sent' };
    }
    case 'send':
      return await send(store, (modulo(endpoints, operation.endpoint) ?? NOBODY).endpointId, operation.end, dueMs);
    case 'resend': {
      const known = sortDeliveries(await listDeliveries(store, { limit: 1_000 }));
      if (known.length === 0) return { kind: 'none' };
      return { kind: await resendDelivery(store, modulo(known, operation.delivery).id, store.clock.steadyNow()) };
    }
    case 'cached': {
      const organisationId = modulo(organisations, operation.of);
      const entry = makeEntry(organisationId, own.requestId, { isCached: true, createdAtMs: startMs + at * 100 });
      const event = eventOf(own.requestId);
      const earlier = await rememberCachedAnswer(store, { ...entry, organisationId }, useOf(operation), event);
      return { kind: earlier?.kind ?? 'remembered', more: earlier };
    }
    case 'organisation': {
      const ownLimits = { webhooks: operation.hasWebhooks ? 1 : 0 };
      const changed = await updateOrganisation(store, modulo(organisations, operation.of), { ownLimits });
      return { kind: String(changed?.limits.hasWebhooks) };
    }
    case 'plan':
      return { kind: String((await updatePlan(store, 'BUSINESS', { pageCap: operation.pageCap }))?.pageCap) };
  }
}

const useOf = ({ key, content }: { key: number | undefined; content: number }) =>
  key === undefined ? undefined : { key: `key ${key}`, contentHash: `content ${content}` };

const eventOf = (requestId: string): DocumentEvent => ({
  ...{ requestId, function: 'TEXT_EXTRACTION', status: 'completed', pageCount: 1 },
});

function makeEntry(organisationId: string, id: string, more: Partial<RequestEntry>): RequestEntry {
  return {
    ...{
      id,
      organisationId,
      method: 'POST',
      path: '/',
      keyId: 'key_1',
      keyLastFour: 'abcd',
      function: 'TEXT_EXTRACTION',
    },
    ...{ fileName: undefined, sizeBytes: 1, sha256: 'ab', mimeType: 'application/pdf', pageCount: 1 },
    ...{ jobId: undefined, isCached: false, replayOf: undefined, status: 200, errorCode: undefined },
    ...{ errorMessage: undefined, provider: 'test', processingMs: 1, createdAtMs: 1, durationMs: 1 },
    ...more,
  };
}

/** Ids of deliveries of one millisecond have no order, so they are ordered by what each has alone. */
function sortDeliveries(rows: DeliveryRow[]): DeliveryRow[] {
  const keyOf = ({ requestId, endpointId, event }: DeliveryRow) => `${requestId} ${endpointId} ${event}`;
  return [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

async function work(store: Store, operation: Operation & { kind: 'work' }): Promise<Answer> {
  const queue = createQueue(store);
  // A lease that is over when it begins: the process dies, or is slower than its lease.
  const leaseMs = operation.isShort || operation.end === 'abandon' ? -1 : 60_000;
  const [job] = await queue.claim(leaseMs, { choice: operation.choice, lanes: ALL_LANES });
  if (job === undefined) return { kind: 'idle' };
  const claim = { jobId: job.id, token: job.token };
  const steps: unknown[] = [];
  for (const step of operation.steps) {
    const beats = [{ jobId: job.id, token: job.token, pagesDone: 1, pageCount: null }];
    if (step === 'beat') steps.push(await queue.beat(beats, leaseMs));
    else if (step === 'count') steps.push(await queue.noteCount(job, 3, nextLane(LANES.medium)));
    else if (step === 'correct') steps.push(await queue.correctEffort(job, nextLane(LANES.long)));
    else await queue.defer(job.id);
  }
  const isWritten = await end(store, job, operation.end);
  const { attempts, lane, documentPageCount } = job;
  const facts = { jobId: job.id, more: { attempts, lane, documentPageCount, steps } };
  return { kind: isWritten ? operation.end : 'lost', claim, ...facts };
}

async function end(store: Store, job: ClaimedJob, how: (typeof ENDS)[number]): Promise<boolean> {
  const queue = createQueue(store);
  const run = { durationMs: 5 };
  const outcome = { body: JSON.stringify({ text: job.token }), provider: 'test', pageCount: 3, durationMs: 5 };
  switch (how) {
    case 'complete':
    case 'foreign':
      return await queue.complete(job, outcome, how === 'complete');
    case 'fail':
    case 'bill':
      return await queue.fail(job, { code: 'INVALID_DOCUMENT', message: how }, { ...run, isBilled: how === 'bill' });
    case 'release':
      return await queue.release(job, 'service-stops', run);
    case 'die':
      return await queue.release(job, 'worker-died', run);
    case 'postpone':
      return await queue.postpone(job, nextLane(LANES.medium), run);
    case 'abandon':
      return true;
  }
}

async function send(
  store: Store,
  endpointId: string,
  how: 'deliver' | 'fail' | 'give-up' | 'abandon',
  nowMs: number,
): Promise<Answer> {
  const claimed = await claimDeliveries(
    store,
    await listDue(store, endpointId, nowMs, SENT_AT_ONCE),
    nowMs,
    24 * HOUR_MS,
  );
  const attempt = { startedAtMs: 1, latencyMs: 2, status: 500, error: undefined, answer: 'no' };
  const ends: unknown[] = [];
  if (how !== 'abandon')
    for (const delivery of claimed) {
      const delaysMs = how === 'fail' ? [0, 0, 0] : [];
      ends.push(await finishAttempt(store, delivery, attempt, { isDelivered: how === 'deliver', delaysMs, nowMs }));
    }
  const written = ends.filter((one) => one !== undefined).length;
  return { kind: 'sent', attempts: written, more: { claimed: claimed.length, ends: ends.map(String).sort() } };
}
