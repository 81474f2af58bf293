import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { setUpClient } from '../support/client-set-up.js';
import { type ContractServer, failure } from '../support/contract-server.js';
import { openTerminal } from '../support/pty.js';
import type { TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';
import { startWatching } from '../support/watching.js';

let home: TemporaryHome;
let server: ContractServer;
beforeEach(async () => {
  const setUp = await setUpClient();
  ({ home, server } = setUp);
  mkdirSync(join(home.dir, 'in/sub'), { recursive: true });
  return setUp.tearDown;
});

const put = (name: string, text: string) => writeFileSync(join(home.dir, name), text);
const textOf = (name: string) => readFileSync(join(home.dir, name), 'utf8');
/** The contents of the documents that the server got. */
const sent = () => server.calls.flatMap(({ upload }) => upload?.file?.toString() ?? []);
const ARGS = ['watch', 'in', '--output-dir', 'in/out', '--json'];

const watch = (args = ARGS) => startWatching(args, home, server.env);

test('a document that grows → sent once it has not grown for 2 s', async () => {
  const watched = watch();
  await sleep(500);
  put('in/a.pdf', '%PDF-');
  for (let i = 0; i < 5; i++) {
    await sleep(700);
    writeFileSync(join(home.dir, 'in/a.pdf'), String(i), { flag: 'a' });
    expect(sent()).toEqual([]);
  }
  await watched.waitFor(1);
  await watched.stop();
  expect(sent()).toEqual(['%PDF-01234']);
});

test('a directory that goes away → watched again when it comes back', async () => {
  const watched = watch(['watch', 'in', '--output-dir', 'out']);
  put('in/a.pdf', '%PDF-A');
  await until(() => existsSync(join(home.dir, 'out/a.pdf.txt')));
  rmSync(join(home.dir, 'in'), { recursive: true });
  await sleep(2_500);
  mkdirSync(join(home.dir, 'in'));
  put('in/b.pdf', '%PDF-B');
  await until(() => existsSync(join(home.dir, 'out/b.pdf.txt')));
  const { exitCode, stderr } = await watched.stop();
  expect(exitCode).toBe(0);
  expect(stderr).toContain('Watching in; results are written to out.');
  expect(stderr).toMatch(/\/in is gone; it is watched again when it comes back\.\n.*\/in is back\.\n/);
  expect(stderr).toContain('in/b.pdf: written to out/b.pdf.txt');
});

test('documents that cannot be read, and a service that refuses one → the others are sent', async () => {
  put('in/empty.pdf', '');
  symlinkSync('nowhere.pdf', join(home.dir, 'in/dangling.pdf'));
  put('in/bad.pdf', '%PDF-bad');
  server.script.post = [failure(422, 'UNREADABLE_DOCUMENT', 'Not a PDF', false)];
  const watched = watch();
  const failed = await watched.waitFor(2);
  expect(failed.map(({ input, error }) => [input, (error as { code: string }).code]).sort()).toEqual([
    ['in/bad.pdf', 'UNREADABLE_DOCUMENT'],
    ['in/empty.pdf', 'FILE_EMPTY'],
  ]);
  put('in/good.pdf', '%PDF-good');
  expect((await watched.waitFor(3))[2]).toMatchObject({ input: 'in/good.pdf', output: 'in/out/good.pdf.txt' });
  put('in/empty.pdf', '%PDF-filled');
  expect((await watched.waitFor(4))[3]).toMatchObject({ input: 'in/empty.pdf', output: 'in/out/empty.pdf.txt' });
  expect((await watched.stop()).exitCode).toBe(0);
});

test.skipIf(process.getuid?.() === 0)('a file without permission → sent when it can be read', async () => {
  put('in/a.pdf', '%PDF-A');
  chmodSync(join(home.dir, 'in/a.pdf'), 0);
  const watched = watch();
  expect(await watched.waitFor(1)).toMatchObject([{ error: { code: 'FILE_UNREADABLE' } }]);
  chmodSync(join(home.dir, 'in/a.pdf'), 0o600);
  expect((await watched.waitFor(2))[1]).toMatchObject({ output: 'in/out/a.pdf.txt' });
  await watched.stop();
});

test('SIGTERM → what is under way is done, and nothing else is begun; Ctrl-C → 130', async () => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const reply = { body: { requestId: 'r', function: 'F', result: { text: 'late' }, meta: {} }, waitsFor: () => held };
  server.script.post = [reply];
  put('in/a.pdf', '%PDF-A');
  const watched = watch([...ARGS, '-c', '1']);
  await until(() => server.calls.some(({ method }) => method === 'POST'));
  put('in/b.pdf', '%PDF-B');
  await sleep(3_000);
  const stopped = watched.stop();
  await sleep(300);
  answer();
  expect(await stopped).toEqual({ exitCode: 0, stderr: '' });
  expect(watched.lines()).toMatchObject([{ input: 'in/a.pdf', output: 'in/out/a.pdf.txt' }]);
  expect(textOf('in/out/a.pdf.txt')).toBe('late\n');
  expect(readdirSync(join(home.dir, 'in/out'))).toEqual(['a.pdf.txt']);
  const again = watch();
  await again.waitFor(2);
  expect((await again.stop('SIGINT')).exitCode).toBe(130);
});

test('--poll, results beside the documents → no loop', async () => {
  put('in/a.png', '\x89PNG\r\n\x1a\n');
  const watched = watch(['watch', 'in', '--output-dir', 'in', '--poll', '--json']);
  await watched.waitFor(1);
  put('in/b.pdf', '%PDF-B');
  await watched.waitFor(2);
  await sleep(3_000);
  expect(await watched.stop()).toEqual({ exitCode: 0, stderr: '' });
  expect(watched.lines().map(({ output }) => output)).toEqual(['in/a.png.txt', 'in/b.pdf.txt']);
});

test('a terminal → one line that says what is watched and what is read', async () => {
  server.pollsUntilDone = 3;
  const terminal = openTerminal(['watch', 'in', '--output-dir', 'out'], { home, env: server.env, columns: 60 });
  await terminal.waitFor(/0 done · watching in/);
  put('in/a.pdf', '%PDF-A');
  await terminal.waitFor(/0 done · in\/a\.pdf: page \d of 9/);
  await terminal.waitFor(/in\/a\.pdf: written to out\/a\.pdf\.txt/);
  await terminal.waitFor(/1 done · watching in/);
  terminal.kill('SIGTERM');
  expect((await terminal.exited).exitCode).toBe(0);
});

test('documents that are there, appear or change → each version sent once, with a line; results are no documents', async () => {
  put('in/a.pdf', '%PDF-A');
  put('in/notes.txt', 'notes');
  put('in/.a.pdf.part', '%PDF-half');
  const watched = watch();
  await watched.waitFor(2);
  put('in/sub/b.pdf', '%PDF-B');
  await watched.waitFor(3);
  put('in/a.pdf', '%PDF-A2');
  const lines = await watched.waitFor(4);
  expect(lines.map(({ input, skipped, output }) => [input, skipped ?? output]).sort()).toEqual([
    ['in/a.pdf', 'in/out/a.pdf.txt'],
    ['in/a.pdf', 'in/out/a.pdf.txt'],
    ['in/notes.txt', 'plain text'],
    ['in/sub/b.pdf', 'in/out/sub/b.pdf.txt'],
  ]);
  expect(await watched.stop()).toEqual({ exitCode: 0, stderr: '' });
  expect(sent()).toEqual(['%PDF-A', '%PDF-B', '%PDF-A2']);
  expect(textOf('in/out/a.pdf.txt')).toBe('text of %PDF-A2\n');
  // After a restart nothing is sent again.
  put('in/c.pdf', '%PDF-C');
  const again = watch();
  const more = await again.waitFor(4);
  expect(more.filter(({ skipped }) => skipped === 'existing output')).toHaveLength(2);
  expect(await again.stop()).toEqual({ exitCode: 0, stderr: '' });
  expect(sent()).toEqual(['%PDF-A', '%PDF-B', '%PDF-A2', '%PDF-C']);
});
