import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import { ALL_LANES, type Effort, LANES, type Lane, setOfLanes } from '../../dist/store/lanes.js';
import { type Acceptance, type ClaimedJob, IDEMPOTENCY_TTL_MS, type Queue } from '../../dist/store/queue.js';
import { ANY } from '../../dist/store/turns.js';
import { makeAcceptance as acceptanceOf } from './support/make-acceptance.js';

const LIGHT = { choice: 'light', lanes: ALL_LANES } as const;
const BRIEF: Effort = { lane: LANES.brief, delayMs: 0 };

export interface OpenQueue {
  queue: Queue;
  /** An organisation that jobs may belong to. */
  organisationId: string;
  /** Adds another one, on a plan that weighs so much. */
  addOrganisation(weight?: number): Promise<string>;
  close(): Promise<void>;
}

/** The contract of every queue engine, tested through its interface. */
export function describeQueue(engine: string, open: () => Promise<OpenQueue>): void {
  describe(`the queue on ${engine}`, () => {
    let opened: OpenQueue;
    let queue: Queue;
    beforeEach(async () => {
      opened = await open();
      queue = opened.queue;
    });
    afterEach(() => opened.close());

    const makeAcceptance = (more: Partial<Acceptance> = {}) => acceptanceOf(opened.organisationId, more);

    async function claim(leaseMs = 10_000): Promise<ClaimedJob> {
      const [job] = await queue.claim(leaseMs);
      if (job === undefined) throw new Error('nothing to claim');
      return job;
    }

    const run = { durationMs: 5, isBilled: false };
    const outcome = { body: '{"text":"x"}', provider: 'test', pageCount: 3, confidence: 0.875, durationMs: 5 };

    test('a claim → one worker, the job’s facts, one attempt counted', async () => {
      const acceptance = makeAcceptance();
      await queue.accept(acceptance);
      const claims = await Promise.all(Array.from({ length: 5 }, () => queue.claim(10_000)));
      const [job, ...others] = claims.flat();
      expect(others).toEqual([]);
      expect(job).toMatchObject({
        id: acceptance.jobId,
        requestId: acceptance.requestId,
        documentId: acceptance.document.id,
        mimeType: 'application/pdf',
        documentPageCount: 3,
        attempts: 1,
      });
      expect(await queue.find(acceptance.jobId)).toMatchObject({
        status: 'processing',
        startedAtMs: expect.any(Number),
      });
    });

    test('claims → urgent jobs first, then the oldest', async () => {
      const ids = ['late', 'early', 'urgent'].map(() => createId('job'));
      const [late = '', early = '', urgent = ''] = ids;
      await queue.accept(makeAcceptance({ jobId: late, nowMs: 300 }));
      await queue.accept(makeAcceptance({ jobId: early, nowMs: 100 }));
      await queue.accept(makeAcceptance({ jobId: urgent, nowMs: 500, isUrgent: true }));
      expect([(await claim()).id, (await claim()).id, (await claim()).id]).toEqual([urgent, early, late]);
    });

    test('an urgent job half a minute younger → does not overtake', async () => {
      const [old, fresh] = [createId('job'), createId('job')];
      await queue.accept(makeAcceptance({ jobId: fresh, nowMs: 31_000, isUrgent: true }));
      await queue.accept(makeAcceptance({ jobId: old, nowMs: 500 }));
      expect([(await claim()).id, (await claim()).id]).toEqual([old, fresh]);
    });

    /** Queues jobs and returns their ids; the first is the oldest. */
    async function enqueue(organisationId: string, count: number, nowMs: number, isUrgent = false): Promise<string[]> {
      const ids = Array.from({ length: count }, () => createId('job'));
      for (const [index, jobId] of ids.entries())
        await queue.accept(makeAcceptance({ organisationId, jobId, nowMs: nowMs + index, isUrgent }));
      return ids;
    }

    const addOrganisations = (count: number) =>
      Promise.all(Array.from({ length: count }, () => opened.addOrganisation()));

    test('an organisation with many older jobs → another one gets the next slot', async () => {
      const [many = '', few = ''] = await addOrganisations(2);
      const older = await enqueue(many, 5, 1_000, true);
      const newer = await enqueue(few, 2, 5_000_000);
      const claimed = [await claim(), await claim(), await claim(), await claim(), await claim()];
      expect(claimed.map(({ id }) => id)).toEqual([older[0], newer[0], older[1], newer[1], older[2]]);
    });

    test('a plan that weighs more → so many times as many documents at once, slot by slot or together', async () => {
      const [light, heavy] = [await opened.addOrganisation(), await opened.addOrganisation(3)];
      const ofLight = await enqueue(light, 4, 1_000);
      const ofHeavy = await enqueue(heavy, 12, 5_000_000);
      const countHeavy = (jobs: readonly ClaimedJob[]) => jobs.filter(({ id }) => ofHeavy.includes(id)).length;
      const claimed: ClaimedJob[] = [];
      while (claimed.length < 8) claimed.push(await claim());
      expect(countHeavy(claimed)).toBe(6);
      expect(claimed[0]?.id).toBe(ofLight[0]);
      expect(countHeavy(await queue.claim(60_000, ANY, 8))).toBe(6);
    });

    test('one free slot after another → the organisation that used less of the workers goes first', async () => {
      const [heavy = '', light = ''] = await addOrganisations(2);
      await enqueue(heavy, 3, 1_000);
      await enqueue(light, 9, 5_000);
      const turns: string[] = [];
      for (let turn = 0; turn < 6; turn++) {
        const job = await claim();
        turns.push(job.organisationId === heavy ? 'heavy' : 'light');
        await queue.complete(job, { ...outcome, durationMs: job.organisationId === heavy ? 60_000 : 300 });
      }
      // At first both have used nothing, and the oldest job decides.
      expect(turns).toEqual(['heavy', ...Array(5).fill('light')]);
    });

    test.each(['fail', 'release', 'postpone'] as const)(
      'a run that ends by %s → counts as use of the workers',
      async (end) => {
        const [failing = '', other = ''] = await addOrganisations(2);
        await enqueue(failing, 2, 1_000);
        await enqueue(other, 1, 5_000);
        const job = await claim();
        expect(job.organisationId).toBe(failing);
        if (end === 'fail') await queue.fail(job, { code: 'INTERNAL', message: '' }, { ...run, durationMs: 60_000 });
        else if (end === 'release') await queue.release(job, 'worker-died', { durationMs: 60_000 });
        else await queue.postpone(job, { lane: LANES.long, delayMs: 0 }, { durationMs: 60_000 });
        expect((await claim()).organisationId).toBe(other);
      },
    );

    test('quick documents → cost less than their time', async () => {
      const [slow = '', quick = ''] = await addOrganisations(2);
      const work = async (organisationId: string, durationMs: number) => {
        await enqueue(organisationId, 1, Date.now());
        await queue.complete(await claim(), { ...outcome, durationMs });
      };
      await work(slow, 600);
      // Together they took longer.
      for (let i = 0; i < 40; i++) await work(quick, 20);
      await enqueue(slow, 1, 1_000);
      await enqueue(quick, 1, 5_000);
      expect((await claim()).organisationId).toBe(quick);
    });

    test('an organisation whose documents were quick → goes before one that is new', async () => {
      const [fresh = '', quick = ''] = await addOrganisations(2);
      await enqueue(quick, 1, 1_000);
      await queue.complete(await claim(), { ...outcome, durationMs: 20 });
      await enqueue(fresh, 1, 1_000);
      await enqueue(quick, 1, 5_000);
      expect((await claim()).organisationId).toBe(quick);
    });

    test('a claim for a reserved slot → only organisations with nothing running and little recent use', async () => {
      const [running = '', heavy = '', light = ''] = await addOrganisations(3);
      await enqueue(heavy, 2, 1_000);
      await queue.complete(await claim(), { ...outcome, durationMs: 60_000 });
      await enqueue(running, 2, 1_000);
      expect((await claim()).organisationId).toBe(running);
      expect(await queue.claim(10_000, LIGHT)).toEqual([]);
      const [job] = await enqueue(light, 1, 5_000);
      expect((await queue.claim(10_000, LIGHT))[0]?.id).toBe(job);
      expect(await queue.claim(10_000, LIGHT)).toEqual([]);
      expect([(await claim()).organisationId, (await claim()).organisationId]).toEqual([heavy, running]);
    });

    test('little recent use → at most half of the use of one that has documents running', async () => {
      const [most = '', half = '', third = ''] = await addOrganisations(3);
      const uses = new Map([
        [most, 12_000],
        [half, 7_000],
        [third, 4_000],
      ]);
      for (const [organisationId, durationMs] of uses) {
        await enqueue(organisationId, 1, 1_000);
        await queue.complete(await claim(), { ...outcome, durationMs });
      }
      await enqueue(half, 1, 1_000);
      await enqueue(third, 1, 5_000);
      // Beside nothing that runs, neither use is little.
      expect(await queue.claim(10_000, LIGHT)).toEqual([]);
      await enqueue(most, 1, 1_000);
      const running: ClaimedJob[] = [await claim(), await claim(), await claim()];
      expect(running.map(({ organisationId }) => organisationId)).toEqual([third, half, most]);
      await enqueue(half, 1, 1_000);
      await enqueue(third, 1, 5_000);
      for (const job of running.slice(0, 2)) await queue.release(job, 'service-stops', { durationMs: 0 });
      expect((await queue.claim(10_000, LIGHT))[0]?.organisationId).toBe(third);
      expect(await queue.claim(10_000, LIGHT)).toEqual([]);
    });

    test('random load → no organisation waits behind one that has more running', async () => {
      const organisations = await addOrganisations(4);
      const steps = fc.array(
        fc.oneof(
          {
            weight: 4,
            arbitrary: fc.record({ step: fc.constant('accept' as const), of: fc.nat(3), urgent: fc.boolean() }),
          },
          { weight: 2, arbitrary: fc.record({ step: fc.constant('claim' as const), light: fc.boolean() }) },
          { weight: 1, arbitrary: fc.record({ step: fc.constant('claim several' as const), count: fc.nat(6) }) },
          { weight: 1, arbitrary: fc.record({ step: fc.constant('end' as const), durationMs: fc.nat(5_000) }) },
        ),
        { minLength: 20, maxLength: 60 },
      );
      await fc.assert(
        fc.asyncProperty(steps, async (chosen) => {
          const waiting = new Map(organisations.map((id) => [id, 0]));
          const running: ClaimedJob[] = [];
          const countRunning = (id: string) => running.filter((job) => job.organisationId === id).length;
          const start = async (choice: 'any' | 'light') => {
            const candidates = organisations.filter((id) => (waiting.get(id) ?? 0) > 0);
            const [job] = await queue.claim(60_000, { choice, lanes: ALL_LANES });
            if (job === undefined) return expect(choice === 'light' || candidates.length === 0).toBe(true);
            const fewest = Math.min(...candidates.map(countRunning));
            expect(countRunning(job.organisationId)).toBe(fewest);
            if (choice === 'light') expect(fewest).toBe(0);
            waiting.set(job.organisationId, (waiting.get(job.organisationId) ?? 0) - 1);
            running.push(job);
          };
          const startSeveral = async (count: number) => {
            const jobs = await queue.claim(60_000, ANY, count);
            expect(jobs).toHaveLength(
              Math.min(
                count,
                [...waiting.values()].reduce((sum, n) => sum + n, 0),
              ),
            );
            running.push(...jobs);
            for (const { organisationId: id } of jobs) waiting.set(id, (waiting.get(id) ?? 0) - 1);
            const others = organisations.filter((id) => (waiting.get(id) ?? 0) > 0).map(countRunning);
            // The last job of each was claimed while no other that waits had fewer running.
            for (const { organisationId: id } of jobs)
              for (const documents of others) expect(countRunning(id) - 1).toBeLessThanOrEqual(documents);
          };
          for (const one of chosen) {
            if (one.step === 'claim several') await startSeveral(one.count + 2);
            else if (one.step === 'accept') {
              const id = organisations[one.of] ?? '';
              await enqueue(id, 1, Date.now(), one.urgent);
              waiting.set(id, (waiting.get(id) ?? 0) + 1);
            } else if (one.step === 'claim') await start(one.light ? 'light' : 'any');
            else {
              const job = running.shift();
              if (job !== undefined) await queue.complete(job, { ...outcome, durationMs: one.durationMs });
            }
          }
          while ([...waiting.values()].some((count) => count > 0)) await start('any');
          for (const job of running) await queue.complete(job, outcome);
        }),
        { numRuns: 12 },
      );
    });

    test('several free slots → the jobs that as many claims one after the other would take', async () => {
      const [busy = '', first = '', second = ''] = await addOrganisations(3);
      const running = await enqueue(busy, 1, 1_000);
      expect((await claim()).id).toBe(running[0]);
      const urgent = await enqueue(first, 2, 20_000, true);
      const [old = '', later = ''] = await enqueue(first, 2, 3_000);
      const ofBusy = await enqueue(busy, 3, 2_000);
      const ofSecond = await enqueue(second, 1, 50_000);
      const claimed = (await queue.claim(60_000, ANY, 6)).map(({ id }) => id);
      // One each while the busy one has its first, then two each, then three.
      const expected = [urgent[0], ofSecond[0], urgent[1], ofBusy[0], old, ofBusy[1]];
      expect(claimed.sort()).toEqual(expected.sort());
      const rest = (await queue.claim(60_000, ANY, 6)).map(({ id }) => id);
      expect(rest.sort()).toEqual([ofBusy[2], later].sort());
      expect(await queue.claim(60_000, ANY, 6)).toEqual([]);
    });

    test('jobs that are claimed together → each with its own facts, and ended on its own', async () => {
      const accepted = [1, 2].map((sizeBytes) =>
        makeAcceptance({
          document: {
            id: createId('doc'),
            sha256: `a${sizeBytes}`,
            sizeBytes,
            mimeType: 'image/png',
            pageCount: undefined,
          },
        }),
      );
      for (const acceptance of accepted) await queue.accept(acceptance);
      const jobs = await queue.claim(60_000, ANY, 2);
      for (const { jobId, document } of accepted) {
        const job = jobs.find(({ id }) => id === jobId);
        const { sha256, sizeBytes, mimeType } = document;
        expect(job).toMatchObject({ documentId: document.id, sha256, sizeBytes, mimeType, documentPageCount: null });
      }
      const [one, other] = jobs as [ClaimedJob, ClaimedJob];
      expect(await queue.complete(one, outcome)).toBe(true);
      expect(await queue.release(other, 'service-stops', { durationMs: 1 })).toBe(true);
      expect((await claim()).id).toBe(other.id);
      expect(await queue.complete(other, outcome)).toBe(false);
    });

    const enqueueIn = async (organisationId: string, nowMs: number, lane: Lane, delayMs = 0): Promise<string> => {
      const jobId = createId('job');
      await queue.accept(makeAcceptance({ organisationId, jobId, nowMs, effort: { lane, delayMs } }));
      return jobId;
    };
    const claimIn = async (...lanes: Lane[]) =>
      (await queue.claim(10_000, { choice: 'any', lanes: setOfLanes(lanes) }))[0]?.id;

    test('a claim for some lanes → the first document of these, else none', async () => {
      const [first = '', second = ''] = await addOrganisations(2);
      await enqueueIn(first, 1_000, LANES.long);
      expect(await claimIn(LANES.brief, LANES.text, LANES.short, LANES.medium)).toBeUndefined();
      const short = await enqueueIn(first, 3_000, LANES.short);
      const brief = await enqueueIn(first, 4_000, LANES.brief);
      expect(await claimIn(LANES.brief, LANES.text)).toBe(brief);
      const other = await enqueueIn(second, 5_000, LANES.short);
      // The first organisation has a document running.
      expect(await claimIn(LANES.brief, LANES.short)).toBe(other);
      expect(await claimIn(LANES.brief, LANES.short)).toBe(short);
      expect(await claimIn(LANES.brief, LANES.short)).toBeUndefined();
      expect((await claim()).lane).toBe(LANES.long);
    });

    test('a document that takes longer → overtaken by younger ones, for as long as its delay', async () => {
      const { organisationId } = opened;
      const long = await enqueueIn(organisationId, 1_000, LANES.long, 60_000);
      const soon = await enqueueIn(organisationId, 50_000, LANES.short, 2_000);
      const late = await enqueueIn(organisationId, 60_000, LANES.short, 2_000);
      expect([(await claim()).id, (await claim()).id, (await claim()).id]).toEqual([soon, long, late]);
    });

    test('short documents without end → a long one is not starved', async () => {
      const { organisationId } = opened;
      const long = await enqueueIn(organisationId, 0, LANES.long, 60_000);
      let turns = 0;
      for (let nowMs = 1_000; ; nowMs += 1_000) {
        await enqueueIn(organisationId, nowMs, LANES.brief, 30);
        const job = await claim();
        turns++;
        await queue.complete(job, outcome);
        if (job.id === long) break;
        expect(turns).toBeLessThan(70);
      }
    });

    test('pages that are counted late → the document waits in the lane that they give it', async () => {
      const { organisationId } = opened;
      const jobId = await enqueueIn(organisationId, 1_000, LANES.brief);
      const job = await claim();
      expect(job).toMatchObject({ id: jobId, lane: LANES.brief });
      await queue.noteCount(job, 900, { lane: LANES.long, delayMs: 60_000 });
      await queue.release(job, 'service-stops', { durationMs: 1 });
      expect(await claimIn(LANES.brief)).toBeUndefined();
      const short = await enqueueIn(organisationId, 50_000, LANES.short);
      expect((await claim()).id).toBe(short);
      expect(await claim()).toMatchObject({ id: jobId, lane: LANES.long, attempts: 1, documentPageCount: 900 });
    });

    test('a run that is postponed → queued in a longer lane, with its progress, and no attempt counted', async () => {
      const { organisationId } = opened;
      const jobId = await enqueueIn(organisationId, 1_000, LANES.brief, 30);
      const job = await claim();
      await queue.beat([{ jobId, token: job.token, pagesDone: 2, pageCount: 3 }], 10_000);
      const effort = { lane: LANES.medium, delayMs: 30_000 };
      expect(await queue.postpone({ ...job, token: 'old' }, effort, run)).toBe(false);
      expect(await queue.postpone(job, effort, run)).toBe(true);
      expect(await queue.find(jobId)).toMatchObject({ status: 'queued', pagesDone: 2, pageCount: 3 });
      expect(await claimIn(LANES.brief, LANES.text, LANES.short)).toBeUndefined();
      expect(await claim()).toMatchObject({ id: jobId, lane: LANES.medium, attempts: 1, pagesDone: 2 });
    });

    test('a run whose process died → its progress begins again', async () => {
      await queue.accept(makeAcceptance());
      const job = await claim();
      await queue.beat([{ jobId: job.id, token: job.token, pagesDone: 2, pageCount: 3 }], 10_000);
      await queue.release(job, 'worker-died', run);
      expect(await claim()).toMatchObject({ id: job.id, pagesDone: 0 });
    });

    test('efforts that are corrected → only to longer lanes, and the delays do not add up', async () => {
      const { organisationId } = opened;
      const jobId = await enqueueIn(organisationId, 1_000, LANES.brief, 30_000);
      const job = await claim();
      const lanes = [LANES.medium, LANES.text, LANES.long, LANES.brief];
      for (const lane of lanes) expect(await queue.correctEffort(job, { lane, delayMs: 30_000 })).toBe(true);
      expect(await queue.correctEffort({ ...job, token: 'old' }, BRIEF)).toBe(false);
      await queue.release(job, 'service-stops', run);
      const sooner = await enqueueIn(organisationId, 30_000, LANES.brief);
      const later = await enqueueIn(organisationId, 32_000, LANES.brief);
      const claimed = [await claim(), await claim(), await claim()];
      expect(claimed.map(({ id }) => id)).toEqual([sooner, jobId, later]);
      expect(claimed[1]).toMatchObject({ lane: LANES.long });
    });

    test('an ordinary job, or defer before the end → deferred; a finished job stays as it is', async () => {
      const makeUrgent = () => makeAcceptance({ isUrgent: true });
      const [queued, slow, quick] = [makeAcceptance(), makeUrgent(), makeUrgent()];
      for (const acceptance of [queued, slow, quick]) await queue.accept(acceptance);
      const view = async () => {
        const views = await Promise.all([queued, slow, quick].map(({ jobId }) => queue.find(jobId)));
        return views.map((job) => job?.deferred);
      };
      expect(await view()).toEqual([1, 0, 0]);
      await queue.defer(slow.jobId);
      await queue.defer(slow.jobId);
      const jobs = [await claim(), await claim(), await claim()];
      for (const job of jobs) await queue.complete(job, outcome);
      await queue.defer(quick.jobId);
      expect(await view()).toEqual([1, 1, 0]);
    });

    test('a worker with an expired lease → cannot end or extend the job', async () => {
      await queue.accept(makeAcceptance());
      const zombie = await claim(1);
      await sleep(5);
      expect(await queue.releaseExpired()).toBe(1);
      const heir = await claim();
      // An interruption is no attempt, which would count against the document.
      expect(heir).toMatchObject({ id: zombie.id, attempts: 1 });
      const beat = { jobId: zombie.id, token: zombie.token, pagesDone: 1, pageCount: 3 };
      expect(await queue.beat([beat], 10_000)).toEqual([zombie.id]);
      expect(await queue.complete(zombie, outcome)).toBe(false);
      expect(await queue.fail(zombie, { code: 'INTERNAL', message: '' }, run)).toBe(false);
      expect(await queue.release(zombie, 'worker-died', run)).toBe(false);
      expect(await queue.complete(heir, outcome)).toBe(true);
      expect({ ...(await queue.findOutcome(heir.id)) }).toEqual(outcome);
    });

    test('an end that is reported again, because its answer was lost → taken for the same, and done once', async () => {
      const allowance = { period: '2026-01', limit: 2 };
      const accept = () => queue.accept(makeAcceptance({ allowance }));
      await accept();
      const job = await claim();
      for (let i = 0; i < 2; i++) expect(await queue.complete(job, outcome)).toBe(true);
      expect(await queue.fail(job, { code: 'INTERNAL', message: '' }, run)).toBe(false);
      expect(await queue.release(job, 'worker-died', run)).toBe(false);
      expect(await queue.beat([{ jobId: job.id, token: job.token, pagesDone: 0, pageCount: 3 }], 1)).toEqual([job.id]);
      expect({ ...(await queue.findOutcome(job.id)) }).toEqual(outcome);
      await accept();
      const refused = await claim();
      for (let i = 0; i < 2; i++)
        expect(await queue.fail(refused, { code: 'INVALID_DOCUMENT', message: '' }, run)).toBe(true);
      // It was given back once: one more fits, and no other.
      expect([(await accept()).kind, (await accept()).kind]).toEqual(['accepted', 'exhausted']);
    });

    test('a document without a page count → claimed as such, counted once, and known from then on', async () => {
      const document = {
        id: createId('doc'),
        sha256: 'cd',
        sizeBytes: 7,
        mimeType: 'image/tiff',
        pageCount: undefined,
      };
      const acceptance = makeAcceptance({ document });
      await queue.accept(acceptance);
      expect(await queue.find(acceptance.jobId)).toMatchObject({ pageCount: null });
      const zombie = await claim(1);
      expect(zombie).toMatchObject({ sha256: 'cd', sizeBytes: 7, documentPageCount: null });
      await queue.beat([{ jobId: zombie.id, token: zombie.token, pagesDone: 0, pageCount: null }], 1);
      expect(await queue.find(acceptance.jobId)).toMatchObject({ pagesDone: 0, pageCount: null });
      await sleep(5);
      await queue.releaseExpired();
      const heir = await claim();
      expect(await queue.noteCount(zombie, 9, BRIEF)).toBe(false);
      expect(await queue.noteCount(heir, 4, BRIEF)).toBe(true);
      await queue.beat([{ jobId: heir.id, token: heir.token, pagesDone: 0, pageCount: null }], 1);
      expect(await queue.find(acceptance.jobId)).toMatchObject({ pageCount: 4 });
      await queue.release(heir, 'service-stops', { durationMs: 1 });
      expect(await claim()).toMatchObject({ documentPageCount: 4 });
    });

    test('a beat → extends the lease and records progress', async () => {
      await queue.accept(makeAcceptance());
      const job = await claim(1);
      expect(await queue.beat([{ jobId: job.id, token: job.token, pagesDone: 2, pageCount: 3 }], 60_000)).toEqual([]);
      await sleep(5);
      expect(await queue.releaseExpired()).toBe(0);
      expect(await queue.find(job.id)).toMatchObject({ pagesDone: 2, pageCount: 3 });
    });

    test('a dead worker → the attempt counts; a stopped or killed service → it does not', async () => {
      await queue.accept(makeAcceptance());
      await queue.release(await claim(), 'worker-died', run);
      const second = await claim();
      expect(second.attempts).toBe(2);
      await queue.release(second, 'service-stops', run);
      expect((await claim()).attempts).toBe(2);
      expect(await queue.releaseAll()).toBe(1);
      expect((await claim()).attempts).toBe(2);
    });

    test('a document with too many interruptions → INTERNAL', async () => {
      await queue.accept(makeAcceptance());
      let deaths = 0;
      for (;;) {
        const [job] = await queue.claim(60_000);
        if (job === undefined) break;
        deaths++;
        expect(deaths).toBeLessThan(50);
        await queue.releaseAll();
      }
      expect(deaths).toBeGreaterThan(3);
      expect(await queue.countUnfinished()).toBe(0);
    });

    test('unfinished jobs → counted', async () => {
      await queue.accept(makeAcceptance());
      await queue.accept(makeAcceptance());
      const job = await claim();
      await queue.fail(job, { code: 'INVALID_DOCUMENT', message: 'damaged' }, run);
      expect(await queue.countUnfinished()).toBe(1);
      expect(await queue.find(job.id)).toMatchObject({ status: 'failed', errorCode: 'INVALID_DOCUMENT' });
    });

    test('calls under one key → one accepted; other content → conflict; after a day → free', async () => {
      const idempotency = { key: 'k', contentHash: 'same' };
      const calls = Array.from({ length: 10 }, () => makeAcceptance({ idempotency }));
      const answers = await Promise.all(calls.map((acceptance) => queue.accept(acceptance)));
      const accepted = calls.filter((_, index) => answers[index]?.kind === 'accepted');
      expect(accepted).toHaveLength(1);
      const replay = { kind: 'replay', requestId: accepted[0]?.requestId };
      expect(answers.filter((answer) => answer.kind !== 'accepted')).toEqual(Array(9).fill(replay));
      expect(await queue.countUnfinished()).toBe(1);
      const other = { idempotency: { key: 'k', contentHash: 'other' } };
      expect(await queue.accept(makeAcceptance(other))).toEqual({ kind: 'conflict' });
      expect(await queue.countUnfinished()).toBe(1);
      const nowMs = Date.now() + IDEMPOTENCY_TTL_MS + 1_000;
      expect(await queue.accept(makeAcceptance({ ...other, nowMs }))).toEqual({ kind: 'accepted' });
    });

    test('complete and fail → visible in the job', async () => {
      const [done, refused] = [makeAcceptance(), makeAcceptance()];
      await queue.accept(done);
      await queue.accept(refused);
      expect(await queue.find(done.jobId)).toMatchObject({ status: 'queued', startedAtMs: null, finishedAtMs: null });
      expect(await queue.find(createId('job'))).toBeUndefined();
      const [first, second] = [await claim(), await claim()];
      expect(await queue.claim(10_000)).toEqual([]);
      expect(await queue.findOutcome(first.id)).toBeUndefined();
      expect(await queue.complete(first, outcome)).toBe(true);
      expect(await queue.fail(second, { code: 'INVALID_DOCUMENT', message: 'damaged' }, run)).toBe(true);
      expect({ ...(await queue.findOutcome(first.id)) }).toEqual(outcome);
      expect(await queue.findOutcome(second.id)).toBeUndefined();
      expect(await queue.find(first.id)).toMatchObject({
        status: 'completed',
        pagesDone: 3,
        pageCount: 3,
        finishedAtMs: expect.any(Number),
        errorCode: null,
      });
      expect(await queue.find(second.id)).toMatchObject({ status: 'failed', errorMessage: 'damaged' });
      expect(await queue.countUnfinished()).toBe(0);
    });

    test('concurrent claims → every job, each once', async () => {
      const accepted = Array.from({ length: 40 }, () => makeAcceptance());
      const kinds = await Promise.all(accepted.map((acceptance) => queue.accept(acceptance)));
      expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
      const claimed = await Promise.all(Array.from({ length: 60 }, () => queue.claim(10_000)));
      const ids = claimed.flatMap((jobs) => jobs.map(({ id }) => id));
      expect(ids.sort()).toEqual(accepted.map(({ jobId }) => jobId).sort());
      expect(new Set(claimed.flatMap((jobs) => jobs.map(({ token }) => token))).size).toBe(40);
    });
  });
}
