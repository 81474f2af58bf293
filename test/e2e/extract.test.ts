import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { adviseToConvert } from '../../src/contract/foreign-type.js';
import { readLines, setUpClient } from '../support/client-set-up.js';
import { type ContractServer, failure, OTHER_DIALECT, startContractServer } from '../support/contract-server.js';
import { openTerminal } from '../support/pty.js';
import { LAUNCHER, runCli, startCli } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import type { TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

const isRoot = process.getuid?.() === 0;
let home: TemporaryHome;
let server: ContractServer;
beforeEach(async () => {
  const setUp = await setUpClient({ files: { 'a.pdf': 'A', 'b.pdf': 'B' } });
  ({ home, server } = setUp);
  return setUp.tearDown;
});

const run = (args: string[], options: { env?: Record<string, string>; input?: string | Uint8Array } = {}) =>
  runInProcess(args, { home, ...options, env: { ...server.env, ...options.env } });
const posts = () => server.calls.filter(({ method }) => method === 'POST');

describe('what is printed', () => {
  test('one document → the text and a newline, whatever TERM is; no standard error', async () => {
    const { stdout, stderr, exitCode } = await run(['extract', 'a.pdf'], { env: { TERM: 'xterm-256color' } });
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: 'text of A\n', stderr: '', exitCode: 0 });
  });

  test('a text that ends with a newline → no second one; control characters stay in a pipe', async () => {
    server.script.post = [{ body: { requestId: 'r', function: 'F', result: { text: '\x1b[31mred\r\n' }, meta: {} } }];
    expect((await run(['extract', 'a.pdf'])).stdout).toBe('\x1b[31mred\r\n');
    server.script.post = [{ body: { requestId: 'r', function: 'F', result: { text: '' }, meta: {} } }];
    expect((await run(['extract', 'a.pdf'])).stdout).toBe('');
  });

  test('a result without text → JSON', async () => {
    server.script.post = [{ body: { requestId: 'r', function: 'F', result: { rows: [1] }, meta: {} } }];
    expect(JSON.parse((await run(['extract', 'a.pdf'])).stdout)).toEqual({ rows: [1] });
  });

  test('--json → the service’s body with the input, on one line', async () => {
    const { stdout, stderr } = await run(['extract', '--json', 'a.pdf']);
    expect(stderr).toBe('');
    expect(stdout.trim()).not.toContain('\n');
    expect(JSON.parse(stdout)).toEqual({
      input: 'a.pdf',
      requestId: 'req_00000000000000000000000001',
      function: 'TEXT_EXTRACTION',
      result: { text: 'text of A' },
      meta: { provider: 'contract-server', pageCount: 1, cached: false, durationMs: 1 },
    });
    expect(Object.keys(JSON.parse(stdout) as object)[0]).toBe('input');
  });

  test('--format json, and --json before the command → the same', async () => {
    const expected = { input: 'a.pdf', result: { text: 'text of A' } };
    expect(JSON.parse((await run(['extract', '--format', 'json', 'a.pdf'])).stdout)).toMatchObject(expected);
    expect(JSON.parse((await run(['--json', 'extract', 'a.pdf'])).stdout)).toMatchObject(expected);
  });

  test('several documents → joined as by cat; with --json one line each, in input order', async () => {
    expect((await run(['extract', 'a.pdf', 'b.pdf'])).stdout).toBe('text of A\ntext of B\n');
    const { stdout, exitCode } = await run(['extract', '--json', 'b.pdf', 'nope.pdf', 'a.pdf']);
    expect(exitCode).toBe(8);
    expect(readLines(stdout).map(({ input }) => input)).toEqual(['b.pdf', 'nope.pdf', 'a.pdf']);
    expect(readLines(stdout)[1]?.error).toMatchObject({ code: 'FILE_NOT_FOUND', retryable: false });
  });

  test('a queued document → followed to its text; its JSON has the jobId', async () => {
    server.pollsUntilDone = 1;
    const { stdout, exitCode } = await run(['extract', '--json', 'a.pdf']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      input: 'a.pdf',
      requestId: 'req_00000000000000000000000001',
      function: 'TEXT_EXTRACTION',
      result: { text: 'text of A' },
      meta: { provider: 'contract-server', pageCount: 1, cached: false, durationMs: 1 },
      jobId: 'job_00000000000000000000000001',
    });
  });

  test('--no-wait → the job id; with --json the 202', async () => {
    expect((await run(['extract', '--no-wait', 'a.pdf'])).stdout).toBe('job_00000000000000000000000001\n');
    expect(posts()[0]?.headers.prefer).toBe('respond-async');
    const { stdout, exitCode } = await run(['extract', '--no-wait', '--json', 'b.pdf']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      input: 'b.pdf',
      requestId: 'req_00000000000000000000000002',
      jobId: 'job_00000000000000000000000002',
      status: 'queued',
      statusUrl: '/v1/ocr/jobs/job_00000000000000000000000002',
    });
  });

  test('--no-wait and a 200 all the same → the result', async () => {
    server.script.post = [{ body: { requestId: 'r', function: 'F', result: { text: 'at once' }, meta: {} } }];
    expect((await run(['extract', '--no-wait', 'a.pdf'])).stdout).toBe('at once\n');
  });

  test('a closed reader → exit code 0, no message', async () => {
    server.script.post = [
      { body: { requestId: 'r', function: 'F', result: { text: 'x\n'.repeat(500_000) }, meta: {} } },
    ];
    const child = startCli(['extract', 'a.pdf'], { home, env: server.env });
    child.stdout?.once('data', () => child.stdout?.destroy());
    const { exitCode, stderr } = await child;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse((await run(['requests', '--json'])).stdout)).toMatchObject([
      { requestId: 'r', httpStatus: 200, status: 'completed', finishedAt: expect.any(String) },
    ]);
  });

  test('a long result through a slow pipe → whole', async () => {
    const text = `${'0123456789'.repeat(300_000)}\n`;
    server.script.post = [{ body: { requestId: 'r', function: 'F', result: { text }, meta: {} } }];
    const child = startCli(['extract', 'a.pdf'], { home, env: server.env });
    child.stdout?.pause();
    setTimeout(() => child.stdout?.resume(), 700);
    expect(String((await child).stdout)).toBe(text);
  });
});

describe('--min-confidence', () => {
  const read = (confidence?: number | null, text = 'x') => ({
    body: { requestId: 'req_1', function: 'F', result: { text }, meta: confidence === undefined ? {} : { confidence } },
  });

  test('a document below it → printed, and failed with LOW_CONFIDENCE', async () => {
    server.script.post = [read(0.5)];
    const text = await run(['extract', 'a.pdf', '--min-confidence', '0.8']);
    expect(text).toEqual({
      exitCode: 1,
      signal: undefined,
      stdout: 'x\n',
      stderr: 'ocr: a.pdf was read with a confidence of 0.5, which is below 0.8 (LOW_CONFIDENCE, req_1)\n',
    });
    expect(JSON.parse((await run(['jobs', '--json'])).stdout)).toEqual([]);
    expect(JSON.parse((await run(['requests', '--json'])).stdout)).toMatchObject([{ status: 'completed' }]);
  });

  test('--json → the line has result and error; with a file, output and error', async () => {
    server.script.post = [read(0.5), read(0.9), read(0.5)];
    const { stdout, exitCode, stderr } = await run([
      'extract',
      '--json',
      '-c',
      '1',
      '--min-confidence',
      '0.8',
      'a.pdf',
      'b.pdf',
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 8, stderr: '' });
    const error = { code: 'LOW_CONFIDENCE', requestId: 'req_1', retryable: false };
    const [low, high] = readLines(stdout);
    expect(low).toMatchObject({ input: 'a.pdf', result: { text: 'x' }, error });
    expect(high).toMatchObject({ input: 'b.pdf', result: { text: 'x' } });
    expect(high).not.toHaveProperty('error');
    const file = await run(['extract', '--json', '-o', 'out.txt', '--min-confidence', '0.8', 'a.pdf']);
    expect(JSON.parse(file.stdout)).toMatchObject({ output: 'out.txt', error });
    expect(file.exitCode).toBe(1);
    expect(readFileSync(join(home.dir, 'out.txt'), 'utf8')).toBe('x\n');
  });

  test('nothing recognised, or as much as asked for → passes; a service without confidence → a note', async () => {
    server.script.post = [read(null), read(0.8), read()];
    const args = ['extract', 'a.pdf', '--min-confidence', '0.8'];
    expect(await run(args)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await run(args)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await run(args)).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('gives no confidence') });
  });

  test('--skip-existing after it → sent again until it is read well enough; without --min-confidence the output is enough', async () => {
    const past = new Date(Date.now() - 60_000);
    for (const name of ['a.pdf', 'b.pdf']) utimesSync(join(home.dir, name), past, past);
    const args = ['extract', '--json', '-c', '1', '--skip-existing', '--output-dir', 'out', 'a.pdf', 'b.pdf'];
    const least = ['--min-confidence', '0.8'];
    server.script.post = [read(0.5), read(0.9)];
    expect((await run([...args, ...least])).exitCode).toBe(8);
    server.script.post = [read(0.5)];
    const again = await run([...args, ...least]);
    expect(again.exitCode).toBe(1);
    expect(readLines(again.stdout)).toMatchObject([
      { input: 'a.pdf', error: { code: 'LOW_CONFIDENCE' } },
      { input: 'b.pdf', skipped: 'existing output' },
    ]);
    expect(readLines((await run(args)).stdout).map(({ skipped }) => skipped)).toEqual(Array(2).fill('existing output'));
    expect((await run([...args, '--min-confidence', '0.5'])).exitCode).toBe(0);
    expect(posts()).toHaveLength(3);
    // A better reading ends it.
    server.script.post = [read(0.9)];
    expect((await run([...args, ...least])).exitCode).toBe(0);
    expect((await run([...args, ...least])).exitCode).toBe(0);
    expect(posts()).toHaveLength(4);
  });

  test('--fail-fast → such a document stops the batch', async () => {
    server.script.post = [read(0.5)];
    const { stdout } = await run([
      'extract',
      '--json',
      '-c',
      '1',
      '--fail-fast',
      '--min-confidence',
      '1',
      'a.pdf',
      'b.pdf',
    ]);
    expect(readLines(stdout)).toMatchObject([{ error: { code: 'LOW_CONFIDENCE' } }, { error: { code: 'NOT_SENT' } }]);
  });
});

describe('--page-breaks', () => {
  test('a function with the argument → it is sent; one without → exit code 2, and nothing is sent', async () => {
    const describe = (name: string) => ({
      body: { functions: [{ id: 'TEXT_EXTRACTION', argsSchema: { type: 'object', properties: { [name]: {} } } }] },
    });
    server.script.catalog = [describe('pages')];
    const refused = await run(['extract', 'a.pdf', '--page-breaks']);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"pageBreaks"') });
    expect(posts()).toEqual([]);
    server.script.catalog = [describe('pageBreaks')];
    expect((await run(['extract', 'b.pdf', '--page-breaks'])).exitCode).toBe(0);
    expect(posts()[0]?.upload?.args).toBe('{"pageBreaks":true}');
  });
});

describe('-o', () => {
  test('a file that cannot be written after sending → exit code 1, names the request', async () => {
    server.onCall = () => writeFileSync(join(home.dir, 'new'), 'in the place of the directory');
    const { stdout, exitCode } = await run(['extract', 'a.pdf', '--json', '--output-dir', 'new']);
    expect(exitCode).toBe(1);
    expect(posts()).toHaveLength(1);
    expect(readLines(stdout)).toMatchObject([
      { input: 'a.pdf', error: { code: 'OUTPUT_UNWRITABLE', requestId: 'req_00000000000000000000000001' } },
    ]);
  });

  test('an output file → holds the result; standard output is empty', async () => {
    const { stdout, exitCode } = await run(['extract', 'a.pdf', '-o', 'out.txt']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
    expect(readFileSync(join(home.dir, 'out.txt'), 'utf8')).toBe('text of A\n');
    const line = await run(['extract', 'a.pdf', '--json', '-o', 'line.txt']);
    expect(JSON.parse(line.stdout)).toEqual({
      input: 'a.pdf',
      requestId: 'req_00000000000000000000000002',
      function: 'TEXT_EXTRACTION',
      meta: { provider: 'contract-server', pageCount: 1, cached: false, durationMs: 1 },
      output: 'line.txt',
    });
    expect(readFileSync(join(home.dir, 'line.txt'), 'utf8')).toBe('text of A\n');
    expect(await run(['extract', 'a.pdf', '--format', 'json', '-o', 'out.json'])).toMatchObject({
      stdout: '',
      stderr: '',
    });
    const body = JSON.parse(readFileSync(join(home.dir, 'out.json'), 'utf8'));
    expect(body).toMatchObject({ input: 'a.pdf', result: { text: 'text of A' } });
    expect(readdirSync(home.dir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('a replaced file → keeps its mode', async () => {
    const out = join(home.dir, 'out.txt');
    writeFileSync(out, 'private');
    for (const mode of [0o600, 0o640]) {
      chmodSync(out, mode);
      await run(['extract', 'a.pdf', '-o', 'out.txt', '--force']);
      expect(readFileSync(out, 'utf8')).toBe('text of A\n');
      expect(statSync(out).mode & 0o777).toBe(mode);
    }
    await run(['extract', 'a.pdf', '-o', 'new.txt']);
    expect(statSync(join(home.dir, 'new.txt')).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test('a link to nowhere → refused before anything is sent; --force → replaced', async () => {
    const link = join(home.dir, 'link.txt');
    symlinkSync('nowhere', link);
    for (const output of [
      ['-o', 'link.txt'],
      ['--output-dir', '.'],
    ]) {
      if (output[1] === '.') renameSync(link, join(home.dir, 'a.pdf.txt'));
      const { exitCode, stderr } = await run(['extract', 'a.pdf', ...output]);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringMatching(/txt already exists.*\n.*--force/),
      });
      expect(server.calls).toEqual([]);
    }
    await run(['extract', 'a.pdf', '--output-dir', '.', '--force']);
    expect(readFileSync(join(home.dir, 'a.pdf.txt'), 'utf8')).toBe('text of A\n');
    expect(existsSync(join(home.dir, 'nowhere'))).toBe(false);
  });

  test('a name with a slash at its end → a directory, which does not exist', async () => {
    const { exitCode, stderr } = await run(['extract', 'a.pdf', '-o', 'new/']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/Cannot write new\/.*no such directory/),
    });
    expect(server.calls).toEqual([]);
  });

  test('an existing file → exit code 2 before anything is sent; --force → overwritten', async () => {
    writeFileSync(join(home.dir, 'out.txt'), 'mine');
    const { exitCode, stderr } = await run(['extract', 'a.pdf', '-o', 'out.txt']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/out\.txt already exists.*\n.*--force/);
    expect(server.calls).toEqual([]);
    expect(readFileSync(join(home.dir, 'out.txt'), 'utf8')).toBe('mine');
    await run(['extract', 'a.pdf', '-o', 'out.txt', '--force']);
    expect(readFileSync(join(home.dir, 'out.txt'), 'utf8')).toBe('text of A\n');
  });

  test('a link → written through; a device → written to', async () => {
    writeFileSync(join(home.dir, 'target.txt'), 'old');
    symlinkSync('target.txt', join(home.dir, 'link.txt'));
    await run(['extract', 'a.pdf', '-o', 'link.txt', '--force']);
    expect(readFileSync(join(home.dir, 'target.txt'), 'utf8')).toBe('text of A\n');
    expect((await run(['extract', 'a.pdf', '-o', '/dev/null'])).exitCode).toBe(0);
  });

  test.each([
    ['a directory', '.'],
    ['no such directory', 'none/out.txt'],
  ])('%s → an error before anything is sent', async (_, name) => {
    expect((await run(['extract', 'a.pdf', '-o', name])).exitCode).toBe(2);
    expect(server.calls).toEqual([]);
  });

  test('two inputs → exit code 2', async () => {
    expect((await run(['extract', 'a.pdf', 'b.pdf', '-o', 'x'])).exitCode).toBe(2);
    expect(server.calls).toEqual([]);
  });
});

describe('inputs', () => {
  test('standard input → sent under the given name; nothing left behind', async () => {
    const tmp = join(home.dir, 'tmp');
    mkdirSync(tmp);
    const { stdout } = await run(['extract', '-', '--name', 'scan.pdf', '--json'], {
      input: new Uint8Array([0, 255, 10]),
      env: { TMPDIR: tmp },
    });
    expect(JSON.parse(stdout)).toMatchObject({ input: '-' });
    expect(posts()[0]?.upload).toMatchObject({ file: Buffer.from([0, 255, 10]), fileName: 'scan.pdf' });
    expect(readdirSync(tmp)).toEqual([]);
  });

  test('a named pipe → read once to its end; nothing left behind', async () => {
    const tmp = join(home.dir, 'tmp');
    mkdirSync(tmp);
    execFileSync('mkfifo', [join(home.dir, 'scan')]);
    server.script.post = [{ status: 503, headers: { 'retry-after': '0' }, body: 'busy' }];
    const child = startCli(['extract', 'scan', '--json'], { home, env: { ...server.env, TMPDIR: tmp } });
    await writeFile(join(home.dir, 'scan'), 'A');
    const { stdout } = await child;
    expect(JSON.parse(stdout)).toMatchObject({ input: 'scan', result: { text: 'text of A' } });
    expect(posts().map(({ upload }) => upload?.file?.toString())).toEqual(['A', 'A']);
    expect(posts()[0]?.upload?.fileName).toBe('scan');
    expect(readdirSync(tmp)).toEqual([]);
  });

  test('SIGINT while a named pipe has no writer → 130', async () => {
    const tmp = join(home.dir, 'tmp');
    mkdirSync(tmp);
    execFileSync('mkfifo', [join(home.dir, 'scan')]);
    const child = startCli(['extract', 'scan'], { home, env: { ...server.env, TMPDIR: tmp } });
    await until(() => readdirSync(tmp).length > 0);
    child.kill('SIGINT');
    expect(await child).toMatchObject({ exitCode: 130 });
    expect(server.calls).toEqual([]);
    expect(readdirSync(tmp)).toEqual([]);
  });

  test.each([
    'extract --files-from pipe',
    'extract --args @pipe a.pdf',
    'verify-webhook --signature t=1,v1=a pipe',
    'verify-webhook --signature t=1,v1=a --secret-file pipe a.pdf',
  ])('SIGINT while a pipe is read → 130: %s', async (line) => {
    const pipe = join(home.dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const env = { ...server.env, ...(line.includes('--secret') ? {} : { OCR_WEBHOOK_SECRET: 'whsec_test_secret' }) };
    const child = startCli(line.split(' '), { home, env });
    onTestFinished(() => void child.kill('SIGKILL'));
    let fd: number | undefined;
    await until(() => {
      try {
        fd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
        return true;
      } catch {
        return false;
      }
    }, 'the pipe being read');
    child.kill('SIGINT');
    expect(await child).toMatchObject({ exitCode: 130 });
    if (fd !== undefined) closeSync(fd);
  });

  // More than the system holds for the command: once they are gone, it reads. A key is too short for that, and gets time.
  test.each([
    ['extract --files-from -', 1_000_000, 50],
    ['extract --args @- a.pdf', 1_000_000, 50],
    ['verify-webhook --signature t=1,v1=a -', 1_000_000, 50],
    ['auth login --with-token --profile new', 1, 1_500],
  ])('SIGINT while standard input is read → 130: %s', async (line, bytes, patienceMs) => {
    const env = { ...home.env, ...server.env, OCR_WEBHOOK_SECRET: 'whsec_test_secret' };
    const child = spawn(process.execPath, [LAUNCHER, ...line.split(' ')], { cwd: home.dir, env });
    // There are no more than these bytes, and no end.
    child.stdin.write('{'.padEnd(bytes));
    await until(() => child.stdin.writableLength === 0, 'standard input being read');
    await sleep(patienceMs);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
  });

  test('Ctrl-C while an output pipe has no reader → 130', async () => {
    execFileSync('mkfifo', [join(home.dir, 'pipe')]);
    const terminal = openTerminal(['extract', 'a.pdf', '-o', 'pipe'], { home, env: server.env });
    onTestFinished(() => terminal.kill('SIGKILL'));
    await terminal.waitFor(/writing pipe/);
    terminal.type('\x03');
    expect((await terminal.exited).exitCode).toBe(130);
  });

  test('an output pipe → waits for its reader', async () => {
    execFileSync('mkfifo', [join(home.dir, 'pipe')]);
    const child = startCli(['extract', 'a.pdf', '-o', 'pipe'], { home, env: server.env });
    await until(() => posts().length > 0);
    expect(await readFile(join(home.dir, 'pipe'), 'utf8')).toBe('text of A\n');
    expect(await child).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('a pipe named twice → exit code 2, and nobody reads it', async () => {
    execFileSync('mkfifo', [join(home.dir, 'scan')]);
    const { exitCode, stderr } = await run(['extract', 'scan', './scan']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'ocr: ./scan is a pipe, which can be read only once\n',
    });
    expect(server.calls).toEqual([]);
  });

  test('outputs of commands → named by their place', async () => {
    const script = `"$0" "$1" extract --output-dir out <(printf A) <(printf B)`;
    await execa('bash', ['-c', script, process.execPath, LAUNCHER], {
      cwd: home.dir,
      env: { ...home.env, ...server.env },
      extendEnv: false,
    });
    expect(readFileSync(join(home.dir, 'out', 'pipe-1.txt'), 'utf8')).toBe('text of A\n');
    expect(readFileSync(join(home.dir, 'out', 'pipe-2.txt'), 'utf8')).toBe('text of B\n');
    expect(posts().map(({ upload }) => upload?.fileName)).toEqual(expect.arrayContaining(['pipe-1', 'pipe-2']));
  });

  test('standard input that cannot be stored → an error that says so', async () => {
    const { exitCode, stderr } = await run(['extract', '-'], { input: 'A', env: { TMPDIR: join(home.dir, 'none') } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Cannot store standard input');
  });

  test.each<[string, string, number, string]>([
    ['no such file', 'nope.pdf', 5, 'FILE_NOT_FOUND'],
    ['an empty file', 'empty.pdf', 2, 'FILE_EMPTY'],
    ['a device', '/dev/null', 2, 'FILE_UNREADABLE'],
    ['nothing on standard input', '-', 2, 'FILE_EMPTY'],
  ])('%s → an error, and nothing is sent', async (_, input, exitCode, code) => {
    writeFileSync(join(home.dir, 'empty.pdf'), '');
    const text = await run(['extract', input], { input: '' });
    expect(text.exitCode).toBe(exitCode);
    expect(text.stdout).toBe('');
    expect(text.stderr).toMatch(/^ocr: /);
    expect(text.stderr).not.toMatch(/\n\s+at /);
    const json = await run(['extract', '--json', input], { input: '' });
    expect(json).toMatchObject({ exitCode, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({ input, error: { code, retryable: false } });
    expect(server.calls).toEqual([]);
  });

  test.skipIf(isRoot)('a file without permission → an error that says so', async () => {
    chmodSync(join(home.dir, 'a.pdf'), 0);
    const { exitCode, stderr } = await run(['extract', 'a.pdf']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('permission denied');
  });
});

describe('arguments', () => {
  test('none → an empty object is sent, without another request', async () => {
    await run(['extract', 'a.pdf']);
    expect(server.calls).toHaveLength(1);
    expect(posts()[0]?.upload?.args).toBe('{}');
  });

  test('assignments → typed by the catalog; -a wins over --args; --format markdown is one of them', async () => {
    const args = ['-a', 'dpi=300', '-a', 'languages=en,de', '--args', '{"dpi":1,"ocr":true}', '--format', 'markdown'];
    await run(['extract', 'a.pdf', ...args]);
    expect(JSON.parse(posts()[0]?.upload?.args ?? '')).toEqual({
      dpi: 300,
      ocr: true,
      format: 'markdown',
      languages: ['en', 'de'],
    });
  });

  test.each([
    [['-a', 'formt=text'], 'Did you mean format?'],
    [['-a', 'format=markdwon'], 'Did you mean markdown?'],
    [['-a', 'dpi=many'], 'dpi must be a whole number'],
    [['--args', '{bad'], 'holds no JSON'],
    [['--args', '@'], '--args names no file after the @'],
    [['-a', '__proto__=1'], 'has no argument "__proto__"'],
    [['--name', 'x.pdf'], '--name is what standard input is called'],
    [['--args', '[1]'], 'holds no JSON object'],
    [['--args', '@none.json'], 'none.json'],
    [['--args', '@.'], 'Cannot read the arguments in .: it is a directory'],
    [['-a', 'password=hunter2'], 'is a secret'],
    [['--args', '{"password":"hunter2"}'], 'is a secret'],
    [['-a', 'password'], 'without a terminal'],
    [['-a', 'pages'], 'has no value'],
    [['-a', 'pages=1', '-a', 'dpi=3', '-a', 'pages=2'], 'The argument "pages" is given twice'],
    [['-a', 'pages=1', '-a', 'pages=1'], 'The argument "pages" is given twice'],
    [['-a', 'pages=1', '--args', '{"dpi":1}', '--args', '{"dpi":2}'], '--args may be given only once'],
    [['-a', 'languages=en', '-a', 'languages=de'], 'Several values go into one: -a languages=…,…'],
  ])('%j → refused before anything is sent', async (args, message) => {
    const { exitCode, stderr } = await run(['extract', 'a.pdf', ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('hunter2');
    expect(posts()).toEqual([]);
  });

  test.each([[['-a', 'pages=1']], [[]]])(
    'a function that is not in the catalog → refused before anything is sent: %j',
    async (args) => {
      const { exitCode, stderr } = await run(['extract', 'a.pdf', '-f', 'TEXT_EXTRACTOIN', ...args]);
      expect(exitCode).toBe(5);
      expect(stderr).toContain('Did you mean TEXT_EXTRACTION?');
      expect(posts()).toEqual([]);
    },
  );

  test('a catalog that cannot be read → a note, and the document is sent', async () => {
    server.script.catalog = [{ status: 500, body: 'oops' }];
    const { exitCode, stderr, stdout } = await run(['extract', 'a.pdf', '--format', 'markdown', '-a', 'dpi=3']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'text of A\n' });
    expect(stderr).toContain('nothing is checked before it is sent');
    expect(JSON.parse(posts()[0]?.upload?.args ?? '')).toEqual({ format: 'markdown', dpi: 3 });
  });

  test('a password from a file → sent and written nowhere, with or without a catalog', async () => {
    writeFileSync(join(home.dir, 'args.json'), '{"password":"hunter2"}');
    for (const catalog of [[], [{ status: 500, body: 'oops' }]]) {
      server.script.catalog = catalog;
      const { stderr, exitCode } = await run(['extract', 'a.pdf', '--args', '@args.json', '--debug']);
      expect(exitCode).toBe(0);
      expect(stderr).not.toContain('hunter2');
      expect(JSON.parse(posts().at(-1)?.upload?.args ?? '')).toEqual({ password: 'hunter2' });
    }
    const written = readdirSync(home.stateDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.json'),
    );
    expect(written.length).toBeGreaterThan(0);
    for (const name of written) expect(readFileSync(join(home.stateDir, name), 'utf8')).not.toContain('hunter2');
  });
});

describe('failures', () => {
  test('a type that the service does not accept → what the file is, and what to do', async () => {
    const refusal = failure(415, 'UNSUPPORTED_MEDIA_TYPE', 'No such type', false);
    writeFileSync(join(home.dir, 'my notes.txt'), 'a text');
    writeFileSync(join(home.dir, 'my page.htm'), '<p>a page</p>');
    writeFileSync(join(home.dir, 'x.docx'), `PK\x03\x04${'\0'.repeat(26)}word/document.xml`);
    server.script.post = [refusal, refusal, refusal, refusal];
    const convert = 'soffice --headless --convert-to pdf';
    for (const [name, advice] of [
      ['my notes.txt', 'It is plain text: there is nothing to recognise in it.'],
      ['my page.htm', `It is an HTML page; convert it first: ${convert} 'my page.htm'`],
      ['x.docx', `It is a Word document (DOCX); convert it first: ${convert} x.docx`],
    ] as const) {
      const { exitCode, stderr } = await run(['extract', name]);
      expect({ exitCode, line: stderr.split('\n')[1] }).toEqual({ exitCode: 1, line: advice });
    }
    // Our service gives the command itself, for programs, with the name that it knows.
    const message = 'The file is an HTML page, which F does not read';
    const ours = failure(415, 'UNSUPPORTED_MEDIA_TYPE', adviseToConvert(message, 'a.htm'), false);
    mkdirSync(join(home.dir, 'in'));
    writeFileSync(join(home.dir, 'in', 'a.htm'), '<p>a page</p>');
    server.script.post = [ours, ours, ours];
    const { stderr } = await run(['extract', 'in/a.htm']);
    expect(stderr).toMatch(
      /^ocr: in\/a\.htm: The file is an HTML page, which F does not read \(UNSUPP.*\)\nConvert it first: /,
    );
    expect(stderr.split('\n')[1]).toBe(`Convert it first: ${convert} in/a.htm`);
    const json = JSON.parse((await run(['extract', '--json', 'in/a.htm'])).stdout);
    expect(json.error.message).toBe(`${message}; convert it first: ${convert} in/a.htm`);
    const piped = await runInProcess(['extract', '-'], { home, env: server.env, input: 'a text' });
    expect(piped).toMatchObject({ exitCode: 1, stderr: expect.not.stringContaining('soffice') });
  });

  test('a symbolic link to nothing → 5, with its target', async () => {
    symlinkSync('moved/away.pdf', join(home.dir, 'link.pdf'));
    const { exitCode, stderr } = await run(['extract', 'link.pdf']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 5,
      stderr: 'ocr: link.pdf is a symbolic link to moved/away.pdf, which does not exist\n',
    });
  });

  test('of the service → what failed, on what, the requestId; as JSON its envelope', async () => {
    const refusal = failure(415, 'UNSUPPORTED_MEDIA_TYPE', 'Not a document', false);
    server.script.post = [refusal, refusal];
    const text = await run(['extract', 'a.pdf']);
    expect(text).toMatchObject({ exitCode: 1, stdout: '' });
    expect(text.stderr).toMatch(/^ocr: a\.pdf: Not a document.*UNSUPPORTED_MEDIA_TYPE.*req_0000000000000000000FA1LED0/);
    const json = await run(['extract', '--json', 'a.pdf']);
    expect(json).toMatchObject({ exitCode: 1, stderr: '' });
    expect(JSON.parse(json.stdout)).toEqual({
      input: 'a.pdf',
      requestId: 'req_0000000000000000000FA1LED0',
      error: {
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'Not a document',
        requestId: 'req_0000000000000000000FA1LED0',
        retryable: false,
      },
    });
  });

  test('of a job → its error, exit code 1', async () => {
    server.pollsUntilDone = 1;
    server.script.post = [failure(500, 'INTERNAL', 'Oops', false)];
    const broken = await run(['extract', 'a.pdf']);
    expect(broken.stderr).toMatch(/Oops \(INTERNAL, req_.*\n.*quote the request id/);
    server.jobError = { code: 'INTERNAL', message: 'It broke', retryable: false };
    const { exitCode, stdout } = await run(['extract', '--json', 'a.pdf']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ input: 'a.pdf', error: { code: 'INTERNAL', message: 'It broke' } });
  });

  test('a refused key → 4, and the other inputs stay unsent', async () => {
    const { exitCode, stdout } = await run(['extract', '--json', '-c', '1', 'a.pdf', 'b.pdf'], {
      env: { OCR_API_KEY: 'wrong' },
    });
    expect(exitCode).toBe(4);
    expect(readLines(stdout).map(({ error }) => (error as { code: string }).code)).toEqual([
      'UNAUTHORIZED',
      'NOT_SENT',
    ]);
    expect(posts()).toHaveLength(1);
  });

  test('no key → 4 before anything is sent', async () => {
    const { exitCode, stderr } = await run(['extract', 'a.pdf'], { env: { OCR_API_KEY: '' } });
    expect(exitCode).toBe(4);
    expect(stderr).toContain('OCR_API_KEY');
    expect(server.calls).toEqual([]);
  });

  test('429 after all retries → 6', async () => {
    const slow = { ...failure(429, 'RATE_LIMITED', 'Slow down', true), headers: { 'retry-after': '0' } };
    server.script.post = Array(6).fill(slow);
    expect((await run(['extract', 'a.pdf'])).exitCode).toBe(6);
    expect(posts()).toHaveLength(6);
  });

  test('a page of a proxy → 7, with the status and the first line', async () => {
    server.script.post = Array(6).fill({
      status: 502,
      body: '<h1>Bad Gateway</h1>\nmore',
      headers: { 'retry-after': '0' },
    });
    const { exitCode, stderr } = await run(['extract', 'a.pdf']);
    expect(exitCode).toBe(7);
    expect(stderr).toContain('502');
    expect(stderr).toContain('<h1>Bad Gateway</h1>');
    expect(stderr).not.toContain('more');
  });

  test('a function that the service lacks → 5, and how to list its functions', async () => {
    const { exitCode, stderr } = await run(['extract', '-f', 'TABLES', 'a.pdf', '--base-url', server.baseUrl]);
    expect(exitCode).toBe(5);
    expect(stderr).toContain(`Try: ocr functions list --base-url ${server.baseUrl}\n`);
  });

  test.each(['/v1', '/v1/ocr'])('an address that is too long → told where it ends: %s', async (path) => {
    server.script.post = [failure(404, 'NOT_FOUND', 'No such path', false)];
    const { exitCode, stderr } = await run(['extract', 'a.pdf'], { env: { OCR_BASE_URL: `${server.baseUrl}${path}` } });
    expect(exitCode).toBe(5);
    expect(stderr).toContain(`\nThe address of the service ends before /v1: ${server.baseUrl}\n`);
  });

  test('a wrong command line with --json → an envelope', async () => {
    const json = await run(['extract', '--json', '--fromat', 'x', 'a.pdf']);
    expect(json).toMatchObject({ exitCode: 2, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'USAGE' } });
    const text = await run(['extract', '--fromat', 'x', 'a.pdf']);
    expect(text).toMatchObject({ exitCode: 2, stdout: '' });
    expect(text.stderr).toContain('Did you mean --format?');
  });

  test.skipIf(!existsSync('/dev/full'))(
    'a full disk under standard output → an error; the same command gets the same answer',
    async () => {
      const full = openSync('/dev/full', 'w');
      const child = spawn(process.execPath, [LAUNCHER, 'extract', 'a.pdf'], {
        cwd: home.dir,
        env: { ...home.env, ...server.env },
        stdio: ['ignore', full, 'pipe'],
      });
      let stderr = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        stderr += chunk;
      });
      const [exitCode] = (await once(child, 'close')) as [number];
      closeSync(full);
      // Not of usage, which is found before anything is sent; and support can look the request up.
      expect(exitCode).toBe(1);
      expect(stderr).toContain('Cannot write to standard output: no space left on device');
      const requestId = 'req_00000000000000000000000001';
      expect(stderr).toContain(requestId);
      expect(JSON.parse((await run(['requests', '--json'])).stdout)).toMatchObject([
        { requestId, httpStatus: 200, status: 'completed', finishedAt: null, next: 'ocr extract a.pdf' },
      ]);
      expect((await run(['extract', 'a.pdf'])).stdout).toBe('text of A\n');
      expect(posts()[1]?.headers['idempotency-key']).toBe(posts()[0]?.headers['idempotency-key']);
    },
  );

  test('a state directory that cannot be written → an error before anything is sent', async () => {
    writeFileSync(home.stateDir, 'a file in its place');
    const { exitCode, stderr } = await run(['extract', 'a.pdf']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(home.stateDir);
    expect(server.calls).toEqual([]);
  });

  test('a corrupt settings file → named and left alone', async () => {
    mkdirSync(home.configDir);
    const path = join(home.configDir, 'config.json');
    writeFileSync(path, '{"profile":');
    const { exitCode, stderr } = await run(['extract', 'a.pdf']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(path);
    expect(readFileSync(path, 'utf8')).toBe('{"profile":');
  });

  test('the planted key → in no output at any verbosity', async () => {
    server.script.post = [failure(500, 'INTERNAL', 'Oops', false)];
    const { stderr, stdout } = await run(['extract', 'a.pdf', '--debug']);
    expect(stderr).toContain('debug: POST');
    expect(stderr + stdout).not.toContain(server.apiKey);
  });
});

test('a server that settled every silent point differently → understood', async () => {
  const other = await startContractServer({
    dialect: OTHER_DIALECT,
    pollsUntilDone: 2,
    textOf: (file) => `other ${file}`,
  });
  try {
    const { stdout, exitCode } = await runInProcess(['extract', '--json', '--format', 'markdown', 'a.pdf'], {
      home,
      env: other.env,
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      input: 'a.pdf',
      requestId: 'req_00000000000000000000000001',
      function: 'TEXT_EXTRACTION',
      result: { text: 'other A' },
      jobId: 'job_00000000000000000000000001',
    });
  } finally {
    await other.close();
  }
});

test('no home directory → nothing is looked for in the working directory', async () => {
  for (const env of [{ HOME: '' }, { XDG_STATE_HOME: 'state' }]) {
    const unset = { OCR_CONFIG_DIR: '', OCR_STATE_DIR: '', OCR_DATA_DIR: '' };
    const { exitCode, stderr } = await runCli(['jobs'], { home, env: { ...server.env, ...unset, ...env } });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('below the working directory'),
    });
  }
});

test('files in the working directory → none is read as settings', async () => {
  for (const name of ['.ocrrc', 'config.json', '.env', 'ocr.json']) {
    writeFileSync(
      join(home.dir, name),
      '{"profiles":{"local":{"base-url":"http://evil.invalid"}},"OCR_BASE_URL":"http://evil.invalid"}',
    );
  }
  expect((await run(['extract', 'a.pdf'])).exitCode).toBe(0);
  expect(existsSync(home.dataDir)).toBe(false);
});

test('leftovers of a killed command → removed by the next one; those of others stay', async () => {
  const spool = join(home.dir, 'tmp');
  mkdirSync(spool);
  const env = { TMPDIR: spool };
  const killed = spawn(process.execPath, [LAUNCHER, 'extract', '-'], {
    env: { ...home.env, ...server.env, ...env },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  killed.stdin?.write('the first part');
  await until(() => readdirSync(spool).length === 1, 'standard input being kept');
  const [left = ''] = readdirSync(spool);
  expect(left).toMatch(new RegExp(`^ocr-stdin-${killed.pid}-`));
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  // Leftovers of a living process, of another container, and a directory that is not ours.
  const living = left.replace(String(killed.pid), String(process.pid));
  const elsewhere = left.replace(/-(\w+)-(\w+)$/, '-1$1-$2');
  for (const name of [living, elsewhere, 'ocr-stdin-else']) mkdirSync(join(spool, name));
  expect((await run(['extract', '-'], { env, input: 'B' })).stdout).toBe('text of B\n');
  expect(readdirSync(spool).sort()).toEqual([living, elsewhere, 'ocr-stdin-else'].sort());
});
