import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../../dist/system/is-alive.js';
import { bad, examples } from '../fixtures/manifest.js';
import { createLocalHome, readService } from '../support/local-service.js';
import { startProxy } from '../support/proxy.js';
import { LAUNCHER, startCli } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { startServe } from '../support/serve.js';
import { until } from '../support/until.js';
import { wordF1 } from '../support/word-f1.js';

/** The line at the foot of each page is no part of what is read. */
const report = examples.report.text.map((page) => page.split('\n').slice(0, -1).join('\n')).join('\n');

describe('obstacles → said in one line', () => {
  test.skipIf(process.platform === 'win32')(
    'too few open files → an error, though its modules cannot be loaded',
    async () => {
      const home = createLocalHome();
      const command = 'ulimit -n 26; exec "$@"';
      const args = ['-c', command, 'sh', process.execPath, LAUNCHER, 'extract', examples.report.path];
      const run = await execa('sh', args, { env: home.env, extendEnv: false, reject: false });
      expect(run.exitCode).toBe(1);
      expect(run.stderr).toContain('EMFILE: too many open files');
    },
  );

  test.each(['{', '{"url":"foo bar","pid":1,"version":"0.1.0","instanceId":"x","proofKey":"k","startedAt":"y"}'])(
    'a service file that says %s → not believed',
    async (text) => {
      const home = createLocalHome();
      mkdirSync(home.dataDir);
      writeFileSync(join(home.dataDir, 'service.json'), text);
      expect(JSON.parse((await runInProcess(['local', '--json'], { home })).stdout)).toMatchObject({ running: false });
      expect((await runInProcess(['extract', examples.report.path], { home })).exitCode).toBe(0);
    },
  );

  test('a data directory that cannot be written → an error that names the variables to set', async () => {
    const home = createLocalHome();
    writeFileSync(home.dataDir, 'a file stands here');
    const run = await runInProcess(['extract', examples.report.path], { home });
    expect(run.exitCode).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(home.dataDir);
    // All at once: a home directory that cannot be written needs all three.
    expect(run.stderr).toMatch(/Set OCR_DATA_DIR .*; OCR_CONFIG_DIR and OCR_STATE_DIR too/);
    expect(run.stderr).not.toMatch(/\n\s+at /);
  });

  test('unreadable documents → fail alone; the service goes on', async () => {
    const home = createLocalHome();
    for (const { path, file } of [bad.garbage, bad.damaged, bad.bomb, bad.brokenPng]) {
      const run = await runInProcess(['extract', path], { home });
      expect(run, file).toMatchObject({ exitCode: 1, stdout: '' });
      expect(run.stderr, file).toMatch(/^ocr: .+/);
      expect(run.stderr, file).toMatch(/req_[0-9A-Z]{26}/);
      expect(run.stderr, file).not.toMatch(/\n\s+at /);
    }
    const { pid } = readService(home);
    expect((await runInProcess(['extract', examples.report.path], { home })).exitCode).toBe(0);
    expect(readService(home).pid).toBe(pid);
  });
});

test('a service that listens on 0.0.0.0 → asked without a proxy, which would get the key and the documents', async () => {
  const home = createLocalHome();
  const serving = await startServe(home, ['--port', '0', '--host', '0.0.0.0']);
  onTestFinished(() => serving.signal('SIGKILL'));
  const proxy = await startProxy(serving.url);
  onTestFinished(() => proxy.close());
  const { exitCode } = await runInProcess(['extract', examples.report.path], { home, env: { http_proxy: proxy.url } });
  expect({ exitCode, asked: proxy.asked }).toEqual({ exitCode: 0, asked: [] });
  expect(readService(home).url).not.toMatch(/0\.0\.0\.0|\[::\]/);
});

test.each([
  ['SIGINT', 130, 'Interrupted'],
  ['SIGTERM', 143, 'Terminated'],
] as const)('%s while the service starts → every input has its line, exit code %i', async (signal, exitCode, words) => {
  const home = createLocalHome();
  mkdirSync(home.dataDir);
  // Another command is starting it, and takes its time.
  writeFileSync(join(home.dataDir, 'starting.lock'), String(process.pid));
  const child = startCli(['extract', '--json', examples.report.path, examples.scanned.path], { home });
  await until(() => existsSync(join(home.dataDir, 'service.log')), 'the wait for the service');
  child.kill(signal);
  const ended = await child;
  expect(ended.exitCode).toBe(exitCode);
  const lines = String(ended.stdout).trim().split('\n');
  // An input is left unsent by the signal or ends with it: moments decide.
  const error = { message: expect.stringContaining(words), retryable: true };
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { input: examples.report.path, error },
    { input: examples.scanned.path, error },
  ]);
});

describe('another program on its port', () => {
  test('a thief of the port → gets neither key nor document, and ends no process', async () => {
    const home = createLocalHome();
    const bystander = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
    const seen: string[] = [];
    let health: object = {};
    const thief = createServer((request, response) => {
      seen.push(`${request.method} ${request.url?.split('?')[0]} ${request.headers.authorization ?? ''}`);
      response.end(JSON.stringify({ ...health, pid: bystander.pid, proof: 'ab'.repeat(32) }));
    });
    onTestFinished(() => {
      thief.close();
      bystander.kill('SIGKILL');
    });
    // Whoever is quicker may get the port that was free for a moment: then it is tried with another.
    while (!thief.listening) {
      await runInProcess(['local', 'start'], { home });
      const { url, pid } = readService(home);
      health = (await (await fetch(`${url}/healthz`)).json()) as object;
      process.kill(pid, 'SIGKILL');
      await until(() => !isAlive(pid), 'its end');
      thief.listen(Number(new URL(url).port), '127.0.0.1');
      await once(thief, 'listening').catch(() => {});
    }

    expect(JSON.parse((await runInProcess(['local', '--json'], { home })).stdout)).toMatchObject({ running: false });
    await runInProcess(['local', 'stop'], { home });
    const run = await runInProcess(['extract', examples.report.path], { home });
    expect(run.exitCode).toBe(0);
    expect(wordF1(report, run.stdout)).toBeGreaterThan(0.99);
    expect(new Set(seen)).toEqual(new Set(['GET /healthz ']));
    expect(isAlive(bystander.pid ?? 0)).toBe(true);
  });
});
