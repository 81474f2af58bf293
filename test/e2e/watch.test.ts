import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readLines, setUpClient } from '../support/client-set-up.js';
import { type ContractServer, failure } from '../support/contract-server.js';
import { runCli } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import type { TemporaryHome } from '../support/temporary-home.js';

let home: TemporaryHome;
let server: ContractServer;
beforeEach(async () => {
  const setUp = await setUpClient();
  ({ home, server } = setUp);
  mkdirSync(join(home.dir, 'in/sub'), { recursive: true });
  return setUp.tearDown;
});

const put = (name: string, text: string) => writeFileSync(join(home.dir, name), text);
/** The contents of the documents that the server got. */
const sent = () => server.calls.flatMap(({ upload }) => upload?.file?.toString() ?? []);
/** Dates a file so that it counts as whole. */
const age = (name: string, seconds = 60) => {
  const time = new Date(Date.now() - seconds * 1_000);
  utimesSync(join(home.dir, name), time, time);
};

test('a refused key → the command ends with 4', async () => {
  put('in/a.pdf', '%PDF-A');
  age('in/a.pdf');
  const { exitCode, stderr } = await runCli(['watch', 'in', '--output-dir', 'out'], {
    home,
    env: { ...server.env, OCR_API_KEY: 'another-key-0123456789' },
  });
  expect(exitCode).toBe(4);
  expect(stderr).toContain('ocr: ');
});

test('--once → as a batch: lines in order, its exit code, and what is done is skipped', async () => {
  for (const name of ['a.pdf', 'sub/b.pdf']) put(`in/${name}`, `%PDF-${name}`);
  put('in/notes.txt', 'notes');
  for (const name of ['a.pdf', 'sub/b.pdf', 'notes.txt']) age(`in/${name}`);
  const once = async (...args: string[]) =>
    await runInProcess(['watch', 'in', '--output-dir', 'in/out', '--once', '--json', ...args], {
      home,
      env: server.env,
    });
  server.script.post = [failure(422, 'UNREADABLE_DOCUMENT', 'Not a PDF', false)];
  const first = await once('-c', '1');
  expect(first.exitCode).toBe(8);
  expect(readLines(first.stdout)).toMatchObject([
    { input: 'in/a.pdf', error: { code: 'UNREADABLE_DOCUMENT' } },
    { input: 'in/notes.txt', skipped: 'plain text' },
    { input: 'in/sub/b.pdf', output: 'in/out/sub/b.pdf.txt' },
  ]);
  const second = await once();
  expect(second.exitCode).toBe(0);
  expect(readLines(second.stdout)).toMatchObject([
    { input: 'in/a.pdf', output: 'in/out/a.pdf.txt' },
    { input: 'in/notes.txt', skipped: 'plain text' },
    { input: 'in/sub/b.pdf', skipped: 'existing output' },
  ]);
  expect((await once()).exitCode).toBe(0);
  expect(sent()).toEqual(['%PDF-a.pdf', '%PDF-sub/b.pdf', '%PDF-a.pdf']);
});

test.each<[string, string[], number, string]>([
  ['no --output-dir', ['in'], 2, "required option '--output-dir <dir>' not specified"],
  ['no directory', ['--output-dir', 'out'], 2, "missing required argument 'dir'"],
  ['a directory that does not exist', ['none', '--output-dir', 'out'], 5, 'No such file: none'],
  ['a file', ['a.pdf', '--output-dir', 'out'], 2, 'a.pdf is not a directory'],
  ['one directory in another', ['in', 'in/sub', '--output-dir', 'out'], 2, 'would be sent twice'],
  ['an unknown function', ['in', '-f', 'NONE', '--output-dir', 'out'], 5, 'has no function NONE'],
])('%s → refused at once', async (_, args, exitCode, message) => {
  put('a.pdf', '%PDF-A');
  const run = await runInProcess(['watch', ...args], { home, env: server.env });
  expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({
    exitCode,
    stderr: expect.stringContaining(message),
  });
});
