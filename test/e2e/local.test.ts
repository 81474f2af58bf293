import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { isAlive } from '../../dist/system/is-alive.js';
import { examples } from '../fixtures/manifest.js';
import { createLocalHome, readService } from '../support/local-service.js';
import { openTerminal } from '../support/pty.js';
import { runCli } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { until } from '../support/until.js';
import { wordF1 } from '../support/word-f1.js';

/** The line at the foot of each page is no part of what is read. */
const report = examples.report.text.map((page) => page.split('\n').slice(0, -1).join('\n')).join('\n');

test('the log → control characters visible on a terminal, unchanged in a pipe', async () => {
  const home = createLocalHome();
  mkdirSync(home.dataDir, { recursive: true });
  writeFileSync(join(home.dataDir, 'service.log'), '{"file":"a\u009b2J\u001b[31m.pdf"}\n');
  const terminal = openTerminal(['local', 'logs', '--follow'], { home });
  await terminal.waitFor(/pdf/);
  expect(terminal.shown).toContain('{"file":"a\\x9b2J^[[31m.pdf"}');
  // A character of three bytes, written in two pieces.
  appendFileSync(join(home.dataDir, 'service.log'), Buffer.from([0xe2, 0x82]));
  await until(() => terminal.shown.includes('\n'));
  await sleep(600);
  appendFileSync(join(home.dataDir, 'service.log'), Buffer.concat([Buffer.from([0xac]), Buffer.from('\u009b!\n')]));
  await terminal.waitFor(/!/);
  expect(terminal.shown).toContain('€\\x9b!');
  expect((await runInProcess(['local', 'logs'], { home })).stdout).toContain('a\u009b2J\u001b[31m.pdf');
  renameSync(join(home.dataDir, 'service.log'), join(home.dataDir, 'service.log.1'));
  await sleep(600);
  writeFileSync(join(home.dataDir, 'service.log'), 'next\n');
  await terminal.waitFor(/next/);
  terminal.kill();
});

describe('with nothing configured', () => {
  test('a text PDF → read; the service is private, and the next command joins it', async () => {
    const home = createLocalHome();
    const first = await runInProcess(['extract', examples.report.path], { home });
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(wordF1(report, first.stdout)).toBeGreaterThan(0.99);
    const { pid, url } = readService(home);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(statSync(join(home.dataDir, 'api-key')).mode & 0o777).toBe(0o600);
    expect(statSync(home.dataDir).mode & 0o777).toBe(0o700);
    // The same service recognises a scanned PDF.
    const second = await runInProcess(['extract', '--json', examples.scanned.path], { home });
    expect(second).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readService(home).pid).toBe(pid);
    const body = JSON.parse(second.stdout);
    expect(wordF1(examples.scanned.text.join('\n'), body.result.text)).toBeGreaterThan(0.97);
    expect(body).toMatchObject({
      input: examples.scanned.path,
      function: 'TEXT_EXTRACTION',
      meta: { pageCount: 3, cached: false, provider: expect.any(String), durationMs: expect.any(Number) },
      requestId: expect.stringMatching(/^req_/),
    });
  });

  test('three commands at once on a cold machine → three right results, one service', async () => {
    const home = createLocalHome();
    const runs = await Promise.all(
      Array.from({ length: 3 }, () => runCli(['extract', examples.report.path], { home })),
    );
    for (const run of runs) {
      expect(run).toMatchObject({ exitCode: 0, stderr: '' });
      expect(wordF1(report, run.stdout)).toBeGreaterThan(0.99);
    }
    const log = readFileSync(join(home.dataDir, 'service.log'), 'utf8');
    const starts = new Set([...log.matchAll(/"pid":(\d+)/g)].map((match) => match[1]));
    expect([...starts]).toEqual([String(readService(home).pid)]);
  });
});

test('start, status, logs, stop → each says what it found', async () => {
  const home = createLocalHome();
  expect(JSON.parse((await runInProcess(['local', '--json'], { home })).stdout)).toMatchObject({ running: false });
  const started = JSON.parse((await runInProcess(['local', 'start', '--json'], { home })).stdout);
  expect(started).toMatchObject({ running: true, unfinishedJobs: 0, dataDir: home.dataDir });
  const status = await runInProcess(['local', 'status'], { home });
  expect(status.stdout).toContain(`State\trunning\nAddress\t${started.url}\nProcess\t${started.pid}\n`);
  expect(status.stdout).toMatch(/\nUnfinished jobs\t0\nIdle for\t\d.*\nStops when idle\tyes\n/);
  await runInProcess(['extract', examples.report.path], { home });
  expect((await runInProcess(['local', 'logs', '-n', '1'], { home })).stdout).toMatch(/^\{.*\}\n$/);
  const stopped = await runInProcess(['local', 'stop'], { home });
  expect(stopped).toMatchObject({ exitCode: 0, stdout: '', stderr: 'Stopped.\n' });
  expect(isAlive(started.pid)).toBe(false);
  expect((await runInProcess(['local', 'stop'], { home })).stderr).toBe('No service is running on this machine.\n');
});
