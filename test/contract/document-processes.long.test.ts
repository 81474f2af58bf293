import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';

let running: TestService;
beforeAll(async () => {
  running = await startTestService({
    documentProgram: HOSTILE_PROGRAM,
    // A process on a busy machine needs this long to start; a shorter limit would end the neighbours too.
    config: { documentIdleTimeoutMs: 2_000, documentTimeoutMs: 5_000 },
  });
});
afterAll(() => running.remove());

test.each([
  ['keeps its loop busy', 'spin', 1],
  ['is slow for ever', 'slow PAGES=5 PAGE_MS=1500', 2],
])('a document whose process %s → INVALID_DOCUMENT; neighbours are untouched', async (_, behaviour, attempts) => {
  const marker = join(running.dataDir, `marker-${behaviour.slice(0, 4)}`);
  const [hostile, ...neighbours] = await Promise.all([
    running.submit(`%PDF-1.4 DO=${behaviour} ALWAYS=1 MARKER=${marker}`),
    ...Array.from({ length: 4 }, (_, i) => running.submit(`%PDF-1.4 TEXT=fine N=${behaviour}${i}`)),
  ]);
  expect(hostile.json.error, hostile.text).toMatchObject({ code: 'INVALID_DOCUMENT', retryable: false });
  expect(hostile.json.error.message).toMatch(/was(?: not)? done within/);
  const begun = readFileSync(marker, 'utf8').trim().split('\n').length;
  expect(begun).toBeGreaterThanOrEqual(attempts);
  // An attempt that gets no CPU on a busy machine is made again, and a run that is too long for its lane in a longer one.
  expect(begun).toBeLessThanOrEqual(3);
  for (const neighbour of neighbours) expect(neighbour.json.result, neighbour.text).toEqual({ text: 'fine' });
  expect(running.listBlobs()).toEqual([]);
});

test('many pages with progress → a longer time limit', async () => {
  const marker = join(running.dataDir, 'marker-many');
  const { json } = await running.submit(`%PDF-1.4 DO=slow ALWAYS=1 PAGES=30 PAGE_MS=200 TEXT=slow MARKER=${marker}`);
  const ended = await running.waitForJob(json.jobId);
  expect(ended.json, ended.text).toMatchObject({ status: 'completed', result: { text: 'slow' } });
  expect(readFileSync(marker, 'utf8').trim().split('\n')).toHaveLength(1);
});
