import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/contract/clock.js';
import { readLines, readOpenRecords, setUpClient } from '../support/client-set-up.js';
import { type ContractServer, failure, type Reply } from '../support/contract-server.js';
import { LAUNCHER, startCli } from '../support/run-cli.js';
import { clockOf, runInProcess, startInProcess } from '../support/run-in-process.js';
import type { TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

let home: TemporaryHome;
let server: ContractServer;
beforeEach(async () => {
  const setUp = await setUpClient();
  ({ home, server } = setUp);
  return setUp.tearDown;
});

const run = (
  args: string[],
  options: { env?: Record<string, string>; input?: string | Uint8Array; clock?: Clock } = {},
) => runInProcess(['extract', ...args], { home, ...options, env: { ...server.env, ...options.env } });
const posts = () => server.calls.filter(({ method }) => method === 'POST');
const write = (name: string, text: string) => {
  mkdirSync(join(home.dir, name, '..'), { recursive: true });
  writeFileSync(join(home.dir, name), text);
};
const pdf = (name: string, text = name) => write(name, `%PDF-1.4 ${text}`);
const inputsOf = (text: string) => readLines(text).map(({ input }) => input);
const codesOf = (text: string) => readLines(text).map(({ error }) => (error as { code: string } | undefined)?.code);
const slow = (delayMs: number, text: string) => ({
  delayMs,
  body: { requestId: 'r', function: 'F', result: { text }, meta: {} },
});

describe('inputs', () => {
  test('a directory → walked in order; files of other types are skipped with a note', async () => {
    pdf('docs/b.pdf');
    pdf('docs/a/z.bin', 'a PDF under another name');
    pdf('docs/.hidden.pdf');
    pdf('docs/.git/objects/a.pdf');
    write('docs/junk.pdf', `${'x'.repeat(500)}%PDF-1.7 with something before it`);
    write('docs/notes.pdf', 'text under the name of a PDF');
    write('docs/notes.txt', 'text');
    write('docs/empty', '');
    write('docs/photo.gif', 'GIF89a...');
    write('docs/empty.pdf', '');
    symlinkSync('b.pdf', join(home.dir, 'docs', 'link.pdf'));
    symlinkSync('.', join(home.dir, 'docs', 'circle'));
    symlinkSync('/not/mounted/now.pdf', join(home.dir, 'docs', 'missing.pdf'));
    symlinkSync('somebody@elsewhere.1', join(home.dir, 'docs', '.#lock'));
    execFileSync('mkfifo', [join(home.dir, 'docs', 'fifo.pdf')]);
    const json = await run(['--json', 'docs']);
    expect(json).toMatchObject({ exitCode: 8, stderr: '' });
    expect(readLines(json.stdout).map(({ input, skipped }) => [input, skipped])).toEqual([
      ['docs/.#lock', 'hidden file'],
      ['docs/.git', 'hidden directory'],
      ['docs/.hidden.pdf', 'hidden file'],
      ['docs/a/z.bin', undefined],
      ['docs/b.pdf', undefined],
      ['docs/circle', 'link to a directory'],
      ['docs/empty', 'empty file'],
      ['docs/empty.pdf', undefined],
      ['docs/fifo.pdf', 'pipe or device'],
      ['docs/junk.pdf', undefined],
      ['docs/link.pdf', undefined],
      ['docs/missing.pdf', undefined],
      ['docs/notes.pdf', undefined],
      ['docs/notes.txt', 'plain text'],
      ['docs/photo.gif', 'image/gif'],
    ]);
    const dry = await run(['--json', '--dry-run', 'docs']);
    expect(inputsOf(dry.stdout)).toEqual(inputsOf(json.stdout));
    const text = await run(['docs/']);
    expect(text.stderr).toMatch(
      /^Skipped 3 files .*docs\/empty \(empty file\), docs\/notes\.txt \(plain text\), docs\/photo\.gif \(image\/gif\)\nSkipped 1 link to directories; .*: docs\/circle\nSkipped 3 hidden names; .*: docs\/\.#lock, docs\/\.git, docs\/\.hidden\.pdf\nSkipped a pipe or device; .*: docs\/fifo\.pdf\nocr: docs\/empty\.pdf is empty\nocr: docs\/missing\.pdf is a symbolic link to \/not\/mounted\/now\.pdf, which does not exist\n/,
    );
    expect(text.stdout.split('\n')).toHaveLength(6);
    const named = await run(['--json', 'docs/.hidden.pdf', 'docs/.git']);
    expect(named.exitCode).toBe(0);
    expect(inputsOf(named.stdout)).toEqual(['docs/.hidden.pdf', 'docs/.git/objects/a.pdf']);
  });

  test('a directory of hidden files alone → nothing to send (2); it is no failure beside another input', async () => {
    pdf('docs/.hidden.pdf');
    pdf('a.pdf');
    const alone = await run(['--json', 'docs']);
    expect(alone.exitCode).toBe(2);
    expect(readLines(alone.stdout)).toEqual([{ input: 'docs/.hidden.pdf', skipped: 'hidden file' }]);
    expect((await run(['docs', 'a.pdf'])).exitCode).toBe(0);
  });

  test.each([[], ['--dry-run']])(
    'a directory with nothing to send %j → exit code 2, and what was skipped',
    async (...flags) => {
      write('docs/notes.txt', 'text');
      const json = await run(['--json', 'docs', ...flags]);
      expect(json).toMatchObject({ exitCode: 2, stderr: '' });
      expect(readLines(json.stdout)).toEqual([{ input: 'docs/notes.txt', skipped: 'plain text' }]);
      expect(await run(['--quiet', 'docs', ...flags])).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr:
          'ocr: Nothing to send in docs\nSkipped 1 file of types that are not accepted: docs/notes.txt (plain text)\n',
      });
      mkdirSync(join(home.dir, 'empty'));
      const empty = await run(['--json', 'empty', ...flags]);
      expect(empty.exitCode).toBe(2);
      expect(readLines(empty.stdout)).toMatchObject([{ input: 'empty', error: { code: 'NOTHING_TO_SEND' } }]);
      pdf('a.pdf');
      expect(await run(['a.pdf', 'empty', ...flags])).toMatchObject({
        exitCode: 0,
        stderr: 'Nothing to send in empty\n',
      });
      expect(posts()).toHaveLength(flags.length === 0 ? 1 : 0);
    },
  );

  test('an empty list → exit code 2; beside an input → a note', async () => {
    write('list', '\n');
    expect(await run(['--files-from', 'list'])).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: 'ocr: Nothing is named in list\n',
    });
    const json = await run(['--json', '--files-from', '-'], { input: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({
      error: { code: 'NOTHING_TO_SEND', message: 'Nothing is named on standard input' },
    });
    expect(posts()).toEqual([]);
    pdf('a.pdf');
    const beside = await run(['a.pdf', '--files-from', 'list']);
    expect(beside).toMatchObject({ exitCode: 0, stderr: 'Nothing is named in list\n' });
  });

  test('a failed input → its line has the requestId at the top too; null where no request was answered', async () => {
    pdf('a.pdf');
    server.script.post = [failure(400, 'INVALID_DOCUMENT', 'Not a PDF', false)];
    const [refused, missing] = readLines((await run(['--json', 'a.pdf', 'none.pdf'])).stdout);
    const requestId = expect.stringMatching(/^req_/);
    expect(refused).toMatchObject({ input: 'a.pdf', requestId, error: { requestId: refused?.requestId } });
    expect(missing).toMatchObject({ requestId: null, error: { code: 'FILE_NOT_FOUND', requestId: null } });
  });

  test.each([
    ['newlines', [], 'a.pdf\r\n\nwith space.pdf\n'],
    ['NUL', ['-0'], 'a.pdf\0with space.pdf\0'],
  ])('--files-from with names that end with %s → read from a file and from standard input', async (_, flags, list) => {
    pdf('a.pdf');
    pdf('with space.pdf');
    pdf('first.pdf');
    write('list', list);
    const expected = ['first.pdf', 'a.pdf', 'with space.pdf'];
    const file = await run(['--json', 'first.pdf', '--files-from', 'list', ...flags]);
    expect(inputsOf(file.stdout)).toEqual(expected);
    const stdin = await run(['--json', 'first.pdf', '--files-from', '-', ...flags], { input: list });
    expect(inputsOf(stdin.stdout)).toEqual(expected);
  });

  test.each(['utf8', 'utf16le'] as const)(
    'a list in %s with a byte order mark, as PowerShell writes it → read',
    async (encoding) => {
      pdf('a.pdf');
      pdf('b.pdf');
      writeFileSync(join(home.dir, 'list'), Buffer.from('\ufeffa.pdf\r\nb.pdf\r\n', encoding));
      writeFileSync(join(home.dir, 'args.json'), Buffer.from('\ufeff{"pages":"1"}', encoding));
      const { stdout, exitCode } = await run(['--json', '--files-from', 'list', '--args', '@args.json']);
      expect(exitCode).toBe(0);
      expect(inputsOf(stdout)).toEqual(['a.pdf', 'b.pdf']);
      expect(posts().map(({ upload }) => upload?.args)).toEqual(['{"pages":"1"}', '{"pages":"1"}']);
    },
  );

  // Other systems take no such names.
  test.skipIf(process.platform !== 'linux')(
    'a name that is not UTF-8 → an error line, and no input is skipped',
    async () => {
      const bytes = (name: string) => Buffer.from(`${home.dir}/${name}`, 'latin1');
      pdf('docs/a.pdf');
      writeFileSync(bytes('docs/caf\xe9.pdf'), '%PDF-1.4');
      mkdirSync(bytes('docs/d\xe9'));
      symlinkSync('a.pdf', bytes('docs/li\xe9n'));
      writeFileSync(join(home.dir, 'list'), Buffer.from('docs/caf\xe9.pdf\n', 'latin1'));
      try {
        const { stdout, exitCode } = await run(['--json', 'docs', '--files-from', 'list']);
        expect(exitCode).toBe(8);
        expect(inputsOf(stdout)).toEqual(
          ['a.pdf', 'caf\ufffd.pdf', 'd\ufffd', 'li\ufffdn', 'caf\ufffd.pdf'].map((name) => `docs/${name}`),
        );
        expect(codesOf(stdout)).toEqual([undefined, ...Array(4).fill('FILE_UNREADABLE')]);
        const { stderr } = await run(['--files-from', 'list']);
        expect(stderr).toContain('Cannot open docs/caf\ufffd.pdf: its name is not UTF-8\n');
        expect(stderr).toContain('ocr extract --name <name> - < <file>');
      } finally {
        // Node cannot remove them by names that it reads.
        unlinkSync(bytes('docs/caf\xe9.pdf'));
        unlinkSync(bytes('docs/li\xe9n'));
        rmdirSync(bytes('docs/d\xe9'));
      }
    },
  );

  test('a list whose names end with NUL, without -0 → says what to add', async () => {
    const { exitCode, stderr } = await run(['--files-from', '-'], { input: 'a.pdf\0b.pdf\0' });
    expect(exitCode).toBe(2);
    expect(stderr).toBe('ocr: The names in standard input end with NUL\nAdd -0, as for find -print0.\n');
  });

  test('a name with a newline in a list with NUL → read', async () => {
    pdf('a\nb.pdf');
    const { stdout } = await run(['--json', '--files-from', '-', '-0'], { input: 'a\nb.pdf\0' });
    expect(inputsOf(stdout)).toEqual(['a\nb.pdf']);
  });

  test.each([
    [['--files-from', 'none'], 5, 'No such list'],
    [['-', '-'], 2, 'only once'],
    [['-', '--files-from', '-'], 2, 'only once'],
    [['-o', 'x', '--output-dir', 'y', 'a.pdf'], 2, 'cannot be used together'],
    [['-c', '0', 'a.pdf'], 2, 'from 1 to 299'],
    [[], 2, "missing required argument 'input'"],
  ])('%j → refused before anything is sent', async (args, exitCode, message) => {
    pdf('a.pdf');
    const { stderr, ...result } = await run(args, { input: '' });
    expect(result).toMatchObject({ exitCode, stdout: '' });
    expect(stderr).toContain(message);
    expect(server.calls).toEqual([]);
  });

  test('equal documents of one command → one upload, one key', async () => {
    server.pollsUntilDone = 1;
    pdf('a.pdf', 'same');
    pdf('b.pdf', 'same');
    const { stdout, exitCode } = await run(['--json', 'a.pdf', 'b.pdf']);
    expect(exitCode).toBe(0);
    expect(inputsOf(stdout)).toEqual(['a.pdf', 'b.pdf']);
    expect(server.jobs.size).toBe(1);
    expect(posts()).toHaveLength(1);
  });
});

describe('order and pace', () => {
  const names = ['0.pdf', '1.pdf', '2.pdf', '3.pdf', '4.pdf', '5.pdf'];
  beforeEach(() => {
    for (const name of names) pdf(name, name);
  });

  test('-c 3 → three calls open at once; results in input order', async () => {
    // The first call is answered last.
    server.script.post = names.map((_, i) => slow(i === 0 ? 100 : 10, 'x'));
    let atOnce = 0;
    server.onCall = () => {
      atOnce = Math.max(atOnce, server.openCalls);
    };
    const { stdout, exitCode } = await run(['--json', '-c', '3', ...names]);
    expect({ exitCode, atOnce }).toEqual({ exitCode: 0, atOnce: 3 });
    expect(inputsOf(stdout)).toEqual(names);
  });

  test('-c 1 → one call after the other', async () => {
    server.script.post = names.map(() => slow(10, 'x'));
    const openCalls: number[] = [];
    server.onCall = () => openCalls.push(server.openCalls);
    await run(['-c', '1', ...names]);
    expect(openCalls).toEqual(names.map(() => 1));
  });

  test('a result → printed as soon as those before it are', async () => {
    server.script.post = [slow(0, 'first'), { stalls: true }];
    const started = startInProcess(['extract', '-c', '1', '0.pdf', '1.pdf'], { home, env: server.env });
    await until(() => started.stdout === 'first\n', 'the first result');
    started.kill('SIGINT');
    expect((await started).exitCode).toBe(130);
  });

  test('a closed reader → exit code 0, no message, and open jobs are not waited for', async () => {
    server.pollsUntilDone = 1_000;
    const big = { requestId: 'r', function: 'F', result: { text: 'x\n'.repeat(200_000) }, meta: {} };
    server.script.post = [{ body: big }];
    const child = startCli(['extract', '-c', '1', ...names], { home, env: server.env });
    child.stdout?.once('data', () => child.stdout?.destroy());
    const { exitCode, stderr } = await child;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    // Nobody polls a job to its end, which is a thousand polls away.
    for (const { polls } of server.jobs.values()) expect(polls).toBeLessThan(1_000);
  });
});

test.skipIf(process.platform === 'win32')(
  'a reader that goes while nothing is written → 0 in silence, and the jobs go on, whatever an interrupt would do',
  async () => {
    server.pollsUntilDone = 1_000_000;
    server.extensions = ['jobs.delete'];
    pdf('0.pdf');
    pdf('1.pdf');
    for (const options of [[], ['--json'], ['--cancel-on-interrupt']]) {
      // The reader of a pipe of the shell: a child's own pipe is a socket.
      const words = [LAUNCHER, 'extract', '--fresh', ...options, '0.pdf', '1.pdf'];
      const script = '"$0" "$@" 2>err | sleep 0.2; echo "$PIPESTATUS $(cat err)"';
      const { stdout } = await execa('bash', ['-c', script, process.execPath, ...words], {
        cwd: home.dir,
        env: { ...home.env, ...server.env, PATH: process.env.PATH },
        extendEnv: false,
      });
      expect(stdout).toBe('0 ');
    }
    expect(server.jobs.size).toBe(6);
    expect(server.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
  },
);

test('a failed document, then a reader that closes the pipe → exit code 0', async () => {
  for (const name of ['0.pdf', '1.pdf']) pdf(name);
  const big = { requestId: 'r', function: 'F', result: { text: 'x\n'.repeat(200_000) }, meta: {} };
  server.script.post = [failure(400, 'INVALID_DOCUMENT', 'Not a PDF', false), { body: big }];
  const child = startCli(['extract', '-c', '1', '0.pdf', '1.pdf'], { home, env: server.env });
  child.stdout?.once('data', () => child.stdout?.destroy());
  const { exitCode, stderr } = await child;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('Not a PDF') });
});

describe('429', () => {
  const limited = (retryAfterS: number) => ({
    ...failure(429, 'RATE_LIMITED', 'Slow down', true),
    headers: { 'retry-after': String(retryAfterS) },
  });

  test('a wait for the rate limit in a pipe → said once; silent with --quiet and --json', async () => {
    pdf('a.pdf');
    pdf('b.pdf');
    for (const [flags, said] of [
      [[], 1],
      [['--quiet'], 0],
      [['--json'], 0],
    ] as const) {
      server.script.post = [limited(3), limited(3)];
      const { exitCode, stderr } = await run([...flags, 'a.pdf', 'b.pdf']);
      expect(exitCode).toBe(0);
      const notes = stderr.match(/^Waiting for the rate limit until \d\d:\d\d:\d\d$/gm);
      expect(notes ?? []).toHaveLength(said);
      expect(stderr.split('\n').filter((line) => line !== '')).toHaveLength(said);
    }
  });

  test('one limited document → all uploads wait', async () => {
    for (let i = 0; i < 8; i++) pdf(`${i}.pdf`);
    server.script.post = [limited(2), slow(20, 'x'), ...Array.from({ length: 7 }, () => slow(1, 'x'))];
    const { exitCode } = await run(['-c', '2', ...Array.from({ length: 8 }, (_, i) => `${i}.pdf`)]);
    expect(exitCode).toBe(0);
    const times = posts().map(({ atMs }) => atMs);
    const first = times[0] ?? 0;
    // The one that was under way beside it is all that was sent during the pause.
    expect(times.filter((atMs) => atMs - first < 2_000).length).toBeLessThanOrEqual(2);
    expect(times).toHaveLength(9);
  });

  test.each<[string, Reply]>([
    ['for an hour', limited(3_600)],
    ['for the period', failure(429, 'QUOTA_EXCEEDED', 'Nothing left', true)],
    [
      'until the end of the period',
      { ...failure(429, 'QUOTA_EXCEEDED', 'None', true), headers: { 'retry-after': '61' } },
    ],
  ])('a limit %s → the batch ends, no other is tried, each has its line', async (_, refused) => {
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) pdf(name);
    const { code } = (refused.body as { error: { code: string } }).error;
    server.script.post = [refused];
    const json = await run(['--json', '-c', '1', 'a.pdf', 'b.pdf', 'c.pdf']);
    expect(json).toMatchObject({ exitCode: 6, stderr: '' });
    expect(codesOf(json.stdout)).toEqual([code, 'NOT_SENT', 'NOT_SENT']);
    expect(posts()).toHaveLength(1);
    const asked = refused.headers?.['retry-after'];
    const [first] = readLines(json.stdout) as Array<{ error: object }>;
    expect(first?.error).toMatchObject(asked === undefined ? {} : { retryAfterSeconds: Number(asked) });
    server.script.post = [slow(0, 'x'), refused];
    const text = await run(['-c', '1', 'a.pdf', 'b.pdf', 'c.pdf']);
    if (asked !== undefined) expect(text.stderr).toMatch(/not before \d\d:\d\d:\d\d \(in (?:61 s|60 min)\)\./);
    expect(text).toMatchObject({ exitCode: 8, stdout: 'x\n' });
    expect(text.stderr).toContain('1 of 3 inputs were left unsent');
    expect(posts()).toHaveLength(3);
  });

  /**
   * Two uploads are under way; the first is refused and waits, then the second is answered. Without this order the second
   * upload might not have been sent at the first answer, and would wait with it. The long wait stands still: only the end of
   * the batch ends it, however busy the machine is.
   */
  const runWithOneWaiting = async (first: Reply, second: Reply) => {
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) pdf(name);
    let isWaiting = false;
    const clock: Clock = {
      ...clockOf(home),
      async sleep(ms, signal) {
        if (ms < 40_000) return await clockOf(home).sleep(ms, signal);
        isWaiting = true;
        signal?.throwIfAborted();
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
    };
    server.script.post = [
      { ...first, waitsFor: async () => await until(() => posts().length === 2, 'the second upload') },
      { ...second, waitsFor: async () => await until(() => isWaiting, 'the wait after the first answer') },
    ];
    return await run(['--json', '-c', '2', 'a.pdf', 'b.pdf', 'c.pdf'], { clock });
  };

  test('a limit for an hour → also ends the waits of shorter limits', async () => {
    const { stdout, exitCode } = await runWithOneWaiting(limited(50), limited(3_600));
    expect(exitCode).toBe(6);
    expect(codesOf(stdout).sort()).toEqual(['NOT_SENT', 'NOT_SENT', 'RATE_LIMITED']);
    expect(posts()).toHaveLength(2);
  });

  test('a refused key → ends the waits of the others at once', async () => {
    const { stdout, exitCode } = await runWithOneWaiting(limited(50), failure(403, 'FORBIDDEN', 'No', false));
    expect(exitCode).toBe(4);
    expect(codesOf(stdout).sort()).toEqual(['FORBIDDEN', 'NOT_SENT', 'NOT_SENT']);
    expect(posts()).toHaveLength(2);
  });
});

describe('what stops a batch', () => {
  beforeEach(() => {
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) pdf(name);
  });

  test.each([
    [401, 'UNAUTHORIZED'],
    [402, 'PAYMENT_REQUIRED'],
    [403, 'FORBIDDEN'],
  ])('%i → stops at once; each unsent input has its line', async (status, code) => {
    server.script.post = [failure(status, code, 'No', false)];
    const json = await run(['--json', '-c', '1', 'a.pdf', 'b.pdf', 'c.pdf']);
    expect(json).toMatchObject({ exitCode: 4, stderr: '' });
    expect(codesOf(json.stdout)).toEqual([code, 'NOT_SENT', 'NOT_SENT']);
    expect(posts()).toHaveLength(1);
    server.script.post = [failure(status, code, 'No', false)];
    const text = await run(['-c', '1', 'a.pdf', 'b.pdf', 'c.pdf']);
    expect(text.stderr).toContain('2 of 3 inputs were left unsent: No');
  });

  test.each<[string, string, (args: string[]) => ReturnType<typeof run>]>([
    [
      'a service that does not speak TLS',
      'UNREACHABLE',
      (args) => run(args, { env: { OCR_BASE_URL: server.baseUrl.replace('http:', 'https:') } }),
    ],
    [
      'a redirect',
      'BAD_RESPONSE',
      async (args) => {
        server.script.post = Array(9).fill({ status: 302, headers: { location: 'https://elsewhere.example/' } });
        return await run(args);
      },
    ],
    [
      'a data directory that cannot be written',
      'DATA_DIR_UNWRITABLE',
      (args) => runInProcess(['extract', ...args], { home, env: { OCR_DATA_DIR: join(home.dir, 'a.pdf', 'data') } }),
    ],
  ])('%s → reported once', async (_, code, runWith) => {
    const { stdout } = await runWith(['--json', 'a.pdf', 'b.pdf', 'c.pdf']);
    // Any of those that were under way at once may be the first.
    expect(codesOf(stdout).sort()).toEqual([code, 'NOT_SENT', 'NOT_SENT'].sort());
    expect((await runWith(['a.pdf', 'b.pdf', 'c.pdf'])).stderr).toContain('2 of 3 inputs were left unsent');
  });

  test('a service that answers none of the first documents → unsent ones are no interrupted uploads', async () => {
    for (const name of ['d.pdf', 'e.pdf', 'f.pdf']) pdf(name);
    await server.close();
    const { stdout, exitCode } = await run(['--json', ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.pdf`)]);
    expect(exitCode).toBe(7);
    const codes = codesOf(stdout);
    // Retries decide which of those under way at once learn last that nobody answers.
    const left = codes.filter((code) => code === 'UNREACHABLE').length;
    expect(left).toBeLessThanOrEqual(4);
    expect(codes.filter((code) => code === 'NOT_SENT')).toHaveLength(6 - left);
    expect(readOpenRecords(home)).toHaveLength(left);
  });

  test('a stopped batch with results in files → says to go on with --force', async () => {
    server.script.post = [slow(0, 'x'), failure(401, 'UNAUTHORIZED', 'No', false)];
    const args = ['-c', '1', '--output-dir', 'texts', 'a.pdf', 'b.pdf', 'c.pdf'];
    const ended = await run(args);
    expect(ended.stderr).toContain('Run the same command again with --force to go on.');
    expect((await run(args)).stderr).toContain('Use --force to overwrite it, also to go on');
    expect((await run([...args, '--force'])).exitCode).toBe(0);
    server.script.post = [slow(0, 'x'), failure(401, 'UNAUTHORIZED', 'No', false)];
    const skipping = await run([
      '--skip-existing',
      '--fresh',
      '-c',
      '1',
      '--output-dir',
      'rest',
      'a.pdf',
      'b.pdf',
      'c.pdf',
    ]);
    expect(skipping.stderr).toContain('Run the same command again to go on.');
  });

  test('pending jobs with results in files → the same command fetches them', async () => {
    server.pollsUntilDone = 1_000;
    const args = ['--output-dir', 'texts', 'b.pdf', 'c.pdf'];
    const pending = await run([...args, '--wait-timeout', '1s']);
    expect(pending.exitCode).toBe(3);
    expect(pending.stderr).toMatch(/Job job_.+\nFor results in files, run the same command again\.\n$/);
    expect(pending.stderr).not.toContain('Resume');
    server.script.post = [slow(0, 'x')];
    const some = await run(['--fresh', '-c', '1', '--wait-timeout', '1s', '--output-dir', 'texts', 'a.pdf', 'b.pdf']);
    expect(some.stderr).toMatch(/\nFor results in files, run the same command again with --force\.\n$/);
    const queued = await run(['--no-wait', '--output-dir', 'later', 'a.pdf']);
    expect(queued).toMatchObject({
      exitCode: 0,
      stderr: 'For results in files, run the same command again without --no-wait.\n',
    });
    server.script.post = [slow(0, 'x')];
    const both = await run(['--fresh', '-c', '1', '--no-wait', '--output-dir', 'later', 'a.pdf', 'b.pdf']);
    expect(both.stderr).toContain('run the same command again without --no-wait and with --force.\n');
    server.pollsUntilDone = 1;
    expect((await run([...args])).exitCode).toBe(0);
    expect(readdirSync(join(home.dir, 'texts')).sort()).toEqual(['a.pdf.txt', 'b.pdf.txt', 'c.pdf.txt']);
  });

  test('documents accepted before a refusal → followed to their end; exit code 8', async () => {
    server.pollsUntilDone = 1;
    pdf('d.pdf');
    server.onCall = () => {
      if (server.jobs.size === 2) server.script.post = Array(2).fill(failure(402, 'PAYMENT_REQUIRED', 'No', false));
    };
    const { stdout, exitCode } = await run(['--json', '-c', '2', 'd.pdf', 'a.pdf', 'b.pdf', 'c.pdf']);
    expect(exitCode).toBe(8);
    expect(codesOf(stdout).slice(0, 2)).toEqual([undefined, undefined]);
    expect(codesOf(stdout)).toContain('PAYMENT_REQUIRED');
  });

  test('--fail-fast → stops after the first failure; without it → the others go on', async () => {
    const args = ['--json', '-c', '1', 'none.pdf', 'a.pdf', 'b.pdf'];
    const fast = await run([...args, '--fail-fast']);
    expect(codesOf(fast.stdout)).toEqual(['FILE_NOT_FOUND', 'NOT_SENT', 'NOT_SENT']);
    expect(fast.exitCode).toBe(5);
    expect(posts()).toEqual([]);
    const whole = await run(args);
    expect(codesOf(whole.stdout)).toEqual(['FILE_NOT_FOUND', undefined, undefined]);
    expect(whole.exitCode).toBe(8);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 143],
  ] as const)('%s → every input has its line: pending or unsent', async (signal, exitCode) => {
    server.pollsUntilDone = 100;
    const child = startCli(['extract', '--json', '-c', '2', 'a.pdf', 'b.pdf', 'c.pdf'], { home, env: server.env });
    await until(() => server.calls.filter(({ path }) => path.includes('/jobs/')).length >= 2);
    child.kill(signal);
    const ended = await child;
    expect(ended.exitCode).toBe(exitCode);
    expect(readLines(String(ended.stdout))).toMatchObject([
      { input: 'a.pdf', status: 'queued' },
      { input: 'b.pdf', status: 'queued' },
      { input: 'c.pdf', error: { code: 'NOT_SENT', retryable: true } },
    ]);
  });

  test('the next document during an upload → recorded; left unsent → removed from the record', async () => {
    server.script.post = [{ stalls: true }];
    const started = startInProcess(['extract', '--json', '-c', '1', 'a.pdf', 'b.pdf', 'c.pdf'], {
      home,
      env: server.env,
    });
    await until(() => posts().length === 1 && readOpenRecords(home).length === 2);
    const written = readOpenRecords(home).map(({ input }) => (input as { name: string }).name);
    expect(written.sort()).toEqual(['a.pdf', 'b.pdf']);
    started.kill('SIGINT');
    const { stdout, exitCode } = await started;
    expect(exitCode).toBe(130);
    expect(codesOf(stdout).slice(1)).toEqual(['NOT_SENT', 'NOT_SENT']);
    // The first one may have arrived: it is sent again under its key.
    expect(readOpenRecords(home).map(({ input }) => (input as { name: string }).name)).toEqual(['a.pdf']);
    expect(posts()).toHaveLength(1);
  });

  test('Ctrl-C during an upload → says that some have no answer, since they may have arrived', async () => {
    server.script.post = [{ stalls: true }];
    const started = startInProcess(['extract', '--no-wait', '-c', '1', 'a.pdf', 'b.pdf'], { home, env: server.env });
    await until(() => posts().length === 1);
    started.kill('SIGINT');
    const { stderr, exitCode } = await started;
    expect(exitCode).toBe(130);
    expect(stderr).toContain('2 of 2 inputs were left unsent or without an answer: Interrupted');
  });

  test('equal documents of one command → wait for each other, not for a slot', async () => {
    pdf('copy.pdf', 'a.pdf');
    pdf('copy of copy.pdf', 'a.pdf');
    const args = ['--json', '-c', '1', 'a.pdf', 'copy.pdf', 'b.pdf', 'copy of copy.pdf'];
    const { stdout, exitCode } = await run(args);
    expect(exitCode).toBe(0);
    expect(inputsOf(stdout)).toEqual(args.slice(3));
    expect(posts()).toHaveLength(4);
  });

  test('pending jobs → one line to resume them all with', async () => {
    server.pollsUntilDone = 1_000;
    const { stderr, exitCode } = await run(['-c', '1', '--wait-timeout', '1s', 'a.pdf', 'b.pdf']);
    expect(exitCode).toBe(3);
    const [first, second] = [...server.jobs.keys()];
    expect(stderr).toBe(
      `ocr: a.pdf: Job ${first} is still queued after 1 s.\nocr: b.pdf: Job ${second} is still queued after 1 s.\n` +
        `ocr: 2 jobs are still running\nResume: ocr jobs wait ${first} ${second}\n`,
    );
    const names = Array.from({ length: 9 }, (_, i) => `${i}.pdf`);
    for (const name of names) pdf(name);
    const many = await run(['--wait-timeout', '1s', ...names]);
    expect(many.stderr).toMatch(/9 jobs are still running\nRun the same command again to go on\.\n$/);
  });

  test('Ctrl-C → names each job that continues, and says once how to go on', async () => {
    server.pollsUntilDone = 100;
    const started = startInProcess(['extract', '-c', '2', 'a.pdf', 'b.pdf', 'c.pdf'], { home, env: server.env });
    server.onCall = ({ path }) => {
      if (server.jobs.size === 2 && path.includes('/jobs/')) started.kill('SIGINT');
    };
    const { exitCode, stderr } = await started;
    expect(exitCode).toBe(130);
    for (const jobId of server.jobs.keys()) {
      expect(stderr).toContain(`Job ${jobId} is still running.\n`);
    }
    expect(stderr).not.toContain('Resume');
    expect(stderr.match(/Cancel/g)).toHaveLength(1);
    const [, cancelled] = /\nCancel: ocr jobs cancel (.*)\nRun the same command again to go on\.\n$/.exec(stderr) ?? [];
    expect(cancelled?.split(' ').sort()).toEqual([...server.jobs.keys()].sort());
    expect(stderr).toContain('1 of 3 inputs were left unsent: ');
  });

  test.each([1, 3])('Ctrl-C while the first result of %i is printed → ends at once', async (count) => {
    const names = ['a.pdf', 'b.pdf', 'c.pdf'].slice(0, count);
    server.script.post = [
      { body: { requestId: 'r', function: 'F', result: { text: 'x'.repeat(5_000_000) }, meta: {} } },
    ];
    const child = startCli(['extract', '-c', '1', ...names], { home, env: server.env });
    child.stdout?.pause();
    await until(() => ((child.stdout as Socket | null)?.bytesRead ?? 0) > 0, 'the first result being printed');
    child.kill('SIGINT');
    await until(() => child.exitCode !== null, 'the end of the command');
    child.stdout?.resume();
    const { exitCode, stderr } = await child;
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(/^ocr: a.pdf: Interrupted/im);
  });

  test('failed and pending inputs → 8; pending alone → 3', async () => {
    server.pollsUntilDone = 100;
    const wait = ['--wait-timeout', '1s', '--json'];
    expect((await run(['a.pdf', 'b.pdf', ...wait])).exitCode).toBe(3);
    expect((await run(['a.pdf', 'none.pdf', ...wait])).exitCode).toBe(8);
  });

  test('a refusal of everything → every input has its line', async () => {
    const { stdout, exitCode } = await run(['--json', 'a.pdf', 'b.pdf'], { env: { OCR_API_KEY: '' } });
    expect(exitCode).toBe(4);
    expect(codesOf(stdout)).toEqual(['NO_API_KEY', 'NO_API_KEY']);
  });
});

describe('--output-dir', () => {
  beforeEach(() => {
    pdf('docs/a.pdf');
    pdf('docs/sub/a.pdf');
    pdf('b.pdf');
  });
  const tree = () => readdirSync(join(home.dir, 'out'), { recursive: true, encoding: 'utf8' }).sort();
  const read = (name: string) => readFileSync(join(home.dir, 'out', name), 'utf8');

  test('a named directory → its tree is mirrored with whole names, and nothing else is left', async () => {
    const { stdout, exitCode } = await run(['docs', './b.pdf', '--output-dir', 'out']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
    expect(tree()).toEqual(['a.pdf.txt', 'b.pdf.txt', 'sub', 'sub/a.pdf.txt']);
    expect(read('sub/a.pdf.txt')).toBe('text of %PDF-1.4 docs/sub/a.pdf\n');
  });

  test('markdown → .md; JSON → .json; --json → a line for each, which names the file and has no result', async () => {
    const { stdout } = await run(['b.pdf', '--output-dir', 'out', '--format', 'md', '--json']);
    expect(readLines(stdout)).toMatchObject([{ input: 'b.pdf', output: join('out', 'b.pdf.md'), meta: {} }]);
    expect(stdout).not.toContain('"result"');
    expect(read('b.pdf.md')).toBe('text of %PDF-1.4 b.pdf\n');
    expect(await run(['docs', '--output-dir', 'out', '--format', 'json'])).toMatchObject({ stdout: '', stderr: '' });
    expect(tree()).toEqual(['a.pdf.json', 'b.pdf.md', 'sub', 'sub/a.pdf.json']);
    expect(JSON.parse(read('sub/a.pdf.json'))).toMatchObject({ input: 'docs/sub/a.pdf', function: 'TEXT_EXTRACTION' });
    const json = await run(['docs', '--output-dir', 'texts', '--json']);
    expect(readLines(json.stdout)).toMatchObject([
      { input: 'docs/a.pdf', output: join('texts', 'a.pdf.txt') },
      { input: 'docs/sub/a.pdf', output: join('texts', 'sub/a.pdf.txt') },
    ]);
  });

  test('.. in a name → dropped: nothing is written above the directory', async () => {
    mkdirSync(join(home.dir, 'here'));
    const { exitCode } = await runInProcess(
      ['extract', '../b.pdf', '../docs', '-', '--name', '../../x', '--output-dir', 'out'],
      {
        home,
        cwd: join(home.dir, 'here'),
        env: server.env,
        input: 'stdin',
      },
    );
    expect(exitCode).toBe(0);
    expect(readdirSync(join(home.dir, 'here', 'out')).sort()).toEqual(['a.pdf.txt', 'b.pdf.txt', 'sub', 'x.txt']);
  });

  test.each([
    ['two of one name', ['docs/a.pdf', 'docs/sub/a.pdf']],
    ['one twice', ['b.pdf', './b.pdf']],
    ['two trees', ['docs', 'docs/sub']],
  ])('%s → exit code 2 before anything is sent', async (_, inputs) => {
    const { exitCode, stderr } = await run([...inputs, '--output-dir', 'out']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('would both be written to');
    expect(posts()).toEqual([]);
    expect(readdirSync(home.dir)).not.toContain('out');
  });

  test('a file with the name of another’s directory → exit code 2', async () => {
    pdf('mixed/a');
    pdf('mixed/a.txt/b');
    const { exitCode, stderr } = await run(['mixed', '--output-dir', 'out']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('would both be written to');
    expect(posts()).toEqual([]);
  });

  const LONG = 'n'.repeat(252);
  test.each<[string, string[]]>([
    ['in a directory that is there', [LONG, '--output-dir', '.']],
    ['in one that is still to be made', [LONG, '--output-dir', 'new/deep']],
    ['of a directory', ['docs', '--output-dir', `new/${LONG}${LONG}/deep`]],
    ['of a single file', ['b.pdf', '-o', `${LONG}.txt`]],
  ])('a name that is too long, %s → exit code 2 before anything is sent', async (_, args) => {
    pdf(LONG);
    const { exitCode, stderr } = await run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/Cannot write .*: its name is too long/);
    expect(posts()).toEqual([]);
  });

  test('an existing file → exit code 2 before anything is sent; --force → overwritten', async () => {
    write('out/b.pdf.txt', 'mine');
    const { exitCode, stderr } = await run(['docs', 'b.pdf', '--output-dir', 'out']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/b\.pdf\.txt already exists/);
    expect(posts()).toEqual([]);
    expect(read('b.pdf.txt')).toBe('mine');
    await run(['b.pdf', '--output-dir', 'out', '--force']);
    expect(read('b.pdf.txt')).toBe('text of %PDF-1.4 b.pdf\n');
    const json = await run(['b.pdf', 'docs/a.pdf', '--output-dir', 'out/b.pdf.txt', '--json']);
    expect(json.exitCode).toBe(2);
    expect(codesOf(json.stdout)).toEqual(['OUTPUT_UNWRITABLE', 'OUTPUT_UNWRITABLE']);
  });

  test('--skip-existing → inputs with a newer output are not sent; an older one is replaced; nothing left to do → 0', async () => {
    const args = ['docs', 'b.pdf', '--output-dir', 'out', '--skip-existing'];
    expect(await run(args)).toMatchObject({ exitCode: 0, stderr: '' });
    utimesSync(join(home.dir, 'out', 'sub', 'a.pdf.txt'), 1, 1);
    write('docs/notes.txt', 'text');
    const json = await run(['--json', ...args]);
    expect(json).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readLines(json.stdout).map(({ input, skipped, output }) => [input, skipped ?? output])).toEqual([
      ['docs/a.pdf', 'existing output'],
      ['docs/notes.txt', 'plain text'],
      ['docs/sub/a.pdf', join('out', 'sub', 'a.pdf.txt')],
      ['b.pdf', 'existing output'],
    ]);
    expect(posts()).toHaveLength(4);
    const again = await run(['b.pdf', '-o', 'out/b.pdf.txt', '--skip-existing']);
    expect(again).toEqual({
      exitCode: 0,
      signal: undefined,
      stdout: '',
      stderr: 'Skipped 1 input with an output that is newer\n',
    });
    expect(await run(['b.pdf', '--skip-existing'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('-o'),
    });
    expect(posts()).toHaveLength(4);
  });

  test('a file that appears meanwhile → left alone', async () => {
    server.onCall = () => write('out/b.pdf.txt', 'mine');
    const { exitCode, stderr } = await run(['b.pdf', '--output-dir', 'out']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('appeared in the meantime');
    expect(tree()).toEqual(['b.pdf.txt']);
    expect(read('b.pdf.txt')).toBe('mine');
  });
});

describe('--dry-run', () => {
  test('inputs → type, size, pages, violations and earlier submissions; nothing is sent', async () => {
    writeFileSync(join(home.dir, 'one.png'), Buffer.from('\x89PNG\r\n\x1a\n...', 'latin1'));
    write('notes.txt', 'text');
    pdf('a.pdf');
    pdf('twin.pdf', 'a.pdf');
    server.pollsUntilDone = 100;
    const jobId = (await run(['--no-wait', 'a.pdf'])).stdout.trim();
    const before = posts().length;
    const { stdout, exitCode, stderr } = await run([
      '--dry-run',
      '--json',
      'one.png',
      'notes.txt',
      'a.pdf',
      'twin.pdf',
      'no',
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 8, stderr: '' });
    expect(readLines(stdout)).toMatchObject([
      { input: 'one.png', type: 'image/png', sizeBytes: 11, pageCount: 1, violations: [], action: 'send' },
      { input: 'notes.txt', type: null, violations: [{ code: 'UNSUPPORTED_MEDIA_TYPE' }] },
      { input: 'a.pdf', type: 'application/pdf', pageCount: null, action: 'join', twin: { jobId, status: 'queued' } },
      { input: 'twin.pdf', action: 'join', sameAs: 'a.pdf' },
      { input: 'no', error: { code: 'FILE_NOT_FOUND' } },
    ]);
    const table = await run(['--dry-run', 'one.png', 'a.pdf', '--output-dir', 'out']);
    expect(table.stdout).toContain('one.png\timage/png\t11\t1\tsend, to out/one.png.txt\n');
    expect(table.stdout).toContain(`join the unfinished job ${jobId}`);
    expect(posts()).toHaveLength(before);
    expect(readdirSync(home.dir)).not.toContain('out');
  });

  test('page ranges → checked against the document, if the service is ours', async () => {
    writeFileSync(join(home.dir, 'one.png'), Buffer.from('\x89PNG\r\n\x1a\n...', 'latin1'));
    const dry = async (pages: string, env: Record<string, string> = {}) => {
      const { stdout } = await runInProcess(['extract', '--dry-run', '--json', '-a', `pages=${pages}`, 'one.png'], {
        home,
        env,
      });
      return (JSON.parse(stdout) as { violations: unknown[] }).violations;
    };
    expect(await dry('1,-1')).toEqual([]);
    expect(await dry('1-3')).toEqual([
      { code: 'INVALID_ARGS', message: 'page 3 is not in the document, which has 1 page' },
    ]);
    expect(await dry('1-3', server.env)).toEqual([]);
  });

  test.each([
    ['a file', ['scans/a.pdf']],
    ['a directory', ['scans']],
    ['arguments', ['-a', 'pages=1', '--format', 'markdown', 'scans/a.pdf']],
    ['another function', ['-f', 'SEARCHABLE_PDF', '-o', 'searchable.pdf', 'scans/a.pdf']],
  ])('%s → starts no service on this machine', async (_, words) => {
    mkdirSync(join(home.dir, 'scans'));
    pdf('scans/a.pdf');
    write('scans/notes.txt', 'text');
    const { stdout, exitCode, stderr } = await runInProcess(['extract', '--dry-run', ...words], { home });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^scans\/a\.pdf\tapplication\/pdf\t\d+\t\?\tsend[^\n]*\n$/);
    expect(stderr).toContain('is not running');
    expect(readdirSync(home.dir)).not.toContain('data');
  });

  test('inputs that the service on this machine would refuse → refused without asking it', async () => {
    write('notes.txt', 'text');
    const dry = (...words: string[]) => runInProcess(['extract', '--dry-run', ...words], { home });
    expect((await dry('notes.txt')).stdout).toContain('TEXT_EXTRACTION does not accept');
    expect(await dry('-a', 'pagse=1', 'notes.txt')).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await dry('-f', 'TEXT_EXTRACTOIN', 'notes.txt')).toMatchObject({ exitCode: 5, stdout: '' });
    expect(readdirSync(home.dir)).not.toContain('data');
  });
});

describe('notes', () => {
  const answer = (result: object) => ({ body: { requestId: 'r', function: 'F', result, meta: {} } });

  test('a document without text → prints nothing; a note on standard error alone', async () => {
    pdf('a.pdf');
    server.script.post = [answer({ text: '' }), answer({ text: '' }), answer({ text: '' })];
    expect(await run(['a.pdf'])).toMatchObject({ exitCode: 0, stdout: '', stderr: 'a.pdf: no text was found\n' });
    expect((await run(['a.pdf', '--quiet'])).stderr).toBe('');
    expect((await run(['a.pdf', '--json'])).stderr).toBe('');
  });

  test('warnings of the result → on standard error, and in the JSON', async () => {
    pdf('a.pdf');
    const warnings = [{ page: 3, message: 'could not be read' }, 'of another server'];
    server.script.post = Array.from({ length: 3 }, () => answer({ text: 'x', warnings }));
    expect(await run(['a.pdf'])).toMatchObject({
      stdout: 'x\n',
      stderr: 'a.pdf: page 3: could not be read\na.pdf: of another server\n',
    });
    const json = await run(['a.pdf', '--json']);
    expect(json.stderr).toBe('');
    expect(JSON.parse(json.stdout)).toMatchObject({ result: { warnings } });
    const written = await run(['a.pdf', '--json', '--output-dir', 'out']);
    expect(JSON.parse(written.stdout)).toMatchObject({ output: join('out', 'a.pdf.txt'), warnings });
  });

  test('an encrypted document → says how to give its password', async () => {
    pdf('my scan.pdf');
    server.script.post = [failure(400, 'INVALID_DOCUMENT', 'The document is encrypted', false)];
    const { stderr, exitCode } = await run(['my scan.pdf']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Try: ocr extract -a password 'my scan.pdf'");
  });

  test('the hint to an encrypted document → sends the same to the same service', async () => {
    pdf('-my.pdf');
    server.script.post = [failure(400, 'INVALID_DOCUMENT', 'The document is encrypted', false)];
    const { stderr } = await run(['--base-url', server.baseUrl, '-a', 'pages=1', '--', '-my.pdf']);
    expect(stderr).toContain(`Try: ocr extract --base-url ${server.baseUrl} -a pages=1 -a password ./-my.pdf`);
  });

  test('an address as input → an error whose hint says how to send what it holds', async () => {
    const { stderr, exitCode } = await run(['https://example.com/a.pdf?x=1&y=2']);
    expect(exitCode).toBe(5);
    expect(stderr).toContain("curl -fL 'https://example.com/a.pdf?x=1&y=2' | ocr extract -\n");
  });

  test.each([
    ['INVALID_DOCUMENT', 'The PDF is damaged', 'Fetch or export it again.'],
    [
      'PAGE_LIMIT_EXCEEDED',
      '9 pages; it takes 5 at most',
      'Try: qpdf --split-pages=5 a.pdf part-%d.pdf && ocr extract part-*.pdf',
    ],
  ])('%s → says what helps, also afterwards', async (code, message, help) => {
    pdf('a.pdf');
    server.script.post = [failure(400, code, message, false)];
    const { stderr } = await run(['a.pdf']);
    expect(stderr).toContain(help);
    const [{ requestId }] = JSON.parse((await runInProcess(['requests', '--json'], { home, env: server.env })).stdout);
    const card = await runInProcess(['requests', 'get', requestId], { home, env: server.env });
    expect(card.stdout).toContain(`Next\t${help.replace('Try: ', '')}`);
  });

  test('the hint to an encrypted document → names the function', async () => {
    pdf('form.pdf');
    server.script.post = [failure(400, 'INVALID_DOCUMENT', 'The document is encrypted', false)];
    const { stderr } = await run(['-f', 'FORM_FIELDS', 'form.pdf']);
    expect(stderr).toContain('Try: ocr extract -f FORM_FIELDS -a password form.pdf');
  });
});
