import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Beside, openBeside, type TestOrganisation } from './support/organisations.js';
import { HOSTILE_PROGRAM, startTestService, type TestService, waitForNoBlobs } from './support/running-service.js';
import { countLines, makeDocument } from './support/test-documents.js';

// The order at the page counters, and calls that get none in time.

let running: TestService;
let beside: Beside;
let unique = 0;
/** Gates that the last test has not opened. */
const gates = new Set<string>();

async function start(config: { workers: number; inlineTimeoutMs?: number }): Promise<void> {
  running = await startTestService({ documentProgram: HOSTILE_PROGRAM, config });
  beside = await openBeside(running);
}
async function stop(): Promise<void> {
  await beside.close();
  await running.remove();
}
const nameFile = () => join(running.dataDir, `file-${unique++}`);

/** Documents whose counts wait for a gate, and note that they have begun. */
function createGate() {
  const path = nameFile();
  const counts = nameFile();
  gates.add(path);
  return {
    make: (more = '') => makeDocument(`COUNT=wait COUNT_GATE=${path} COUNTS=${counts} TEXT=late ${more}`),
    countBegun: () => countLines(counts),
    open: () => {
      writeFileSync(path, '');
      gates.delete(path);
    },
  };
}
afterEach(async () => {
  for (const path of gates) writeFileSync(path, '');
  gates.clear();
  expect(await waitForNoBlobs(running.dataDir)).toEqual([]);
});

describe('organisations at the counters', () => {
  beforeAll(() => start({ workers: 2 }));
  afterAll(stop);

  test('long counts of one organisation → another one is answered meanwhile', async () => {
    const [greedy, small] = [await beside.add(), await beside.add()];
    const gate = createGate();
    let answered = 0;
    const late = Array.from({ length: 6 }, () => greedy.submit(gate.make()).finally(() => answered++));
    await expect.poll(gate.countBegun).toBe(2);
    for (let call = 0; call < 3; call++)
      expect((await small.submit(makeDocument('TEXT=fine'))).json.result.text).toBe('fine');
    expect([gate.countBegun(), answered]).toEqual([2, 0]);
    gate.open();
    for (const { json } of await Promise.all(late)) expect(json.result).toEqual({ text: 'late' });
  });

  test('a count that crashed → its file is refused at once, and its sender’s counts run one at a time', async () => {
    const [slowed, other] = [await beside.add(), await beside.add()];
    const counts = nameFile();
    const bad = makeDocument(`COUNT=crash COUNTS=${counts}`);
    const before = makeDocument('TEXT=before');
    expect((await slowed.submit(before)).status).toBe(200);
    for (const sender of [slowed, slowed, other]) {
      const { status, json } = await sender.submit(bad);
      expect([status, json.error.code]).toEqual([400, 'INVALID_DOCUMENT']);
      expect(json.error.message).toMatch(/pages of the document cannot be counted: its process/);
    }
    expect(countLines(counts)).toBe(3);
    expect(await beside.countUsage(slowed.id)).toBe(1);

    const [own, others] = [createGate(), createGate()];
    const late = [1, 2, 3].map(() => slowed.submit(own.make()));
    await expect.poll(own.countBegun).toBe(1);
    late.push(...[1, 2, 3].map(() => other.submit(others.make())));
    await expect.poll(others.countBegun).toBe(2);
    expect(own.countBegun()).toBe(1);
    own.open();
    others.open();
    for (const { status, text } of await Promise.all(late)) expect(status, text).toBe(200);
  });
});

describe('a call that gets no counter within the inline limit', () => {
  beforeAll(() => start({ workers: 2, inlineTimeoutMs: 500 }));
  afterAll(stop);

  /** Sends a document while the organisation's share of the counters is taken; returns the job. */
  async function submitWithoutCounter(organisation: TestOrganisation, file: string, args = {}): Promise<string> {
    const gate = createGate();
    const holding = [1, 2].map(() => organisation.submit(gate.make()));
    await expect.poll(gate.countBegun).toBe(2);
    const { status, json, text } = await organisation.submit(file, { args });
    expect([status, json.status], text).toEqual([202, 'queued']);
    gate.open();
    for (const held of await Promise.all(holding)) expect(held.status).toBeLessThan(300);
    return json.jobId;
  }

  test('a job → without a page count until it is counted there, then as any other', async () => {
    const organisation = await beside.add();
    const gate = createGate();
    const jobId = await submitWithoutCounter(organisation, gate.make('PAGES=3'));
    await expect.poll(gate.countBegun).toBe(1);
    const meanwhile = await organisation.get(`/v1/ocr/jobs/${jobId}`);
    expect(meanwhile.json).toMatchObject({ status: 'processing' });
    expect(meanwhile.json).not.toHaveProperty('progress');
    gate.open();
    const { json } = await organisation.waitForJob(jobId);
    expect(json).toMatchObject({ status: 'completed', result: { text: 'late' }, meta: { pageCount: 3 } });
    expect((await organisation.get(`/v1/ocr/requests/${json.requestId}`)).json).toMatchObject({ pageCount: 3 });
    expect(await beside.countUsage(organisation.id)).toBe(3);
  });

  test.each<[string, string, object, string, RegExp]>([
    [
      'more pages than the plan allows',
      'PAGES=4',
      {},
      'PAGE_LIMIT_EXCEEDED',
      /has 4 pages; the plan PLAN_\d+ allows 3/,
    ],
    ['a damaged document', 'COUNT=refuse', {}, 'INVALID_DOCUMENT', /cannot be read: the test wants it so/],
    ['a document whose count crashes', 'COUNT=crash', {}, 'INVALID_DOCUMENT', /cannot be counted: its process/],
  ])(
    '%s → the job fails with the error of a call, and is given back',
    async (_, text, args, code, message) => {
      const organisation = await beside.add({ pageCap: 3 });
      const jobId = await submitWithoutCounter(organisation, makeDocument(text), args);
      const { json } = await organisation.waitForJob(jobId);
      expect(json).toMatchObject({ status: 'failed', error: { code, retryable: false } });
      expect(json.error.message).toMatch(message);
      // The two other documents alone.
      expect(await beside.countUsage(organisation.id)).toBe(2);
    },
    60_000,
  );
});
