import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { documents } from '../fixtures/manifest.js';
import { wordF1 } from '../support/word-f1.js';
import { call } from './support/http.js';
import { HOSTILE_PROGRAM, type StartOptions, startTestService, waitForNoBlobs } from './support/running-service.js';
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
  () => killDuringUploads(newDataDir()),
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

test('kill -9 right after a cached answer → its line is in the request log', async () => {
  const dataDir = newDataDir();
  const first = await spawnService(dataDir, {}, HOSTILE_PROGRAM);
  const file = '%PDF-1.4 TEXT=cached';
  await first.client.submit(file);
  const cached = await first.client.submit(file);
  await first.kill('SIGKILL');
  const next = await spawnService(dataDir, {}, HOSTILE_PROGRAM);
  const line = await next.client.get(`/v1/ocr/requests/${cached.json.requestId}`);
  expect(line.json).toMatchObject({ requestId: cached.json.requestId, cached: true, httpStatus: 200 });
});

test('the log → one JSON line per call, without keys, passwords and document text', async () => {
  const dataDir = newDataDir();
  const log: Buffer[] = [];
  const running = await spawnService(dataDir, {}, HOSTILE_PROGRAM, { log });
  const key = readFileSync(join(dataDir, 'api-key'), 'utf8').trim();
  const args = { password: 'planted-password' };
  const answers = [
    await running.client.submit('%PDF-1.4 DO=answer TEXT=planted-text', { args, filename: 'name-of.pdf' }),
    await running.client.submit('%PDF-1.4 DO=fault', { args }),
    await running.client.submit('%PDF-1.4 DO=crash ALWAYS=1', { args }),
    await running.client.submit('planted-text', { args }),
    await call(`${running.url}/v1/ocr/functions?key=${key}`, { headers: { authorization: `Bearer ${key}x` } }),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([200, 500, 500, 415, 401]);
  await running.kill('SIGTERM');
  const text = Buffer.concat(log).toString('utf8');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.filter((line) => line.msg === 'call').map((line) => line.status)).toEqual([200, 500, 500, 415, 401]);
  expect(lines.map((line) => line.requestId)).toEqual(expect.arrayContaining([answers[0]?.json.requestId]));
  expect(text).not.toMatch(/planted/);
  // File names are in lines of the level debug alone.
  const told = lines.filter((line) => JSON.stringify(line).includes('name-of.pdf'));
  expect(told.map((line) => line.level)).toEqual([20]);
  expect(text).not.toContain(key);
});

/** Starts a service that no test sends a document to. */
const startUnread = (options: StartOptions) => startTestService({ ...options, documentProgram: HOSTILE_PROGRAM });

test('a second service on the same directory → an error that names the holder; a killed holder no longer holds it', async () => {
  const dataDir = newDataDir();
  const holder = await spawnService(dataDir, {}, HOSTILE_PROGRAM);
  await expect(startUnread({ dataDir })).rejects.toMatchObject({
    code: 'DATA_DIR_LOCKED',
    exitCode: 1,
    message: expect.stringMatching(new RegExp(`process ${holder.child.pid}, ${holder.url}`)),
  });
  await holder.kill('SIGKILL');
  expect(existsSync(join(dataDir, 'service.json'))).toBe(true);
  const next = await startUnread({ dataDir });
  expect((await next.get('/v1/ocr/functions')).status).toBe(200);
  await next.remove();
});

test('a taken port, an unusable directory → clear errors with exit code 2', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const dataDir = newDataDir();
  await expect(startUnread({ dataDir, config: { port } })).rejects.toMatchObject({
    code: 'PORT_TAKEN',
    exitCode: 2,
  });
  other.close();
  // 203.0.113.1 (TEST-NET-3) is nobody's address, so another port would not help.
  await expect(startUnread({ dataDir, config: { host: '203.0.113.1' } })).rejects.toMatchObject({
    code: 'PORT_TAKEN',
    hint: expect.stringContaining('--host'),
  });
  // The failed start undid its steps, so the directory is free again.
  await (await startUnread({ dataDir })).service.stop();
  const file = join(dataDir, 'a-file');
  writeFileSync(file, '');
  await expect(startUnread({ dataDir: join(file, 'below') })).rejects.toMatchObject({
    code: 'DATA_DIR_UNWRITABLE',
    exitCode: 2,
  });
  writeFileSync(join(dataDir, 'ocr.db'), 'this is no database, but it is long enough to be looked at'.repeat(100));
  await expect(startUnread({ dataDir })).rejects.toMatchObject({ code: 'DATA_DIR_INCOMPATIBLE', exitCode: 2 });
});

test('an existing directory → keeps its mode', async () => {
  const dataDir = newDataDir();
  chmodSync(dataDir, 0o755);
  const { service } = await startUnread({ dataDir });
  expect((statSync(dataDir).mode & 0o777).toString(8)).toBe('755');
  await service.stop();
});

test('a new data directory → for this user alone; its key works after a restart', async () => {
  const dataDir = join(newDataDir(), 'new');
  const first = await startUnread({ dataDir });
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(modeOf(dataDir)).toBe('700');
  for (const name of ['api-key', 'secret', 'service.json']) expect(modeOf(join(dataDir, name)), name).toBe('600');
  await first.service.stop();
  expect(existsSync(join(dataDir, 'service.json'))).toBe(false);
  const second = await startUnread({ dataDir });
  expect(second.key).toBe(first.key);
  expect((await second.get('/v1/ocr/functions')).status).toBe(200);
  await second.service.stop();
});

test('no file descriptors → callers are dropped, jobs are not; it recovers', async () => {
  const running = await spawnService(newDataDir(), {}, HOSTILE_PROGRAM, { openFiles: 160 });
  const headers = { prefer: 'respond-async' };
  const job = await running.client.submit('%PDF-1.4 PAGES=10 DO=slow PAGE_MS=100 TEXT=kept', { headers });
  const { hostname, port } = new URL(running.url);
  const idle = Array.from({ length: 150 }, () => connect(Number(port), hostname).on('error', () => {}));
  await expect.poll(() => idle.filter((socket) => socket.destroyed).length).toBeGreaterThan(0);
  const during = await running.client.submit('%PDF-1.4 TEXT=during').catch((error: Error) => error);
  expect(during instanceof Error ? 503 : during.status).toBe(503);
  for (const socket of idle) socket.destroy();
  // The service notices the closed connections one after the other.
  const isBack = () => running.client.get('/healthz').then((answer) => answer.status, String);
  await expect.poll(isBack).toBe(200);
  expect((await running.client.waitForJob(job.json.jobId)).json.result).toEqual({ text: 'kept' });
  expect((await running.client.submit('%PDF-1.4 TEXT=after')).json.result).toEqual({ text: 'after' });
  expect(await running.kill('SIGTERM')).toBe(0);
});

test('a stop → open calls are answered, jobs stay, new calls are refused', async () => {
  const dataDir = newDataDir();
  const running = await startTestService({ dataDir, documentProgram: HOSTILE_PROGRAM });
  const inline = running.submit('%PDF-1.4 PAGES=4 DO=slow PAGE_MS=500 TEXT=finished');
  const headers = { prefer: 'respond-async' };
  const queued = await running.submit('%PDF-1.4 PAGES=100 DO=slow PAGE_MS=200 TEXT=later', { headers });
  await sleep(500);
  const stopped = running.service.stop();
  await expect(running.submit('%PDF-1.4')).rejects.toThrow();
  expect((await inline).json.result).toEqual({ text: 'finished' });
  await stopped;
  const next = await startTestService({ dataDir, documentProgram: HOSTILE_PROGRAM });
  expect((await next.get(queued.json.statusUrl)).json.status).toMatch(/^(?:queued|processing)$/);
  await next.service.stop();
});
