import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { documents } from '../fixtures/manifest.js';
import { wordF1 } from '../support/word-f1.js';
import { call } from './support/http.js';
import { HOSTILE_PROGRAM, startTestService, waitForNoBlobs } from './support/running-service.js';
import { findChildren, isRunning, spawnService } from './support/spawned-service.js';
import { killDuringUploads, useDataDirs } from './survival-suite.js';

function mountSmallDisk(path: string, size: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

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
  await expect.poll(findSurvivors, { message: 'document processes of the killed service' }).toEqual([]);

  const second = await spawnService(dataDir);
  const job = await second.client.waitForJob(jobId);
  expect(job.json).toMatchObject({ status: 'completed', requestId: accepted.json.requestId, meta: { pageCount: 2 } });
  expect(wordF1(documents.hundredScanned.text.slice(0, 2).join('\n'), job.json.result.text)).toBeGreaterThan(0.95);
  const again = await second.client.submit(file, { headers, args });
  expect(again).toMatchObject({ status: 202, json: { requestId: accepted.json.requestId, jobId } });
  expect(await waitForNoBlobs(dataDir)).toEqual([]);
  expect(await second.kill('SIGTERM')).toBe(0);
});

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
});

test('kill -9 while document processes start → they end too', async () => {
  const workers: number[] = [];
  for (let round = 0; round < 4; round++) {
    const running = await spawnService(newDataDir());
    await sleep(round * 25);
    workers.push(...findChildren(running.child.pid as number));
    await running.kill('SIGKILL');
  }
  expect(workers.length).toBeGreaterThan(4);
  await expect.poll(() => workers.filter(isRunning)).toEqual([]);
});

test(
  'three kills during uploads → acknowledged jobs complete, and interrupted uploads leave no file',
  () => killDuringUploads(newDataDir(), 3),
  120_000,
);

test('a service without work → ends with its children and its service.json', async () => {
  const dataDir = newDataDir();
  const running = await startTestService({ dataDir, documentProgram: HOSTILE_PROGRAM, config: { idleExitMs: 3_000 } });
  const startedAt = Date.now();
  const slow = await running.submit('%PDF-1.4 PAGES=8 DO=slow PAGE_MS=150', { headers: { prefer: 'respond-async' } });
  // Health checks do not count as work.
  const checks = setInterval(() => void call(`${running.url}/healthz`).catch(() => {}), 50);
  expect((await running.waitForJob(slow.json.jobId)).json.status).toBe('completed');
  await running.service.stopped;
  clearInterval(checks);
  expect(Date.now() - startedAt).toBeGreaterThan(1_200 + 3_000 - 100);
  expect(existsSync(join(dataDir, 'service.json'))).toBe(false);
  expect(await waitForNoBlobs(dataDir)).toEqual([]);
  await expect(call(`${running.url}/healthz`)).rejects.toThrow();
});

test('a full disk → 503; no acknowledged job is lost; space → it continues', async (context) => {
  const disk = newDataDir();
  if (!mountSmallDisk(disk, '6m')) return context.skip('needs the right to mount a small disk');
  const running = await startTestService({ dataDir: join(disk, 'data'), documentProgram: HOSTILE_PROGRAM });
  try {
    const tooMuch = await running.submit(Buffer.alloc(10_000_000, '%PDF-'));
    expect(tooMuch.status).toBe(503);
    expect(tooMuch.json.error).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', retryable: true });
    expect(tooMuch.json.error.message).toMatch(/disk is full/);
    expect(Number(tooMuch.headers['retry-after'])).toBeGreaterThan(0);
    expect(running.listBlobs()).toEqual([]);
    const headers = { prefer: 'respond-async' };
    const job = await running.submit('%PDF-1.4 PAGES=3 DO=slow PAGE_MS=1000 TEXT=kept', { headers });
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'fill'), Buffer.alloc(bavail * bsize));
    for (let i = 0; i < 5; i++) expect((await running.submit(`%PDF-1.4 N=${i}${'x'.repeat(9000)}`)).status).toBe(503);
    await sleep(3_500);
    expect((await running.get(job.json.statusUrl)).json.status).toBe('processing');
    // The result is held until the disk has room; meanwhile the service is not ready.
    const isReady = async () => (await call(`${running.url}/readyz`)).status;
    await expect.poll(isReady).toBe(503);
    expect((await call(`${running.url}/readyz`)).json.error.message).toMatch(/disk is full/);
    rmSync(join(disk, 'fill'));
    expect((await running.waitForJob(job.json.jobId)).json.result).toEqual({ text: 'kept' });
    await expect.poll(isReady).toBe(200);
    expect((await running.submit('%PDF-1.4 TEXT=next')).json.result).toEqual({ text: 'next' });
  } finally {
    await running.service.stop();
    execFileSync('umount', ['-l', disk]);
  }
});
