import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import type { DocumentEvent } from '../../dist/contract/webhook-event.js';
import { followRequests } from '../../dist/service/administration/request-log.js';
import { startCleanUp } from '../../dist/service/data-directory/clean-up.js';
import { createLog } from '../../dist/service/log.js';
import { createOrganisation } from '../../dist/store/access.js';
import { claim } from '../../dist/store/claims.js';
import { createQueue } from '../../dist/store/create-queue.js';
import { doInTurn } from '../../dist/store/duties.js';
import { findEndOfEvents, insertEvent, listEvents } from '../../dist/store/events.js';
import { bindIdempotencyKey, findIdempotentUse } from '../../dist/store/idempotency.js';
import { findOrganisation, type OwnLimits, updateOrganisation } from '../../dist/store/organisations.js';
import { deletePlan, insertPlan, listPlans, type Plan, updatePlan } from '../../dist/store/plans.js';
import type { Acceptance, ClaimedJob } from '../../dist/store/queue.js';
import { removeExpired } from '../../dist/store/remove-expired.js';
import { writeRequest } from '../../dist/store/requests.js';
import type { Store } from '../../dist/store/store.js';
import { ANY, noteWorkerTime } from '../../dist/store/turns.js';
import { all, one, run } from '../../dist/store/unit.js';
import { findUsage } from '../../dist/store/usage.js';
import {
  claimDeliveries,
  finishAttempt,
  listAttempts,
  listDeliveries,
  listDue,
  resendDelivery,
} from '../../dist/store/webhook-deliveries.js';
import {
  insertEndpoint,
  insertTestDelivery,
  listEndpoints,
  recordEvent,
  removeEndpoint,
  replaceSecret,
} from '../../dist/store/webhooks.js';
import { describePostgres } from '../support/stores.js';
import { makeAcceptance } from './support/make-acceptance.js';

const EVENT: DocumentEvent = { requestId: 'req_1', function: 'TEXT_EXTRACTION', status: 'completed', pageCount: 1 };
const OUTCOME = { body: '{"text":"x"}', provider: 'test', pageCount: 3, confidence: null, durationMs: 5 };
const RUN = { durationMs: 5, isBilled: false };
const AGES = { resultTtlMs: 1_000, cacheTtlMs: 1_000, idempotencyTtlMs: 1_000, requestLogTtlMs: 1_000 };
const PROCESSES = 3;

// One writer at a time hides what this file is about, so it needs a database that processes share.
describePostgres((empty, open, urlOf) => {
  describe('calls of several processes at the same time', () => {
    let stores: Store[] = [];
    let store: Store;
    let organisationId: string;
    beforeEach(async () => {
      await empty();
      stores = await Promise.all(Array.from({ length: PROCESSES }, open));
      [store] = stores as [Store];
      organisationId = await createOrganisation(store, 'Test');
    });
    afterEach(async () => {
      for (const one of stores) await one.close();
    });

    /** Repeats the work `count` times at once, each process its part. */
    const atOnce = <T>(count: number, work: (store: Store, index: number) => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: count }, (_, index) => work(stores[index % PROCESSES] as Store, index)));

    const countRows = async (table: string) =>
      (await store.read(one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)))?.n;

    /** A transaction by hand, which stands still between two of its statements. */
    async function begin() {
      const { default: pg } = await import('pg');
      const client = new pg.Client({ connectionString: urlOf() });
      await client.connect();
      onTestFinished(() => client.end().catch(() => {}));
      await client.query('BEGIN');
      return client;
    }

    /** Resolves once that many statements wait for locks of others. */
    async function untilWaiting(count: number): Promise<void> {
      const sql = `SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await expect.poll(async () => (await store.read(one<{ n: number }>(sql)))?.n).toBe(count);
    }

    test('100 keys, each sent twice → 100 jobs, and the second call repeats the first one’s answer', async () => {
      const calls = Array.from({ length: 200 }, (_, index) => {
        const idempotency = { key: `key ${index >> 1}`, contentHash: 'a' };
        return makeAcceptance(organisationId, { idempotency });
      });
      const answers = await atOnce(200, (process, index) => createQueue(process).accept(calls[index] as Acceptance));
      for (let index = 0; index < 200; index += 2) {
        const [first, second] = [answers[index], answers[index + 1]];
        const winner = first?.kind === 'accepted' ? calls[index] : calls[index + 1];
        const replay = { kind: 'replay', requestId: winner?.requestId };
        expect([first, second]).toEqual(
          first?.kind === 'accepted' ? [{ kind: 'accepted' }, replay] : [replay, { kind: 'accepted' }],
        );
      }
      for (const table of ['job', 'document', 'request', 'idempotency']) expect(await countRows(table)).toBe(100);
      expect(await findUsage(store, organisationId, '2026-01')).toBe(100);
    });

    test('a key whose first call is refused → free for the call that waited for it', async () => {
      const idempotency = { key: 'k', contentHash: 'a' };
      const allowances = [0, 0, 0, 5].map((limit) => ({ period: '2026-02', limit }));
      const answers = await atOnce(4, (process, index) =>
        createQueue(process).accept(
          makeAcceptance(organisationId, { idempotency, allowance: allowances[index] as Acceptance['allowance'] }),
        ),
      );
      expect(answers[3]).toEqual({ kind: 'accepted' });
      for (const { kind } of answers.slice(0, 3)) expect(['exhausted', 'replay']).toContain(kind);
      expect(await countRows('job')).toBe(1);
    });

    test('64 callers on a limit of 10 → 10 documents, in each period', async () => {
      const periods = ['2026-01', '2026-02'];
      const answers = await atOnce(128, (process, index) =>
        createQueue(process).accept(
          makeAcceptance(organisationId, { allowance: { period: periods[index % 2] ?? '', limit: 10 } }),
        ),
      );
      expect(answers.filter(({ kind }) => kind === 'accepted')).toHaveLength(20);
      expect(answers.filter(({ kind }) => kind === 'exhausted')).toHaveLength(108);
      for (const period of periods) expect(await findUsage(store, organisationId, period)).toBe(10);
      for (const table of ['job', 'document', 'request']) expect(await countRows(table)).toBe(20);
    });

    const addEndpoint = async (process = store): Promise<string | undefined> => {
      const id = createId('whe');
      const outcome = await insertEndpoint(process, {
        ...{ id, organisationId, url: `https://x.example/${id}`, events: 'document.processed', secret: 'sealed' },
        ...{ previousSecretUntilMs: null, createdAtMs: Date.now() },
      });
      return outcome === 'added' ? id : undefined;
    };

    test('40 endpoints → 10', async () => {
      const added = await atOnce(40, addEndpoint);
      expect(added.filter((id) => id !== undefined)).toHaveLength(10);
      expect(await listEndpoints(store, organisationId)).toHaveLength(10);
    });

    test('changes of an organisation’s facts → none is lost', async () => {
      const changes: Array<Partial<OwnLimits>> = [
        { functions: '["TABLES"]' },
        { pageCap: 1 },
        { documentsPerPeriod: 2 },
        { requestsPerWindow: 3 },
        { webhooks: 1 },
      ];
      await atOnce(7, (process, index) => {
        if (index === 5) return updateOrganisation(process, organisationId, { name: 'New' });
        if (index === 6) return updateOrganisation(process, organisationId, { plan: 'TRIAL' });
        return updateOrganisation(process, organisationId, { ownLimits: changes[index] ?? {} });
      });
      const found = await findOrganisation(store, organisationId);
      expect(found).toMatchObject({ name: 'New', plan: 'TRIAL', ownLimits: Object.assign({}, ...changes) });
    });

    const makePlan = (name: string): Plan => ({
      ...{
        name,
        functions: undefined,
        pageCap: 1,
        documentsPerPeriod: 1,
        requestsPerWindow: 1,
        hasWebhooks: false,
        weight: 1,
      },
    });

    test('changes of a plan → none is lost; a plan that is added twice → once', async () => {
      const added = await atOnce(6, (process) => insertPlan(process, makePlan('SMALL'), 'TRIAL'));
      expect(added.filter(Boolean)).toHaveLength(1);
      const changes = [{ functions: ['TABLES'] }, { pageCap: 7 }, { documentsPerPeriod: 8 }, { hasWebhooks: true }];
      await atOnce(4, (process, index) => updatePlan(process, 'SMALL', changes[index] ?? {}));
      const found = (await listPlans(store)).find(({ name }) => name === 'SMALL');
      expect(found).toEqual({ ...makePlan('SMALL'), ...Object.assign({}, ...changes) });
    });

    test('a plan that is removed while organisations get it → either, never an organisation without a plan', async () => {
      for (let round = 0; round < 5; round++) {
        const name = `PLAN_${round}`;
        await insertPlan(store, makePlan(name), 'TRIAL');
        await Promise.allSettled([
          ...['a', 'b'].map((of) => createOrganisation(stores[1] as Store, of, { plan: name })),
          updateOrganisation(stores[2] as Store, organisationId, { plan: name }),
          deletePlan(store, name),
        ]);
        const sql = 'SELECT id FROM organisation WHERE NOT EXISTS (SELECT 1 FROM plan WHERE name = organisation.plan)';
        expect(await store.read(all(sql))).toEqual([]);
      }
    });

    const attempt = { startedAtMs: 1, latencyMs: 2, status: 500, error: undefined, answer: 'no\0thing' };

    test('senders that claim the same deliveries → each is claimed once, and its end counts once', async () => {
      const endpointId = (await addEndpoint()) ?? '';
      for (let index = 0; index < 8; index++) await store.write(() => recordEvent(organisationId, EVENT, Date.now()));
      const nowMs = Date.now() + 1_000;
      const claimed = (
        await atOnce(6, async (process, index) => {
          const due = await listDue(process, endpointId, nowMs, 100);
          return await claimDeliveries(process, index % 2 === 0 ? due : due.reverse(), nowMs, 60_000);
        })
      ).flat();
      expect(new Set(claimed.map(({ id }) => id)).size).toBe(8);
      expect(claimed).toHaveLength(8);
      const [delivery = { id: '', token: '' }] = claimed;
      const ends = await atOnce(6, (process) =>
        finishAttempt(process, delivery, attempt, { isDelivered: false, delaysMs: [10, 10], nowMs }),
      );
      expect(ends.filter((end) => end !== undefined)).toEqual([{ number: 1, status: 'pending' }]);
      expect(await listAttempts(store, delivery.id)).toMatchObject([{ number: 1, answer: 'nothing' }]);
    });

    test('senders of one endpoint with many deliveries → 8 attempts at once of all together', async () => {
      const endpoints = [(await addEndpoint()) ?? '', (await addEndpoint()) ?? ''];
      for (let index = 0; index < 30; index++) await store.write(() => recordEvent(organisationId, EVENT, Date.now()));
      const nowMs = Date.now() + 1_000;
      const claimAll = () =>
        atOnce(9, async (process, index) => {
          // Each begins with another endpoint and another delivery.
          const due = await Promise.all(endpoints.map((endpointId) => listDue(process, endpointId, nowMs, 30)));
          const ids = [...due.flat().slice(5 * index), ...due.flat().slice(0, 5 * index)];
          return await claimDeliveries(process, ids, nowMs, 60_000);
        });
      const claimed = (await claimAll()).flat();
      const count = (endpointId: string) => claimed.filter((one) => one.endpointId === endpointId).length;
      expect(endpoints.map(count)).toEqual([8, 8]);
      expect(new Set(claimed.map(({ id }) => id)).size).toBe(16);
      for (const delivery of claimed.slice(0, 3))
        await finishAttempt(store, delivery, attempt, { isDelivered: true, delaysMs: [], nowMs });
      expect((await claimAll()).flat()).toHaveLength(3);
    });

    test('a resend while an attempt ends → the delivery waits for its next attempt', async () => {
      const endpointId = (await addEndpoint()) ?? '';
      for (let round = 0; round < 8; round++) {
        await store.write(() => recordEvent(organisationId, EVENT, Date.now()));
        const nowMs = Date.now() + 1_000;
        const [delivery] = await claimDeliveries(store, await listDue(store, endpointId, nowMs, 1), nowMs, 60_000);
        if (delivery === undefined) throw new Error('nothing is due');
        await Promise.all([
          finishAttempt(stores[1] as Store, delivery, attempt, { isDelivered: false, delaysMs: [60_000], nowMs }),
          resendDelivery(stores[2] as Store, delivery.id, nowMs),
        ]);
        const [row] = (await listDeliveries(store, { limit: 100 })).filter(({ id }) => id === delivery.id);
        expect(row).toMatchObject({ status: 'pending', nextAttemptAtMs: expect.any(Number) });
      }
    });

    test('an endpoint that is removed while deliveries are written, resent and tested → none of them waits', async () => {
      for (let round = 0; round < 8; round++) {
        const endpointId = (await addEndpoint()) ?? '';
        await store.write(() => recordEvent(organisationId, EVENT, Date.now()));
        const nowMs = Date.now() + 1_000;
        const [dead] = await claimDeliveries(store, await listDue(store, endpointId, nowMs, 1), nowMs, 60_000);
        if (dead === undefined) throw new Error('nothing is due');
        await finishAttempt(store, dead, attempt, { isDelivered: false, delaysMs: [], nowMs });
        const samples = { 'document.processed': EVENT, 'document.failed': EVENT };
        await atOnce(9, async (process, index): Promise<unknown> => {
          if (index === 4) return await removeEndpoint(process, endpointId, nowMs);
          if (index % 3 === 0) return await process.write(() => recordEvent(organisationId, EVENT, nowMs));
          if (index % 3 === 1) return await insertTestDelivery(process, endpointId, samples, nowMs);
          return await resendDelivery(process, dead.id, nowMs);
        });
        const pending = await listDeliveries(store, { endpointId, status: 'pending', limit: 100 });
        expect(pending).toEqual([]);
      }
    });

    test('events of two organisations → a reader of each gets all, in their order', async () => {
      const owners = [organisationId, await createOrganisation(store, 'Other')];
      let isDone = false;
      const written = atOnce(120, (process, index) => {
        const requestId = `req_${index}`;
        const owner = owners[index % 2] ?? '';
        return process.write(() => insertEvent(owner, { ...EVENT, requestId }, Date.now()));
      }).then(() => {
        isDone = true;
      });
      const seen = await Promise.all(
        owners.map(async (owner, index) => {
          const numbers: number[] = [];
          for (let wasDone = false; !wasDone; ) {
            wasDone = isDone;
            const { events } = await listEvents(stores[index] as Store, owner, numbers.at(-1) ?? 0, 7);
            numbers.push(...events.map(({ number }) => number));
            if (events.length === 7) wasDone = false;
          }
          return numbers;
        }),
      );
      await written;
      for (const [index, owner] of owners.entries()) {
        const { events } = await listEvents(store, owner, 0, 1_000);
        expect(events).toHaveLength(60);
        expect(seen[index]).toEqual(events.map(({ number }) => number));
      }
    });

    test('a place at the end → before an event that another process is about to commit', async () => {
      const other = await createOrganisation(store, 'Other');
      const unfinished = await begin();
      await unfinished.query(
        `INSERT INTO event (id, organisation_id, type, body, created_at) VALUES ('evt_1', $1, 't', '{}', 0)`,
        [organisationId],
      );
      await store.write(() => insertEvent(other, EVENT, Date.now()));
      const place = await findEndOfEvents(store, organisationId);
      await unfinished.query('COMMIT');
      expect((await listEvents(store, organisationId, place, 10)).events).toMatchObject([{ id: 'evt_1' }]);
    });

    const makeLine = (id: string) => ({
      ...{ id, method: 'GET', path: '/', organisationId, keyId: 'key_1', keyLastFour: 'abcd', function: '' },
      ...{ fileName: undefined, sizeBytes: undefined, sha256: undefined, mimeType: undefined, pageCount: undefined },
      ...{ jobId: undefined, isCached: false, replayOf: undefined, status: 200, errorCode: undefined },
      ...{ errorMessage: undefined, provider: undefined, processingMs: undefined, createdAtMs: 1, durationMs: 1 },
    });

    test('lines of the log that are committed in another order than numbered → each followed once', async () => {
      const follower = await followRequests(store, { limit: 1 });
      const look = async () => (await follower.look()).map(({ requestId }) => requestId);
      const unfinished = await begin();
      await unfinished.query(
        `INSERT INTO request (id, function, cached, created_at, status) VALUES ('req_first', '', 0, 1, 200)`,
      );
      await store.write(() => writeRequest(makeLine('req_second')));
      expect(await look()).toEqual(['req_second']);
      await unfinished.query('COMMIT');
      expect([await look(), await look()]).toEqual([['req_first'], []]);
    });

    test('ends of one job → one of them, and its document counts or not accordingly', async () => {
      const kinds = new Set<string>();
      for (let round = 0; round < 12; round++) {
        const period = `2026-${round}`;
        const queue = createQueue(store);
        await queue.accept(makeAcceptance(organisationId, { allowance: { period, limit: 5 } }));
        const [job] = (await queue.claim(60_000)) as [ClaimedJob];
        const ends = await atOnce(6, async (process, index): Promise<string | undefined> => {
          const own = createQueue(process);
          const turn = (index + round) % 6;
          if (turn % 3 === 0) return (await own.complete(job, OUTCOME)) ? 'completed' : undefined;
          if (turn % 3 === 1) {
            const failure = { code: 'INVALID_DOCUMENT', message: '' };
            return (await own.fail(job, failure, RUN)) ? 'INVALID_DOCUMENT' : undefined;
          }
          const removal = await own.remove({ jobId: job.id, unfinishedOnly: true, resultTtlMs: 60_000 });
          return removal.kind === 'cancelled' ? 'CANCELLED' : undefined;
        });
        // A second removal of a cancelled job is told of the first.
        const [end, ...others] = [...new Set(ends.filter((one) => one !== undefined))];
        expect(others).toEqual([]);
        const view = await queue.find(job.id);
        expect(view?.errorCode ?? view?.status).toBe(end);
        expect(await findUsage(store, organisationId, period)).toBe(end === 'INVALID_DOCUMENT' ? 0 : 1);
        expect((await listEvents(store, organisationId, 0, 100)).events).toHaveLength(round + 1);
        kinds.add(end ?? '');
      }
      expect(kinds.size).toBeGreaterThan(1);
    });

    test('processes that claim all their free slots at once → each job once, and none is left', async () => {
      const owners = [organisationId, await createOrganisation(store, 'Other')];
      const accepted = Array.from({ length: 60 }, (_, index) => makeAcceptance(owners[index % 7 === 0 ? 1 : 0] ?? ''));
      await atOnce(60, (process, index) => createQueue(process).accept(accepted[index] as Acceptance));
      const claimed: string[] = [];
      await atOnce(9, async (process, index) => {
        const queue = createQueue(process);
        for (let jobs = await queue.claim(60_000, ANY, 4 + index); jobs.length > 0; ) {
          claimed.push(...jobs.map(({ id }) => id));
          jobs = await queue.claim(60_000, ANY, 4 + index);
        }
      });
      // Others held the rest while the last ones looked.
      claimed.push(...(await createQueue(store).claim(60_000, ANY, 60)).map(({ id }) => id));
      expect(claimed.sort()).toEqual(accepted.map(({ jobId }) => jobId).sort());
    });

    test('leases that expire while their holders extend them → kept, or released once', async () => {
      const queue = createQueue(store);
      const jobs: ClaimedJob[] = [];
      for (let index = 0; index < 20; index++) await queue.accept(makeAcceptance(organisationId));
      for (let index = 0; index < 20; index++) jobs.push(...(await queue.claim(-1)));
      const released: number[] = [];
      const lost: string[] = [];
      await atOnce(9, async (process, index) => {
        const own = createQueue(process);
        // Each process holds its part of the jobs.
        const held = jobs.filter((_, place) => place % PROCESSES === index);
        const beats = held.map(({ id, token }) => ({ jobId: id, token, pagesDone: 1, pageCount: 3 }));
        if (index < PROCESSES) lost.push(...(await own.beat(beats, 60_000)));
        else released.push(await own.releaseExpired());
      });
      const states = await Promise.all(jobs.map(({ id }) => queue.find(id)));
      const queued = states.filter((view) => view?.status === 'queued');
      expect(released.reduce((sum, count) => sum + count, 0)).toBe(queued.length);
      expect(queued.length + states.filter((view) => view?.status === 'processing').length).toBe(20);
      for (const view of queued) expect(lost).toContain(view?.jobId);
    });

    test('first runs of an organisation that end together → the use of both counts', async () => {
      const fadesAt = async () =>
        (await store.read(one<{ at: number }>('SELECT fades_at AS at FROM worker_time')))?.at ?? 0;
      await store.write(() => noteWorkerTime(organisationId, 60_000));
      const single = (await fadesAt()) - store.clock.steadyNow();
      await store.write(() => run('DELETE FROM worker_time'));
      await atOnce(8, (process) => process.write(() => noteWorkerTime(organisationId, 60_000)));
      // Eight times the use takes three more halvings of 30 s to fade.
      expect((await fadesAt()) - store.clock.steadyNow() - single).toBeGreaterThan(80_000);
    });

    test('what changes while it is found to be expired → stays', async () => {
      const nowMs = Date.now();
      const use = { key: 'k', contentHash: 'a' };
      await store.write(() => bindIdempotencyKey(organisationId, use, 'req_old', 1_000));
      const endpointId = (await addEndpoint()) ?? '';
      await replaceSecret(store, endpointId, 'second', 1_000);
      await store.write(() => recordEvent(organisationId, EVENT, 1_000));
      const [delivery] = await claimDeliveries(store, await listDue(store, endpointId, nowMs, 1), nowMs, 1);
      if (delivery === undefined) throw new Error('nothing is due');
      await finishAttempt(store, delivery, attempt, { isDelivered: false, delaysMs: [], nowMs: 1_000 });
      const changing = await begin();
      await changing.query('UPDATE idempotency SET created_at = $1', [nowMs]);
      await changing.query('UPDATE webhook_endpoint SET previous_secret_until = $1', [nowMs + 60_000]);
      await changing.query(`UPDATE webhook_delivery SET status = 'pending', next_attempt_at = 1`);
      const cleaning = removeExpired(stores[1] as Store, AGES, nowMs);
      await Promise.race([cleaning, untilWaiting(1)]);
      await changing.query('COMMIT');
      await cleaning;
      expect(await store.read(findIdempotentUse(organisationId, use, nowMs))).toMatchObject({ kind: 'replay' });
      expect(await store.read(one('SELECT previous_secret AS secret FROM webhook_endpoint'))).toEqual({
        secret: 'sealed',
      });
      expect(await listDeliveries(store, { limit: 10 })).toMatchObject([{ status: 'pending' }]);
    });

    test('clean-ups of all processes → everything that expired is gone', async () => {
      const owners = [organisationId, await createOrganisation(store, 'Other')];
      await store.write(function* () {
        for (let index = 0; index < 1_500; index++) {
          yield* bindIdempotencyKey(organisationId, { key: `k${index}`, contentHash: 'a' }, 'req_1', 1_000);
          yield* insertEvent(owners[index % 2] ?? '', EVENT, 1_000 + index);
        }
      });
      await atOnce(6, (process) => removeExpired(process, AGES, Date.now()));
      await removeExpired(store, AGES, Date.now());
      for (const table of ['idempotency', 'event']) expect(await countRows(table)).toBe(0);
      // The stream of each organisation knows what it lost.
      for (const owner of owners) expect((await listEvents(store, owner, 0, 10)).isMissing).toBe(true);
      expect(await findEndOfEvents(store, organisationId)).toBe(1_499);
      expect(await findEndOfEvents(store, owners[1] ?? '')).toBe(1_500);
    });

    const DUTY = { name: 'test', intervalMs: 3_600_000, leaseMs: 60_000 };
    const untilStopped = new AbortController().signal;

    test('a duty → one process does it, and nobody again within the interval', async () => {
      let rounds = 0;
      const count = async () => {
        rounds++;
      };
      const look = (process: Store) => doInTurn(process, DUTY, count, untilStopped);
      const waits = [...(await atOnce(9, look)), ...(await atOnce(9, look))];
      expect(rounds).toBe(1);
      for (const waitMs of waits) expect(waitMs).toBeLessThanOrEqual(DUTY.intervalMs);
      // Those that came after the round wait for the next one.
      for (const waitMs of waits.slice(9)) expect(waitMs).toBeGreaterThan(DUTY.leaseMs);
      const due = String(store.clock.steadyNow());
      await store.write(() => run('UPDATE setting SET value = :due', { due }));
      await atOnce(9, look);
      expect(rounds).toBe(2);
    });

    test('a duty longer than its lease → kept; one that another process has taken → stopped', async () => {
      const begun: string[] = [];
      const duty = { ...DUTY, leaseMs: 300 };
      const holding = doInTurn(
        store,
        duty,
        (lost) => {
          begun.push('first');
          return new Promise((resolve) => lost.addEventListener('abort', () => resolve()));
        },
        untilStopped,
      );
      const until = async () =>
        (await store.read(one<{ value: string }>(`SELECT value FROM setting WHERE name = 'duty test'`)))?.value;
      await expect.poll(until).toBeDefined();
      const firstUntil = await until();
      await expect.poll(until).not.toBe(firstUntil);
      const others = async () => {
        begun.push('other');
      };
      await doInTurn(stores[1] as Store, duty, others, untilStopped);
      expect(begun).toEqual(['first']);
      // The first process was cut off for so long that its lease ended.
      await store.write(() => run('UPDATE setting SET value = :due', { due: '0' }));
      await doInTurn(stores[1] as Store, { ...duty, leaseMs: 60_000 }, others, untilStopped);
      await holding;
      expect(begun).toEqual(['first', 'other']);
      // Its end does not change when the other's next round is due.
      const waitMs = await doInTurn(store, duty, others, untilStopped);
      expect(waitMs).toBeGreaterThan(60_000);
    });

    test('a duty whose process stops → the next process begins again', async () => {
      const stop = new AbortController();
      await doInTurn(store, DUTY, async () => stop.abort(), stop.signal);
      let isDone = false;
      await doInTurn(
        stores[1] as Store,
        DUTY,
        async () => {
          isDone = true;
        },
        untilStopped,
      );
      expect(isDone).toBe(true);
    });

    test('processes that start together → one cleans up', async () => {
      let sweeps = 0;
      const blobs = {
        sweep: async () => {
          sweeps++;
          return 0;
        },
      };
      const log = createLog('silent');
      const stops = await atOnce(PROCESSES, async (process) => startCleanUp({ store: process, blobs }, AGES, log));
      await expect.poll(() => sweeps).toBe(1);
      await Promise.all(stops.map((stop) => stop()));
      expect(sweeps).toBe(1);
    });

    test('a claim among many waiting jobs → follows an index to the first ones, and reads no table of jobs', async () => {
      await store.write(() => run(manyJobs(), { organisationId }));
      await store.write(() => run('ANALYZE job'));
      const unit = claim(1_000, ANY, 2, store.isShared);
      const plan: string[] = [];
      for (let step = unit.next(); step.done !== true; ) {
        if (step.value === 'clock') {
          step = unit.next(store.clock);
          continue;
        }
        const { sql, values } = step.value;
        const lines = await store.read(all<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values));
        plan.push(...lines.map((line) => line['QUERY PLAN']));
        // A second look, at thousands of jobs, comes where others hold all that the first one found.
        if (sql.includes('FOR UPDATE')) break;
        step = unit.next([]);
      }
      expect(plan.filter((line) => /using job_turn/.test(line)).length).toBeGreaterThan(0);
      expect(plan.filter((line) => /Seq Scan on job\b/.test(line))).toEqual([]);
    });
  });
});

/** Jobs of one organisation, too many to be read for each claim. */
function manyJobs(): string {
  const numbers = 'generate_series(1, 20000) AS n';
  return `
    WITH documents AS (
      INSERT INTO document (id, organisation_id, sha256, size_bytes, mime_type, page_count, created_at)
        SELECT 'doc_' || n, :organisationId, 'ab', 1, 'application/pdf', 1, n FROM ${numbers} RETURNING id
    )
    INSERT INTO job (id, organisation_id, request_id, document_id, function, args, cache_key, status, priority, attempts,
        interruptions, created_at)
      SELECT 'job_' || n, :organisationId, 'req_' || n, 'doc_' || n, 'TEXT_EXTRACTION', '{}', CAST(n AS text), 'queued', 0, 0, 0, n
        FROM ${numbers}`;
}
