import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Beside, openBeside } from './support/organisations.js';
import { HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';

const WORKERS = 2;
const ASYNC = { prefer: 'respond-async' };

let running: TestService;
let beside: Beside;
let unique = 0;
const make = (text: string) => `%PDF-1.4 ${text} N=${unique++}`;
const countRuns = (marker: string) => (existsSync(marker) ? readFileSync(marker, 'utf8').trim().split('\n').length : 0);

beforeAll(async () => {
  running = await startTestService({ documentProgram: HOSTILE_PROGRAM, config: { workers: WORKERS } });
  beside = await openBeside(running);
});
afterAll(async () => {
  await beside.close();
  await running.remove();
});

/** Documents that are read until the gate is opened. */
function makeGated() {
  const [gate, marker] = [join(running.dataDir, `gate-${unique++}`), join(running.dataDir, `marker-${unique++}`)];
  return {
    make: () => make(`DO=wait GATE=${gate} ALWAYS=1 MARKER=${marker}`),
    open: () => writeFileSync(gate, ''),
    countRuns: () => countRuns(marker),
  };
}

test('all workers read long documents of one organisation → another’s inline calls are answered meanwhile', async () => {
  const [greedy, small] = [await beside.add(), await beside.add()];
  const gated = makeGated();
  const accepted = await Promise.all(Array.from({ length: 6 }, () => greedy.submit(gated.make(), { headers: ASYNC })));
  await expect.poll(gated.countRuns, { timeout: 30_000 }).toBe(WORKERS);
  for (let call = 0; call < 3; call++) {
    const answer = await small.submit(make('TEXT=small'));
    expect(answer.json.result, answer.text).toEqual({ text: 'small' });
  }
  // The reserved slot was free in between, and not for those who hold the workers.
  expect(gated.countRuns()).toBe(WORKERS);
  gated.open();
  for (const { json } of accepted) expect((await greedy.waitForJob(json.jobId)).json.status).toBe('completed');
});

test('45 senders of one organisation → the calls of another do not wait for their backlog', async () => {
  const [greedy, small] = [await beside.add(), await beside.add()];
  let answered = 0;
  const senders = Array.from({ length: 45 }, async () => {
    const answer = await greedy.submit(make('DO=slow PAGE_MS=300'));
    expect(answer.status, answer.text).toBe(200);
    answered++;
  });
  await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(0);
  for (let call = 0; call < 5; call++) expect((await small.submit(make('TEXT=small'))).status).toBe(200);
  expect(answered).toBeLessThan(45 / 2);
  await Promise.all(senders);
});

test('two organisations with long queues → they share the workers', async () => {
  const organisations = [await beside.add(), await beside.add()];
  const finished: string[] = [];
  const jobs: Array<Promise<unknown>> = [];
  for (const organisation of organisations)
    for (let i = 0; i < 8; i++) {
      const { json } = await organisation.submit(make('DO=slow PAGE_MS=200'), { headers: ASYNC });
      jobs.push(organisation.waitForJob(json.jobId).then(() => finished.push(organisation.id)));
    }
  await Promise.all(jobs);
  // The one that came second does not wait for the whole queue of the first.
  const half = finished.slice(0, 8);
  expect(half.filter((id) => id === organisations[1]?.id).length).toBeGreaterThan(1);
});
