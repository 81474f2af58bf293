import { expect, test } from 'vitest';
import { loadServiceConfig } from '../../../../src/service/config/service-config.js';
import { type RunComponents, type RunSlot, runDocument } from '../../../../src/service/jobs/run-document.js';
import { type Effort, LANES, type Lane } from '../../../../src/store/lanes.js';
import type { ClaimedJob } from '../../../../src/store/queue.js';

const { brief, text, long } = LANES;

/** Runs a document that was accepted without a count, and has 900 pages to recognise; `seen` has what becomes of its lane. */
async function runUncounted(kind: RunSlot['kind'], lane: Lane) {
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
  } as unknown as RunComponents;
  const job = { function: 'TEXT_EXTRACTION', documentId: 'doc_1', lane, documentPageCount: null } as ClaimedJob;
  const moveTo = (longer: Lane) => void seen.lanes.push(longer);
  const slot: RunSlot = { kind, lane, isExtra: false, countSharers: () => 1, moveTo };
  const outcome = await runDocument(components, job, slot, () => {}, new AbortController().signal);
  return { outcome, seen };
}

const effort = { lane: long, delayMs: 30_000 };

test('a long document that its worker counts → read there, in its lane', async () => {
  const { outcome, seen } = await runUncounted('worker', brief);
  expect(outcome.type).toBe('done');
  expect(seen).toEqual({ counted: [effort], lanes: [long], runs: 1 });
});

test('a long document that is counted in a short lane → postponed, unread', async () => {
  const { outcome, seen } = await runUncounted('lane', text);
  expect(outcome).toEqual({ type: 'postponed', effort });
  expect(seen).toEqual({ counted: [effort], lanes: [], runs: 0 });
});
