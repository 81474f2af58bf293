import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import type { DocumentEvent } from '../../dist/contract/webhook-event.js';
import { createQueue } from '../../dist/store/create-queue.js';
import {
  type DeliveryPageFilter,
  readDeliveryOf,
  readDeliveryPage,
  readEndpointHealth,
} from '../../dist/store/delivery-pages.js';
import { LANES } from '../../dist/store/lanes.js';
import type { ClaimedJob } from '../../dist/store/queue.js';
import { removeExpired } from '../../dist/store/remove-expired.js';
import type { Store } from '../../dist/store/store.js';
import { all, one, run } from '../../dist/store/unit.js';
import {
  claimDeliveries,
  countDead,
  finishAttempt,
  listAttempts,
  listDeliveries,
  listDue,
  MAX_ATTEMPTS_PER_ENDPOINT,
  releaseAllDeliveries,
  resendDead,
  resendDelivery,
} from '../../dist/store/webhook-deliveries.js';
import {
  type EndpointRow,
  insertEndpoint,
  insertTestDelivery,
  listEndpoints,
  MAX_ENDPOINTS,
  recordEvent,
  removeEndpoint,
  replaceSecret,
} from '../../dist/store/webhooks.js';

const organisationId = createId('org');
const event: DocumentEvent = { requestId: 'req_1', function: 'TEXT_EXTRACTION', status: 'completed', pageCount: 1 };
const attempt = { startedAtMs: 1, latencyMs: 2, status: 500, error: undefined, answer: 'no' };

/** Endpoints, deliveries and their attempts on every store. */
export function describeWebhooks(engine: string, open: () => Promise<Store>): void {
  describe(`webhooks on ${engine}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
      await store.write(() =>
        run(`INSERT INTO organisation (id, name, created_at, plan) VALUES (:organisationId, 'Test', 0, 'BUSINESS')`, {
          organisationId,
        }),
      );
    });
    afterEach(() => store.close());

    const insert = (changes: Partial<EndpointRow> = {}) => {
      const id = changes.id ?? createId('whe');
      const row = {
        id,
        organisationId,
        url: `https://x.example/${id}`,
        events: 'document.processed,document.failed',
        secret: 'sealed',
        previousSecretUntilMs: null,
        createdAtMs: Date.now(),
      };
      return insertEndpoint(store, { ...row, ...changes });
    };

    async function addEndpoint(events?: string): Promise<string> {
      const id = createId('whe');
      expect(await insert({ id, ...(events === undefined ? {} : { events }) })).toBe('added');
      return id;
    }

    const record = (what: DocumentEvent = event, nowMs = Date.now()) =>
      store.write(() => recordEvent(organisationId, what, nowMs));
    const deliveries = () => listDeliveries(store, { limit: 100 });

    async function claimOne(endpointId: string, nowMs = Date.now()) {
      const [delivery] = await claimDeliveries(store, await listDue(store, endpointId, nowMs, 1), nowMs, 1_000);
      if (delivery === undefined) throw new Error('nothing is due');
      return delivery;
    }

    test('an id or a URL that is taken, an organisation with as many as it may have → said, and nothing is added', async () => {
      const id = await addEndpoint();
      expect(await insert({ id, url: 'https://other.example/' })).toBe('id-taken');
      expect(await insert({ url: `https://x.example/${id}` })).toBe('url-known');
      for (let count = 1; count < MAX_ENDPOINTS; count++) await addEndpoint();
      expect(await insert()).toBe('full');
      expect(await insert({ id })).toBe('id-taken');
      expect(await listEndpoints(store, organisationId)).toHaveLength(MAX_ENDPOINTS);
    });

    test('an event → a delivery for each subscribed endpoint of a plan with webhooks', async () => {
      const [all, failures] = [await addEndpoint(), await addEndpoint('document.failed')];
      await record();
      expect((await deliveries()).map(({ endpointId }) => endpointId)).toEqual([all]);
      await record({ ...event, status: 'failed' });
      expect((await deliveries()).filter(({ event: type }) => type === 'document.failed')).toHaveLength(2);
      await store.write(() => run(`UPDATE organisation SET plan = 'TRIAL'`));
      await record();
      await store.write(() => run(`UPDATE organisation SET plan = 'ENTERPRISE'`));
      await removeEndpoint(store, failures, Date.now());
      await record({ ...event, status: 'failed' });
      expect(await deliveries()).toHaveLength(4);
    });

    test('a claimed delivery → no other claim until its lease ends; an old token → ignored', async () => {
      const endpointId = await addEndpoint();
      await record();
      const nowMs = Date.now();
      const first = await claimOne(endpointId, nowMs);
      expect(await listDue(store, endpointId, nowMs + 999, 10)).toEqual([]);
      const second = await claimOne(endpointId, nowMs + 1_000);
      expect(second.id).toBe(first.id);
      expect(await finishAttempt(store, first, attempt, { isDelivered: true, delaysMs: [], nowMs })).toBeUndefined();
      expect(await listAttempts(store, first.id)).toEqual([]);
      expect(await finishAttempt(store, second, attempt, { isDelivered: true, delaysMs: [], nowMs })).toEqual({
        number: 1,
        status: 'delivered',
      });
      expect(await finishAttempt(store, second, attempt, { isDelivered: true, delaysMs: [], nowMs })).toBeUndefined();
      expect(await deliveries()).toMatchObject([{ status: 'delivered', nextAttemptAtMs: null, finishedAtMs: nowMs }]);
    });

    test('more due deliveries of an endpoint than it may have at once → claimed as others end or lose their lease', async () => {
      const endpointId = await addEndpoint();
      for (let i = 0; i < 20; i++) await record();
      const nowMs = Date.now();
      const claim = async (atMs: number) =>
        await claimDeliveries(store, await listDue(store, endpointId, atMs, 20), atMs, 1_000);
      const claimed = await claim(nowMs);
      expect(claimed).toHaveLength(MAX_ATTEMPTS_PER_ENDPOINT);
      expect(await claim(nowMs)).toEqual([]);
      for (const delivery of claimed.slice(0, 2))
        await finishAttempt(store, delivery, attempt, { isDelivered: false, delaysMs: [600], nowMs });
      // Those that wait for their next attempt are not under way.
      expect(await claim(nowMs + 500)).toHaveLength(2);
      expect(await claim(nowMs + 999)).toEqual([]);
      expect(await claim(nowMs + 1_000)).toHaveLength(MAX_ATTEMPTS_PER_ENDPOINT - 2);
      // Another endpoint has its own.
      await addEndpoint();
      await record();
      const ids = (await listDeliveries(store, { status: 'pending', limit: 100 })).map(({ id }) => id);
      const [other, ...more] = await claimDeliveries(store, ids, nowMs + 1_100, 1_000);
      expect([other?.endpointId === endpointId, more]).toEqual([false, []]);
    });

    test('deliveries of a dead process → due at once', async () => {
      const endpointId = await addEndpoint();
      await record();
      await claimOne(endpointId);
      expect(await listDue(store, endpointId, Date.now(), 10)).toEqual([]);
      expect(await releaseAllDeliveries(store)).toBe(1);
      expect(await listDue(store, endpointId, Date.now(), 10)).toHaveLength(1);
    });

    test('a resend → a new series of attempts, also during one', async () => {
      const endpointId = await addEndpoint();
      await record();
      const nowMs = Date.now();
      const fail = async (atMs: number) =>
        (
          await finishAttempt(store, await claimOne(endpointId, atMs), attempt, {
            isDelivered: false,
            delaysMs: [10],
            nowMs: atMs,
          })
        )?.status;
      expect([await fail(nowMs), await fail(nowMs + 10)]).toEqual(['pending', 'dead']);
      const [{ id } = { id: '' }] = await deliveries();
      expect(await resendDelivery(store, id, nowMs + 20)).toBe('resent');
      expect(await fail(nowMs + 20)).toBe('pending');
      const underWay = await claimOne(endpointId, nowMs + 30);
      expect(await resendDelivery(store, id, nowMs + 30)).toBe('resent');
      const written = await finishAttempt(store, underWay, attempt, {
        isDelivered: false,
        delaysMs: [10],
        nowMs: nowMs + 30,
      });
      expect(written).toEqual({ number: 4, status: 'pending' });
      expect(await fail(nowMs + 40)).toBe('dead');
      expect((await listAttempts(store, id)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    });

    const samples = { 'document.processed': event, 'document.failed': event };

    test('a test → one attempt, marked; a resend of it has a whole series', async () => {
      const endpointId = await addEndpoint();
      const nowMs = Date.now();
      const sent = await insertTestDelivery(store, endpointId, samples, nowMs, organisationId);
      expect(await insertTestDelivery(store, endpointId, samples, nowMs, 'org_other')).toBeUndefined();
      const fail = async (atMs: number) =>
        await finishAttempt(store, await claimOne(endpointId, atMs), attempt, {
          ...{ isDelivered: false, delaysMs: [10, 10, 10], nowMs: atMs },
        });
      const { body } = (await store.read(readDeliveryOf(organisationId, sent?.deliveryId ?? ''))) ?? { body: '{}' };
      expect(JSON.parse(body)).toMatchObject({ test: true, data: { test: true, requestId: event.requestId } });
      expect(await fail(nowMs)).toEqual({ number: 1, status: 'dead' });
      expect(await resendDelivery(store, sent?.deliveryId ?? '', nowMs)).toBe('resent');
      expect(await fail(nowMs)).toEqual({ number: 2, status: 'pending' });
    });

    test('dead deliveries since a time → counted, then due again, those of one endpoint or of all', async () => {
      const [first, second, removed] = [await addEndpoint(), await addEndpoint(), await addEndpoint()];
      const nowMs = Date.now();
      await record(event, nowMs - 5_000);
      await record(event, nowMs - 1_000);
      await store.write(() =>
        run(`UPDATE webhook_delivery SET status = 'dead', next_attempt_at = NULL, finished_at = 1`),
      );
      await record(event, nowMs);
      await removeEndpoint(store, removed, nowMs);
      const count = async (more = {}, sinceMs = 0) =>
        (await store.read(countDead({ organisationId, sinceMs, ...more }))).n;
      expect([await count(), await count({}, nowMs - 1_000), await count({ endpointId: first })]).toEqual([4, 2, 2]);
      expect(await count({ organisationId: 'org_other' })).toBe(0);
      expect(await resendDead(store, { organisationId: 'org_other', sinceMs: 0 }, nowMs)).toBe(0);
      expect(await resendDead(store, { organisationId, sinceMs: nowMs - 1_000, endpointId: first }, nowMs)).toBe(1);
      expect(await listDue(store, first, nowMs, 9)).toHaveLength(2);
      expect(await resendDead(store, { organisationId, sinceMs: 0 }, nowMs)).toBe(3);
      expect([await count(), await resendDead(store, { organisationId, sinceMs: 0 }, nowMs)]).toEqual([0, 0]);
      expect(await listDue(store, second, nowMs, 9)).toHaveLength(3);
    });

    test('a page of deliveries → those of its filters, each with its last attempt, and of one organisation', async () => {
      const endpointId = await addEndpoint();
      const nowMs = Date.now();
      const end = async (atMs: number, what: Partial<typeof attempt>, isDelivered = false) => {
        await record(event, atMs);
        const [id = ''] = (await deliveries()).filter(({ status }) => status === 'pending').map((row) => row.id);
        const [claimed] = await claimDeliveries(store, [id], nowMs, 1_000);
        if (claimed === undefined) throw new Error('not claimed');
        await finishAttempt(store, claimed, { ...attempt, ...what }, { isDelivered, delaysMs: [], nowMs });
        return id;
      };
      const delivered = await end(nowMs - 4_000, { status: 204 }, true);
      const refused = await end(nowMs - 3_000, {});
      const unanswered = await end(nowMs - 2_000, { status: undefined, error: 'no route' } as never);
      await record({ ...event, status: 'failed' }, nowMs - 1_000);
      const [{ id: pending } = { id: '' }] = await deliveries();
      const page = async (filter: DeliveryPageFilter = {}, of = organisationId) => {
        const { rows, olderThan } = await store.read(readDeliveryPage(of, filter));
        return { ids: rows.map(({ id }) => id), olderThan };
      };
      const all = [pending, unanswered, refused, delivered];
      expect(await page()).toEqual({ ids: all, olderThan: undefined });
      expect(await page({ limit: 2 })).toEqual({ ids: all.slice(0, 2), olderThan: unanswered });
      expect((await page({ limit: 2, before: unanswered })).ids).toEqual(all.slice(2));
      expect(await page({}, 'org_other')).toEqual({ ids: [], olderThan: undefined });
      const cases: Array<[DeliveryPageFilter, string[]]> = [
        [{ status: 'dead' }, [unanswered, refused]],
        [{ status: 'delivered' }, [delivered]],
        [{ event: 'document.failed' }, [pending]],
        [{ answerClass: 5 }, [refused]],
        [{ answerClass: 4 }, []],
        [{ isUnanswered: true }, [unanswered]],
        [{ endpointId }, all],
        [{ endpointId: 'whe_0' }, []],
        [{ fromMs: nowMs - 3_000, toMs: nowMs - 2_000 }, [unanswered, refused]],
      ];
      for (const [filter, ids] of cases) expect((await page(filter)).ids, JSON.stringify(filter)).toEqual(ids);
      const [, , row] = (await store.read(readDeliveryPage(organisationId, {}))).rows;
      expect(row).toMatchObject({ attempts: 1, lastStatus: 500, lastLatencyMs: 2, lastStartedAtMs: 1 });
      const details = await store.read(readDeliveryOf(organisationId, refused));
      expect(details?.tries).toMatchObject([{ number: 1, status: 500, answer: 'no' }]);
      expect(await store.read(readDeliveryOf('org_other', refused))).toBeUndefined();
      expect(await store.read(readEndpointHealth(organisationId, nowMs - 3_500))).toMatchObject([
        {
          endpointId,
          delivered: 0,
          dead: 2,
          pending: 1,
          failingSinceMs: nowMs - 3_000,
          lastAttempt: { error: 'no route' },
        },
      ]);
      expect(await store.read(readEndpointHealth('org_other', 0))).toEqual([]);
    });

    test('an endpoint removed during an attempt → the attempt is recorded, no other follows', async () => {
      const endpointId = await addEndpoint();
      await record();
      const underWay = await claimOne(endpointId);
      await removeEndpoint(store, endpointId, Date.now());
      expect(
        await finishAttempt(store, underWay, attempt, { isDelivered: false, delaysMs: [10], nowMs: Date.now() }),
      ).toEqual({ number: 1, status: 'dead' });
      expect(await resendDelivery(store, underWay.id, Date.now())).toBe('endpoint-removed');
      expect(await store.read(one('SELECT secret FROM webhook_endpoint'))).toEqual({ secret: '' });
    });

    test('clean-up → old deliveries and secrets go, pending deliveries stay', async () => {
      const endpointId = await addEndpoint();
      const nowMs = Date.now();
      await record(event, nowMs - 2_000);
      await finishAttempt(store, await claimOne(endpointId), attempt, { isDelivered: true, delaysMs: [], nowMs });
      await record(event, nowMs - 2_000);
      await record(event, nowMs);
      const untilMs = (await replaceSecret(store, endpointId, 'sealed-2', nowMs)) ?? 0;
      const ages = { resultTtlMs: 1_000, cacheTtlMs: 1_000, idempotencyTtlMs: 1_000, requestLogTtlMs: 1_000 };
      await removeExpired(store, ages, nowMs);
      expect((await deliveries()).map(({ status }) => status)).toEqual(['pending', 'pending']);
      expect(await store.read(all('SELECT * FROM webhook_attempt'))).toEqual([]);
      const secrets = () => store.read(one('SELECT secret, previous_secret AS previous FROM webhook_endpoint'));
      expect(await secrets()).toEqual({ secret: 'sealed-2', previous: 'sealed' });
      await removeExpired(store, ages, untilMs + 1);
      expect(await secrets()).toEqual({ secret: 'sealed-2', previous: null });
      await removeEndpoint(store, endpointId, nowMs);
      await removeExpired(store, ages, nowMs + 2_000);
      expect(await deliveries()).toEqual([]);
      await removeExpired(store, ages, nowMs + 2_000);
      expect(await secrets()).toBeUndefined();
    });

    /** A job in the hands of a worker that holds `token`. */
    async function insertRunningJob(token: string, interruptions = 0, pageCount = 3): Promise<ClaimedJob> {
      const [jobId, documentId] = [createId('job'), createId('doc')];
      await store.write(function* () {
        yield* run(
          `INSERT INTO document (id, organisation_id, sha256, size_bytes, mime_type, page_count, created_at) 
       VALUES (:documentId, :organisationId, 'a', 1, 'x', :pageCount, 0)`,
          { documentId, organisationId, pageCount },
        );
        yield* run(
          `INSERT INTO job (id, organisation_id, request_id, document_id, function, args, cache_key, status, priority, attempts,
         interruptions, token, created_at)
       VALUES (:jobId, :organisationId, :requestId, :documentId, 'TEXT_EXTRACTION', '{}', 'c', 'processing', 0, 1, :interruptions,
         :token, 0)`,
          { jobId, organisationId, requestId: `req_of_${jobId}`, documentId, interruptions, token },
        );
      });
      return {
        id: jobId,
        token,
        organisationId,
        requestId: `req_of_${jobId}`,
        documentId,
        function: 'TEXT_EXTRACTION',
        args: '{}',
        cacheKey: 'c',
        engine: 'engine',
        mimeType: 'x',
        sha256: 'ab',
        sizeBytes: 1,
        documentPageCount: 3,
        lane: LANES.long,
        attempts: 1,
        pagesDone: 0,
      };
    }

    test('the end of a job → one event; an end with a lost lease → none', async () => {
      await addEndpoint();
      const queue = createQueue(store);
      const outcome = { body: '{"text":"planted"}', provider: 'test', pageCount: 2, confidence: 0.5, durationMs: 7 };
      const job = await insertRunningJob('newest');
      const failure = { code: 'INVALID_DOCUMENT', message: 'damaged' };
      const run = { durationMs: 7, isBilled: false };
      expect(await queue.complete({ ...job, token: 'older' }, outcome)).toBe(false);
      expect(await queue.fail({ ...job, token: 'older' }, failure, run)).toBe(false);
      expect(await deliveries()).toEqual([]);
      expect(await queue.complete(job, outcome)).toBe(true);
      // Reported again, because its answer was lost: the same end, and no second event.
      expect(await queue.complete(job, outcome)).toBe(true);
      const failed = await insertRunningJob('other');
      expect(await queue.fail(failed, failure, run)).toBe(true);
      const bodies = await store.read(
        all<{ body: string }>('SELECT body FROM webhook_delivery ORDER BY created_at, event DESC'),
      );
      expect(bodies.map(({ body }) => JSON.parse(body).data)).toEqual([
        {
          requestId: job.requestId,
          jobId: job.id,
          function: 'TEXT_EXTRACTION',
          status: 'completed',
          pageCount: 2,
          meta: { provider: 'test', pageCount: 2, confidence: 0.5, cached: false, durationMs: 7 },
        },
        {
          requestId: failed.requestId,
          jobId: failed.id,
          function: 'TEXT_EXTRACTION',
          status: 'failed',
          pageCount: 3,
          error: { code: 'INVALID_DOCUMENT', message: 'damaged', retryable: false },
        },
      ]);
    });

    test('a job that fails before its pages are counted → an event without a page count', async () => {
      await addEndpoint();
      const job = await insertRunningJob('uncounted', 0, 0);
      const failure = { code: 'INVALID_DOCUMENT', message: 'damaged' };
      expect(await createQueue(store).fail(job, failure, { durationMs: 7, isBilled: false })).toBe(true);
      const { body = '{}' } = (await store.read(one<{ body: string }>('SELECT body FROM webhook_delivery'))) ?? {};
      expect(JSON.parse(body).data).toMatchObject({ jobId: job.id, status: 'failed' });
      expect(JSON.parse(body).data).not.toHaveProperty('pageCount');
    });

    test('a job that fails at the start of the service → an event', async () => {
      await addEndpoint();
      const job = await insertRunningJob('gone', 1_000);
      await createQueue(store).releaseAll();
      const { body = '{}' } = (await store.read(one<{ body: string }>('SELECT body FROM webhook_delivery'))) ?? {};
      expect(JSON.parse(body)).toMatchObject({
        type: 'document.failed',
        data: { jobId: job.id, requestId: job.requestId, pageCount: 3, error: { code: 'INTERNAL' } },
      });
    });
  });
}
