import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOpenRecords } from '../support/client-set-up.js';
import { type ContractServer, startContractServer } from '../support/contract-server.js';
import { runCli, startCli } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { type StallingProxy, startStallingProxy } from '../support/stalling-proxy.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

let home: TemporaryHome;
let server: ContractServer;
let proxy: StallingProxy;
let withholds: (call: IncomingMessage) => 'answer' | 'rest of the answer' | undefined;
beforeEach(async () => {
  home = createHome();
  server = await startContractServer({ textOf: (file) => `text of ${file.toString()}`, pollsUntilDone: 1 });
  withholds = () => undefined;
  proxy = await startStallingProxy(server.baseUrl, (call) => withholds(call));
});
afterEach(async () => {
  await proxy.close();
  await server.close();
  home.remove();
});

const env = () => ({ ...server.env, OCR_BASE_URL: proxy.baseUrl });
const names = Array.from({ length: 6 }, (_, i) => `${i}.pdf`);
const isPost = (call: IncomingMessage) => call.method === 'POST';
const records = () => readOpenRecords(home);
const isPoll = (call: IncomingMessage) => call.url?.startsWith('/v1/ocr/jobs/') === true;

/** The server falls silent at one step, the batch is killed there, its files are moved, and the same is asked for again. */
test.each<[string, typeof withholds]>([
  ['the uploads are taken, and not answered', (call) => (isPost(call) ? 'answer' : undefined)],
  ['the 202s are under way', (call) => (isPost(call) ? 'rest of the answer' : undefined)],
  ['the jobs are polled', (call) => (isPoll(call) ? 'answer' : undefined)],
  ['the results are under way', (call) => (isPoll(call) ? 'rest of the answer' : undefined)],
])('kill -9 of a batch while %s → each job sent once, each result printed once and whole', async (_, silent) => {
  for (const name of names) writeFileSync(join(home.dir, name), name);
  withholds = silent;
  const child = startCli(['extract', '-c', '6', ...names], { home, env: env() });
  await until(() => proxy.withheld >= 6);
  child.kill('SIGKILL');
  expect((await child).stdout).toBe('');
  expect(records()).toHaveLength(6);
  withholds = () => undefined;
  const moved = names.map((name) => `moved-${name}`);
  for (const name of names) renameSync(join(home.dir, name), join(home.dir, `moved-${name}`));
  const { stdout, exitCode } = await runInProcess(['extract', '-c', '6', ...moved], { home, env: env() });
  expect(exitCode).toBe(0);
  expect(stdout).toBe(names.map((name) => `text of ${name}\n`).join(''));
  expect(server.jobs.size).toBe(6);
  expect(records()).toEqual([]);
});

test('kill -9 while results wait for their turn → none lost', async () => {
  for (const name of names) writeFileSync(join(home.dir, name), name);
  let first: string | undefined;
  // The first job is never told of; the others are done and wait for it.
  withholds = (call) => {
    if (!isPoll(call)) return undefined;
    first ??= [...server.jobs.values()].find(({ file }) => file.toString() === '0.pdf')?.jobId;
    return first !== undefined && call.url?.endsWith(first) ? 'answer' : undefined;
  };
  const child = startCli(['extract', '-c', '6', ...names], { home, env: env() });
  await until(() => [...server.jobs.values()].filter(({ polls }) => polls > 0).length === 6);
  await sleep(200);
  child.kill('SIGKILL');
  expect((await child).stdout).toBe('');
  withholds = () => undefined;
  const { stdout } = await runInProcess(['jobs', 'wait', '--all'], { home, env: env() });
  expect(stdout.split('\n').slice(0, -1).sort()).toEqual(names.map((name) => `text of ${name}`));
  expect(server.jobs.size).toBe(6);
});

test('eight commands at once → nothing lost', async () => {
  const many = Array.from({ length: 8 }, (_, i) => `${i}.pdf`);
  for (const name of many) writeFileSync(join(home.dir, name), name);
  const runs = await Promise.all(
    many.map((name) => runCli(['extract', '--no-wait', name], { home, env: { ...env() } })),
  );
  expect(runs.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
  const printed = runs.map(({ stdout }) => stdout.trim()).sort();
  expect(printed).toEqual([...server.jobs.keys()].sort());
  expect(
    records()
      .map(({ jobId }) => jobId)
      .sort(),
  ).toEqual(printed);
  const { stdout, exitCode } = await runInProcess(['jobs', 'wait', '--all', '--json'], { home, env: env() });
  expect(exitCode).toBe(0);
  expect(stdout.split('\n').slice(0, -1)).toHaveLength(8);
  expect(records()).toEqual([]);
});

test('a state directory that cannot be written → the batch stops before anything is sent', async () => {
  for (const name of names) writeFileSync(join(home.dir, name), name);
  if (process.getuid?.() === 0) writeFileSync(home.stateDir, 'a file in its place');
  else chmodSync(home.dir, 0o500);
  const { exitCode, stdout } = await runInProcess(['extract', '--json', ...names], { home, env: env() });
  chmodSync(home.dir, 0o700);
  expect(exitCode).toBe(2);
  const codes = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { error: { code: string } }).error.code);
  expect(codes).toHaveLength(6);
  // Nothing is tried for those that had not begun when the first one found out.
  expect(codes.filter((code) => code !== 'STATE_UNWRITABLE' && code !== 'NOT_SENT')).toEqual([]);
  expect(codes[0]).toBe('STATE_UNWRITABLE');
  expect(server.calls.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('jobs wait for many → all polled before one is polled again', async () => {
  server.pollsUntilDone = 2;
  for (const name of names) writeFileSync(join(home.dir, name), name);
  await runInProcess(['extract', '--no-wait', ...names], { home, env: env() });
  server.calls.length = 0;
  const { stdout } = await runInProcess(['jobs', 'wait', '--all'], { home, env: env() });
  expect(stdout.split('\n')).toHaveLength(7);
  const polled = server.calls.map(({ path }) => path);
  expect(polled).toHaveLength(12);
  expect(new Set(polled.slice(0, 6)).size).toBe(6);
});
