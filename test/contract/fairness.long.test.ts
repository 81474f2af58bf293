import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Beside, openBeside } from './support/organisations.js';
import { HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';
import { makeDocument } from './support/test-documents.js';

const WORKERS = 2;

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

test('45 senders of one organisation → the calls of another do not wait for their backlog', async () => {
  const [greedy, small] = [await beside.add(), await beside.add()];
  let answered = 0;
  const senders = Array.from({ length: 45 }, async () => {
    const answer = await greedy.submit(makeDocument('DO=slow PAGE_MS=300'));
    expect(answer.status, answer.text).toBe(200);
    answered++;
  });
  await expect.poll(() => answered).toBeGreaterThan(0);
  for (let call = 0; call < 5; call++) expect((await small.submit(makeDocument('TEXT=small'))).status).toBe(200);
  expect(answered).toBeLessThan(45 / 2);
  await Promise.all(senders);
});
