import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, expect, test } from 'vitest';
import { makeDrawings } from '../fixtures/maker/drawings.js';
import { HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';
import { type GatedDocuments, makeDocument, makeGated } from './support/test-documents.js';

const ASYNC = { prefer: 'respond-async' };
const TEXT = { ocr: 'never' };

let running: TestService | undefined;
afterEach(async () => {
  await running?.remove();
  running = undefined;
});

/** A service whose workers all have long scans of one organisation, while more of them wait. */
async function startBusy(workers: number): Promise<{ service: TestService; long: GatedDocuments; jobIds: string[] }> {
  const service = await startTestService({ documentProgram: HOSTILE_PROGRAM, config: { workers } });
  running = service;
  const long = makeGated(service);
  const jobIds: string[] = [];
  for (let i = 0; i < workers + 3; i++) {
    const { json } = await service.submit(long.make('PAGES=900'), { headers: ASYNC });
    jobIds.push(json.jobId as string);
  }
  // Nobody else is there, so the reserved slot stays free.
  await expect.poll(long.countRuns).toBe(workers);
  return { service, long, jobIds };
}

test.each([1, 2])(
  '%i workers with long scans → short documents of the same organisation do not wait',
  async (workers) => {
    const { service, long, jobIds } = await startBusy(workers);
    for (let call = 0; call < 2; call++) {
      const text = await service.submit(makeDocument('TEXT=text PAGES=2'), { args: TEXT });
      expect(text.json.result, text.text).toEqual({ text: 'text' });
      const page = await service.submit(makeDocument('TEXT=page'));
      expect(page.json.result, page.text).toEqual({ text: 'page' });
      const inspection = await service.submit(makeDocument('TEXT=pages PAGES=30'), {
        function: 'DOCUMENT_INSPECTION',
        headers: ASYNC,
      });
      expect((await service.waitForJob(inspection.json.jobId)).json.result).toEqual({ text: 'pages' });
    }
    // A worker's length does not count, only what is ahead of each other: a medium one passes too.
    const medium = await service.submit(makeDocument('TEXT=medium PAGES=20'), { headers: ASYNC });
    expect((await service.waitForJob(medium.json.jobId)).json.status).toBe('completed');
    expect(long.countRuns()).toBe(workers);
    long.open();
    for (const jobId of jobIds) expect((await service.waitForJob(jobId)).json.status).toBe('completed');
  },
);

test('text does not wait for recognition, nor a page for dozens of them', async () => {
  const { service, long } = await startBusy(1);
  const gated = makeGated(service);
  const started = async (pages: number, runs: number, args = {}) => {
    const { json } = await service.submit(gated.make(`PAGES=${pages}`), { headers: ASYNC, args });
    await expect.poll(gated.countRuns).toBe(runs);
    return json.jobId as string;
  };
  const jobIds = [await started(20, 1), await started(1, 2), await started(600, 3, TEXT), await started(2, 4, TEXT)];
  // A lane has one slot for each four workers: who comes now waits for its like, not for a long one.
  const next = await service.submit(gated.make('PAGES=1'), { headers: ASYNC });
  gated.open();
  for (const jobId of [...jobIds, next.json.jobId])
    expect((await service.waitForJob(jobId)).json.status).toBe('completed');
  expect(long.countRuns()).toBe(1);
  long.open();
});

/** The state of a job: its status, lane and attempts, as the store has them. */
function readJob({ dataDir }: TestService, jobId: string): Record<string, unknown> {
  const db = new DatabaseSync(join(dataDir, 'ocr.db'), { timeout: 10_000 });
  try {
    return { ...db.prepare('SELECT status, lane, attempts, interruptions FROM job WHERE id = ?').get(jobId) };
  } finally {
    db.close();
  }
}

test('a document in a lane poses as short → its slot goes to others, and it is read again in a longer lane', async () => {
  const { service, long } = await startBusy(1);
  const posing = makeGated(service);
  const { json } = await service.submit(posing.make(), { headers: ASYNC, args: TEXT });
  await expect.poll(posing.countRuns).toBe(1);
  const text = await service.submit(makeDocument('TEXT=text PAGES=2'), { args: TEXT, headers: ASYNC });
  expect((await service.waitForJob(text.json.jobId)).json.result).toEqual({ text: 'text' });
  await expect.poll(posing.countRuns).toBe(2);
  const [textLane, medium] = [1, 3];
  const job = { status: 'processing', attempts: 1, interruptions: 0 };
  expect(readJob(service, json.jobId)).toEqual({ ...job, lane: medium });
  // Its lane is free for others once more. The sender's next document does not get it.
  const next = await service.submit(posing.make(), { headers: ASYNC, args: TEXT });
  await expect.poll(posing.countRuns).toBe(3);
  expect(readJob(service, next.json.jobId)).toEqual({ ...job, lane: textLane });
  posing.open();
  for (const { jobId } of [json, next.json])
    expect((await service.waitForJob(jobId)).json).toMatchObject({ status: 'completed', result: { text: 'text' } });
  expect(long.countRuns()).toBe(1);
  long.open();
});

test('a document in a worker poses as short → it goes on there, and shorter lanes get slots beside it', async () => {
  const service = await startTestService({ documentProgram: HOSTILE_PROGRAM, config: { workers: 1 } });
  running = service;
  const posing = makeGated(service);
  const { json } = await service.submit(posing.make(), { headers: ASYNC, args: TEXT });
  await expect.poll(posing.countRuns).toBe(1);
  for (const args of [TEXT, {}]) {
    const { json: other } = await service.submit(makeDocument('TEXT=other'), { args, headers: ASYNC });
    expect((await service.waitForJob(other.jobId)).json.result).toEqual({ text: 'other' });
  }
  expect(readJob(service, json.jobId)).toEqual({ status: 'processing', lane: 3, attempts: 1, interruptions: 0 });
  expect(posing.countRuns()).toBe(1);
  posing.open();
  expect((await service.waitForJob(json.jobId)).json.status).toBe('completed');
});

test('the real engine, one worker → a text PDF is known by its text and passes scans', async () => {
  const service = await startTestService({ config: { workers: 1 } });
  running = service;
  const scan = readFileSync('test/fixtures/hundred-scanned.pdf');
  const jobIds: string[] = [];
  for (let i = 0; i < 4; i++) {
    const { json } = await service.submit(Buffer.concat([scan, Buffer.from(`%${i}`)]), { headers: ASYNC });
    jobIds.push(json.jobId as string);
  }
  const text = await service.submit(readFileSync('test/fixtures/hundred.pdf'), {
    args: { pages: '1-2' },
    headers: ASYNC,
  });
  expect((await service.waitForJob(text.json.jobId)).json).toMatchObject({
    status: 'completed',
    meta: { provider: 'pdf-text' },
  });
  const states = await Promise.all(jobIds.map(async (id) => (await service.get(`/v1/ocr/jobs/${id}`)).json.status));
  expect(states.at(-1)).toBe('queued');
});

test('the real engine → pages of text full of drawings are not taken for brief', async () => {
  const service = await startTestService({ config: { workers: 1 } });
  running = service;
  await service.submit(readFileSync('test/fixtures/hundred-scanned.pdf'), { headers: ASYNC });
  for (const [index, args] of [{}, TEXT].entries()) {
    const drawings = makeDrawings(18, () => 8_000 + index);
    const { json } = await service.submit(drawings, { headers: ASYNC, args });
    expect(readJob(service, json.jobId)).toMatchObject({ lane: 1 });
  }
});
