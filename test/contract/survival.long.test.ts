import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { documents } from '../fixtures/manifest.js';
import { wordF1 } from '../support/word-f1.js';
import { HOSTILE_PROGRAM, waitForNoBlobs } from './support/running-service.js';
import { findChildren, isRunning, spawnService } from './support/spawned-service.js';
import { killDuringUploads, useDataDirs } from './survival-suite.js';

const newDataDir = useDataDirs();

test('kill -9 during a job → the next start completes it, once and whole', async () => {
  const dataDir = newDataDir();
  const first = await spawnService(dataDir);
  const file = readFileSync(documents.hundredScanned.path);
  const args = { pages: '1-2' };
  const headers = { prefer: 'respond-async', 'idempotency-key': 'the-one' };
  const accepted = await first.client.submit(file, { headers, args });
  expect(accepted.status).toBe(202);
  const { jobId } = accepted.json;
  for (let i = 0; i < 200; i++) {
    if ((await first.client.get(`/v1/ocr/jobs/${jobId}`)).json.status === 'processing') break;
    await sleep(20);
  }
  const workers = findChildren(first.child.pid as number);
  expect(workers.length).toBeGreaterThan(0);
  await first.kill('SIGKILL');
  const findSurvivors = () => workers.filter(isRunning);
  await expect
    .poll(findSurvivors, { timeout: 30_000, message: 'document processes of the killed service' })
    .toEqual([]);

  const second = await spawnService(dataDir);
  const job = await second.client.waitForJob(jobId);
  expect(job.json).toMatchObject({ status: 'completed', requestId: accepted.json.requestId, meta: { pageCount: 2 } });
  expect(wordF1(documents.hundredScanned.text.slice(0, 2).join('\n'), job.json.result.text)).toBeGreaterThan(0.95);
  const again = await second.client.submit(file, { headers, args });
  expect(again).toMatchObject({ status: 202, json: { requestId: accepted.json.requestId, jobId } });
  expect(await waitForNoBlobs(dataDir)).toEqual([]);
  expect(await second.kill('SIGTERM')).toBe(0);
}, 120_000);

test('kill -9 right after a 202 → a replay is answered 202, also once the job has ended', async () => {
  const dataDir = newDataDir();
  const gate = join(dataDir, 'gate');
  const start = () => spawnService(dataDir, { inlineTimeoutMs: 50 }, HOSTILE_PROGRAM);
  const calls = [
    { file: '%PDF-1.4 TEXT=queued', headers: { 'idempotency-key': 'queued', prefer: 'respond-async' } },
    // This inline call exceeds its time limit.
    { file: `%PDF-1.4 DO=wait GATE=${gate} TEXT=slow`, headers: { 'idempotency-key': 'slow' } },
  ];
  for (const { file, headers } of calls) {
    const first = await start();
    const answer = await first.client.submit(file, { headers });
    await first.kill('SIGKILL');
    expect(answer.status).toBe(202);
    writeFileSync(gate, '');
    const second = await start();
    const { requestId, jobId } = answer.json;
    expect((await second.client.waitForJob(jobId)).json.status).toBe('completed');
    const again = await second.client.submit(file, { headers });
    expect(again).toMatchObject({ status: 202, json: { requestId, jobId, status: 'completed' } });
    await second.kill('SIGTERM');
    rmSync(gate);
  }
}, 60_000);

test('kill -9 while document processes start → they end too', async () => {
  const workers: number[] = [];
  for (let round = 0; round < 4; round++) {
    const running = await spawnService(newDataDir());
    await sleep(round * 25);
    workers.push(...findChildren(running.child.pid as number));
    await running.kill('SIGKILL');
  }
  expect(workers.length).toBeGreaterThan(4);
  await expect.poll(() => workers.filter(isRunning), { timeout: 30_000 }).toEqual([]);
});

test(
  'three kills during uploads → acknowledged jobs complete, and interrupted uploads leave no file',
  () => killDuringUploads(newDataDir(), 3),
  120_000,
);
