import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Beside, openBeside } from './support/organisations.js';
import { HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';
import { makeDocument, makeGated } from './support/test-documents.js';

const WORKERS = 2;
const ASYNC = { prefer: 'respond-async' };

let running: TestService;
let beside: Beside;

beforeAll(async () => {
  running = await startTestService({ documentProgram: HOSTILE_PROGRAM, config: { workers: WORKERS } });
  beside = await openBeside(running);
});
afterAll(async () => {
  await beside.close();
  await running.remove();
});

test('all workers read long documents of one organisation → another’s inline calls are answered meanwhile', async () => {
  const [greedy, small] = [await beside.add(), await beside.add()];
  const gated = makeGated(running);
  const accepted = await Promise.all(Array.from({ length: 6 }, () => greedy.submit(gated.make(), { headers: ASYNC })));
  await expect.poll(gated.countRuns).toBe(WORKERS);
  for (let call = 0; call < 3; call++) {
    const answer = await small.submit(makeDocument('TEXT=small'));
    expect(answer.json.result, answer.text).toEqual({ text: 'small' });
  }
  // The reserved slot was free in between, and not for those who hold the workers.
  expect(gated.countRuns()).toBe(WORKERS);
  gated.open();
  for (const { json } of accepted) expect((await greedy.waitForJob(json.jobId)).json.status).toBe('completed');
});

test('two organisations with long queues → they share the workers', async () => {
  const [first, second, third] = [await beside.add(), await beside.add(), await beside.add()];
  // All slots are held, the reserved one too, until both queues are long.
  const gated = makeGated(running);
  for (const one of [first, first, third]) await one.submit(gated.make(), { headers: ASYNC });
  await expect.poll(gated.countRuns).toBe(WORKERS + 1);
  const jobIds: string[] = [];
  for (const one of [first, second])
    for (let i = 0; i < 8; i++)
      jobIds.push((await one.submit(makeDocument('DO=slow PAGE_MS=200'), { headers: ASYNC })).json.jobId as string);
  gated.open();
  for (const [i, jobId] of jobIds.entries()) await (i < 8 ? first : second).waitForJob(jobId);
  const started = listStarted(jobIds);
  // The organisation that came second does not wait for the whole queue of the first.
  expect(started.slice(0, 8).filter((id) => id === second.id).length).toBeGreaterThan(2);
});

/** Organisations of the jobs, in the order of their starts. */
function listStarted(jobIds: readonly string[]): unknown[] {
  const db = new DatabaseSync(join(running.dataDir, 'ocr.db'), { readOnly: true });
  try {
    const sql =
      'SELECT organisation_id AS id FROM job WHERE id IN (SELECT value FROM json_each(?)) ORDER BY started_at, id';
    return db
      .prepare(sql)
      .all(JSON.stringify(jobIds))
      .map(({ id }) => id);
  } finally {
    db.close();
  }
}
