import { expect, test } from 'vitest';
import { loadServiceConfig } from '../../../../src/service/config/service-config.js';
import { type RunComponents, type RunSlot, runDocument } from '../../../../src/service/jobs/run-document.js';
import { type Effort, LANES, type Lane } from '../../../../src/store/lanes.js';
import type { ClaimedJob } from '../../../../src/store/queue.js';

const { brief, text, short, long } = LANES;

interface Run {
  /** The count in the store; null for a document that was accepted without one. It has 900 pages to recognise. */
  pageCount?: number | null;
  /** Organisations whose documents posed as brief. */
  posers?: readonly string[];
}

/** Runs a document; `seen` has what becomes of its lane. */
async function runIn(kind: RunSlot['kind'], lane: Lane, { pageCount = 1, posers = [] }: Run) {
  const seen = { counted: [] as Effort[], lanes: [] as Lane[], runs: 0 };
  const { config } = loadServiceConfig({ flags: { dataDir: '/' }, env: {} });
  const components = {
    config,
    blobs: { handOver: async ({ id }: { id: string }) => id, takeBack: async () => {} },
    vault: { open: () => ({}) },
    recognition: { identify: () => 'engine' },
    pageCounter: {
      countIn: async () => ({ type: 'counted', pageCount: 900, sample: { pictureShare: 1, elementsPerPage: 0 } }),
    },
    pool: {
      perform: async () => {
        seen.runs++;
        return { type: 'done', body: '{}', provider: 'test', pageCount: 900 };
      },
    },
    queue: { noteCount: async (_job: unknown, _pages: number, effort: Effort) => seen.counted.push(effort) },
    findPlan: async () => undefined,
    posers: { find: (id: string) => posers.includes(id) || undefined },
  } as unknown as RunComponents;
  const job = {
    function: 'TEXT_EXTRACTION',
    organisationId: 'org',
    documentId: 'doc_1',
    lane,
    documentPageCount: pageCount,
  } as ClaimedJob;
  const moveTo = (longer: Lane) => void seen.lanes.push(longer);
  const slot: RunSlot = { kind, lane, isExtra: false, countSharers: () => 1, moveTo };
  const outcome = await runDocument(components, job, slot, () => {}, new AbortController().signal);
  return { outcome, seen };
}

const effort = { lane: long, delayMs: 30_000 };

test('a long document that its worker counts → read there, in its lane', async () => {
  const { outcome, seen } = await runIn('worker', brief, { pageCount: null });
  expect(outcome.type).toBe('done');
  expect(seen).toEqual({ counted: [effort], lanes: [long], runs: 1 });
});

test('a long document that is counted in a short lane → postponed, unread', async () => {
  const { outcome, seen } = await runIn('lane', text, { pageCount: null });
  expect(outcome).toEqual({ type: 'postponed', effort });
  expect(seen).toEqual({ counted: [effort], lanes: [], runs: 0 });
});

test('documents of who posed as brief lately → not taken for brief', async () => {
  const posers = ['org'];
  const inLane = await runIn('lane', brief, { posers });
  expect(inLane.outcome).toEqual({ type: 'postponed', effort: { lane: text, delayMs: 5_000 } });
  expect(inLane.seen.runs).toBe(0);
  const inWorker = await runIn('worker', brief, { posers });
  expect(inWorker.outcome.type).toBe('done');
  expect(inWorker.seen).toEqual({ counted: [], lanes: [text], runs: 1 });
});

test('their documents of other lanes, and brief ones of others → read as they are', async () => {
  const asItIs = { counted: [], lanes: [], runs: 1 };
  expect((await runIn('lane', short, { posers: ['org'] })).seen).toEqual(asItIs);
  expect((await runIn('lane', brief, { posers: ['other'] })).seen).toEqual(asItIs);
});
