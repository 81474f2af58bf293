import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import columnsOf from 'string-width';
import { test as baseTest, describe } from 'vitest';
import { setUpClient } from '../support/client-set-up.js';
import { failure } from '../support/contract-server.js';
import { openTerminal } from '../support/pty.js';
import type { TemporaryHome } from '../support/temporary-home.js';

const JOB = 'job_00000000000000000000000001';

/** Tests with a home and a server of their own: they run at once, since most of them wait for polls. */
const test = baseTest
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads here which other fixtures this one needs.
  .extend('client', async ({}, { onCleanup }) => {
    const client = await setUpClient({ files: { 'a.pdf': 'A', 'b.pdf': 'B' } });
    onCleanup(client.tearDown);
    return client;
  })
  .extend('home', ({ client }) => client.home)
  .extend('server', ({ client }) => client.server)
  .extend(
    'open',
    ({ home, server }) =>
      (args: string[], env: Record<string, string> = {}) =>
        openTerminal(args, { home, env: { ...server.env, ...env } }),
  );

/** Makes a working directory with documents of its own, so that no command joins the jobs of another one. */
function makePlace(home: TemporaryHome, number: number, names: readonly string[]): TemporaryHome {
  const dir = join(home.dir, `place-${number}`);
  mkdirSync(dir);
  for (const name of names) writeFileSync(join(dir, name), `${name} ${number}`);
  return { ...home, dir };
}

test.concurrent('control characters of a document → made visible', async ({ server, open, expect }) => {
  const text = 'a\x1b]0;title\x07b\x9b31mc\r\nd\te';
  server.script.post = [{ body: { requestId: 'r', function: 'F', result: { text }, meta: {} } }];
  const terminal = open(['extract', 'a.pdf']);
  expect((await terminal.exited).exitCode).toBe(0);
  expect(terminal.shown).toContain('a^[]0;title^Gb\\x9b31mc\r\nd\te\r\n');
});

test.concurrent('Ctrl-C while a long result is printed → ends at once', async ({ server, open, expect }) => {
  const text = 'lamp\n'.repeat(1_000_000);
  server.script.post = [{ body: { requestId: 'r', function: 'F', result: { text }, meta: {} } }];
  const terminal = open(['extract', 'a.pdf']);
  await terminal.waitFor(/lamp/);
  terminal.type('\x03');
  expect((await terminal.exited).exitCode).toBe(130);
  expect(terminal.shown.length).toBeLessThan(text.length / 2);
});

test.concurrent('several results → each under its name; a single one → alone', async ({ open, expect }) => {
  // --quiet, since slow documents have a line of progress between them.
  const several = open(['extract', '--quiet', 'a.pdf', 'b.pdf']);
  await several.exited;
  expect(several.shown.replaceAll('\r', '')).toContain('==> a.pdf <==\ntext of A\n==> b.pdf <==\ntext of B\n');
  const one = open(['extract', 'a.pdf']);
  await one.exited;
  expect(one.shown).not.toContain('==>');
});

test.concurrent('JSON of one input → indented', async ({ open, expect }) => {
  const terminal = open(['extract', '--json', 'a.pdf']);
  await terminal.exited;
  expect(terminal.shown.replaceAll('\r', '')).toMatch(/^\{\n {2}"input": "a\.pdf",\n/);
});

test.concurrent('progress of a job → shown while it runs, removed before the text', async ({
  server,
  open,
  expect,
}) => {
  server.pollsUntilDone = 3;
  const terminal = open(['extract', 'a.pdf']);
  await terminal.waitFor(/a\.pdf: page \d of 9 · 0:\d\d/);
  expect((await terminal.exited).exitCode).toBe(0);
  // The spinner's line is cleared and the cursor shown again.
  const end = terminal.shown.slice(terminal.shown.lastIndexOf('of 9'));
  expect(terminal.shown).not.toContain('job_');
  expect(end).toContain('\x1b[1G\x1b[0K');
  expect(end).toContain('\x1b[?25h');
  expect(end).toMatch(/text of A\r\n(?:\x1b\[\?25h)?$/);
});

test.concurrent('a pipe that is not at its end → the line says what it waits for', async ({ home, open, expect }) => {
  execFileSync('mkfifo', [join(home.dir, 'scan')]);
  const terminal = open(['extract', 'scan']);
  await terminal.waitFor(/scan: waiting for the program that writes into this pipe to end/);
  await writeFile(join(home.dir, 'scan'), 'A');
  expect((await terminal.exited).exitCode).toBe(0);
  expect(terminal.shown).toContain('text of A');
});

test.concurrent('a rate limit → the line says so, and until when', async ({ server, open, expect }) => {
  const slow = failure(429, 'RATE_LIMITED', 'Slow down', true);
  server.script.post = [{ ...slow, headers: { 'retry-after': '60' } }];
  const terminal = open(['extract', '-c', '1', 'a.pdf', 'b.pdf']);
  await terminal.waitFor(/0 of 2 done · a\.pdf: waiting for the rate limit until \d\d:\d\d:\d\d/);
  terminal.type('\x03');
  expect((await terminal.exited).exitCode).toBe(130);
});

test.concurrent('a document that waits to be sent again → the line says why, and until when', async ({
  server,
  open,
  expect,
}) => {
  server.script.post = [{ ...failure(503, 'PROVIDER_UNAVAILABLE', 'Not now', true), headers: { 'retry-after': '60' } }];
  const terminal = open(['extract', 'a.pdf']);
  await terminal.waitFor(/a\.pdf: sending again at \d\d:\d\d:\d\d: Not now/);
  terminal.type('\x03');
  expect((await terminal.exited).exitCode).toBe(130);
});

test.concurrent('control characters of a server in the line of progress → made visible', async ({
  server,
  open,
  expect,
}) => {
  const busy = failure(503, 'PROVIDER_UNAVAILABLE', 'Not\x1b[2J now', true);
  server.script.post = [{ ...busy, headers: { 'retry-after': '60' } }];
  const terminal = open(['extract', 'a.pdf']);
  await terminal.waitFor(/a\.pdf: sending again at \d\d:\d\d:\d\d: Not\^\[\[2J now/);
  terminal.type('\x03');
  expect((await terminal.exited).exitCode).toBe(130);
  expect(terminal.shown).not.toContain('\x1b[2J');
});

test.concurrent('a job that cannot be polled → the line says so', async ({ server, open, expect }) => {
  server.pollsUntilDone = 1;
  server.script.job = Array.from({ length: 2 }, () => failure(503, 'PROVIDER_UNAVAILABLE', 'Not now', true));
  const terminal = open(['extract', 'a.pdf']);
  await terminal.waitFor(/a\.pdf: queued as last heard of, asking again: Not now/);
  expect((await terminal.exited).exitCode).toBe(0);
});

describe.concurrent('the line of progress of a batch', () => {
  const batch = ['extract', 'none.pdf', 'a.pdf', 'b.pdf'];
  const LINE = /1 of 3 done, 1 failed · (?:waiting for its turn|[ab]\.pdf: page \d of 9) · 0:\d\d/;
  const SPINNER = '\x1b[?25l';
  test('a terminal on standard error → counts done and failed; standard output is the result alone', async ({
    home,
    server,
    expect,
  }) => {
    server.pollsUntilDone = 2;
    const terminal = openTerminal(batch, { home, env: server.env, redirect: '> out' });
    await terminal.waitFor(LINE);
    expect((await terminal.exited).exitCode).toBe(8);
    expect(readFileSync(join(home.dir, 'out'), 'utf8')).toBe('text of A\ntext of B\n');
    // The last line is taken away, and the cursor is shown again.
    expect(terminal.shown.lastIndexOf('\x1b[?25h')).toBeGreaterThan(terminal.shown.lastIndexOf(SPINNER));
    const line = terminal.shown.slice(0, terminal.shown.indexOf('2 of 3 documents'));
    const end = line.slice(line.lastIndexOf('0:0'));
    expect(end).toContain('\x1b[0K');
  });

  test('a pipe or a file on standard error → no line', async ({ home, server, expect }) => {
    server.pollsUntilDone = 2;
    const terminal = openTerminal(batch, { home, env: server.env, redirect: '2> notes' });
    expect((await terminal.exited).exitCode).toBe(8);
    // No summary either.
    expect(readFileSync(join(home.dir, 'notes'), 'utf8')).toBe('ocr: No such file: none.pdf\n');
    expect(terminal.shown).toBe('==> a.pdf <==\r\ntext of A\r\n==> b.pdf <==\r\ntext of B\r\n');
  });

  test('--quiet, --json, CI, a dumb terminal → no line', async ({ home, server, expect }) => {
    server.pollsUntilDone = 2;
    const cases: Array<[flags: string[], env: Record<string, string>]> = [
      [['--quiet'], {}],
      [['--json'], {}],
      [[], { CI: 'true' }],
      [[], { TERM: 'dumb' }],
    ];
    await Promise.all(
      cases.map(async ([flags, env], number) => {
        const place = makePlace(home, number, ['a.pdf', 'b.pdf']);
        const terminal = openTerminal([...batch, ...flags], { home: place, env: { ...server.env, ...env } });
        expect((await terminal.exited).exitCode).toBe(8);
        expect(terminal.shown).not.toContain(SPINNER);
        expect(terminal.shown).not.toContain('of 3 done');
      }),
    );
  });

  test('NO_COLOR → no colour', async ({ server, open, expect }) => {
    server.pollsUntilDone = 2;
    const terminal = open(batch, { NO_COLOR: '1' });
    await terminal.waitFor(LINE);
    await terminal.exited;
    expect(terminal.shown).not.toMatch(/\x1b\[3\dm/);
  });
});

describe.concurrent('a narrow terminal', () => {
  const NAME = `${'scans-of-the-year-'.repeat(3)}2026-№-文書.pdf`;

  test('40 and 80 columns, one name and two → the line is cut in the middle of the name and never wraps', async ({
    home,
    server,
    expect,
  }) => {
    server.pollsUntilDone = 3;
    // All at once, since they wait for polls most of the time.
    const cases = [40, 80].flatMap((columns) => [[NAME], [NAME, 'c.pdf']].map((names) => ({ columns, names })));
    await Promise.all(
      cases.map(async ({ columns, names }, number) => {
        const args = ['extract', '--output-dir', 'out', ...names];
        const terminal = openTerminal(args, { home: makePlace(home, number, names), env: server.env, columns });
        await terminal.waitFor(/…\S*\.pdf: page \d of 9/);
        expect((await terminal.exited).exitCode).toBe(0);
        const lines = terminal.shown.split(/\r\n|\x1b\[1?G/).map((line) => stripVTControlCharacters(line));
        const progress = lines.filter((line) => line.includes('page'));
        for (const line of progress.filter((text) => !text.includes('done · 2'))) {
          expect(columnsOf(line), line).toBeLessThan(columns);
          if (line.includes('…')) expect(line).toMatch(/sca\S*…\S*\.pdf: /);
        }
        // ora moves the cursor up where it counted more than one line.
        expect(terminal.shown).not.toMatch(/\x1b\[\d*A/);
      }),
    );
  });
});

test.concurrent('the summary of a batch → what was written where, what failed, what was skipped, pages and time', async ({
  home,
  open,
  expect,
}) => {
  mkdirSync(join(home.dir, 'in'));
  for (const [name, text] of [
    ['a.pdf', '%PDF-A'],
    ['b.pdf', '%PDF-B'],
    ['notes.txt', 'notes'],
  ] as const)
    writeFileSync(join(home.dir, 'in', name), text);
  const args = ['extract', 'in', 'none.pdf', '--output-dir', 'out'];
  const terminal = open(args);
  expect((await terminal.exited).exitCode).toBe(8);
  expect(terminal.shown).toMatch(/2 of 3 documents done · 2 pages · 0:0\d · written to out · 1 failed · 1 skipped\r\n/);
  const again = open([...args, '--skip-existing']);
  await again.exited;
  expect(again.shown).toMatch(/0 of 1 document done · 0 pages · 0:0\d · 1 failed · 3 skipped\r\n/);
  expect(again.shown).not.toContain('with an output that is newer');
  for (const quiet of ['--quiet', '--json']) {
    const silent = open([...args, '--force', quiet]);
    await silent.exited;
    expect(silent.shown).not.toContain('documents done');
  }
  const one = open(['extract', 'a.pdf']);
  await one.exited;
  expect(one.shown).not.toContain('document done');
});

test.concurrent('requests on a terminal → the newest 30, and a note that says so; with --limit, --json or in a pipe as many as asked', async ({
  home,
  server,
  open,
  expect,
}) => {
  const names = Array.from({ length: 32 }, (_, i) => `n${i}.pdf`);
  for (const name of names) writeFileSync(join(home.dir, name), name);
  await open(['extract', ...names]).exited;
  const listed = async (...args: string[]) => {
    const terminal = openTerminal(['requests', ...args], { home, env: server.env, columns: 200 });
    await terminal.exited;
    return { rows: terminal.shown.match(/n\d+\.pdf/g)?.length, shown: terminal.shown };
  };
  // Again if need be: libuv takes a part of a terminal's last output for its end, where more than 4 KiB of it are unread.
  await expect
    .poll(() => listed())
    .toMatchObject({
      rows: 30,
      shown: expect.stringContaining('The newest 30 of 32 are shown; for all of them: --limit 32'),
    });
  expect((await listed()).shown).toContain('\x1b[32mcompleted\x1b[39m');
  await expect
    .poll(() => listed('--limit', '31'))
    .toMatchObject({ rows: 31, shown: expect.not.stringContaining('newest') });
  await expect.poll(async () => (await listed('--json')).rows).toBe(32);
  await openTerminal(['requests'], { home, env: server.env, redirect: '> list' }).exited;
  expect(readFileSync(join(home.dir, 'list'), 'utf8').trim().split('\n')).toHaveLength(32);
  const plain = open(['requests', '--no-color']);
  await plain.exited;
  expect(plain.shown).toContain('completed');
  expect(plain.shown).not.toContain('\x1b[32m');
});

test.concurrent('Ctrl-C → says how to resume, exit code 130', async ({ server, open, expect }) => {
  server.pollsUntilDone = 100;
  const terminal = open(['extract', 'a.pdf']);
  await terminal.waitFor(/page \d of 9/);
  terminal.type('\x03');
  expect((await terminal.exited).exitCode).toBe(130);
  expect(terminal.shown).toContain(`Job ${JOB} is still running. Resume: ocr jobs wait ${JOB}`);
});

test.concurrent('Ctrl-C in a batch → what goes on is counted neither as done nor as failed', async ({
  home,
  server,
  open,
  expect,
}) => {
  server.pollsUntilDone = 100;
  writeFileSync(join(home.dir, 'b.pdf'), '%PDF-B');
  const terminal = open(['extract', 'a.pdf', 'b.pdf', '--output-dir', 'out']);
  await terminal.waitFor(/0 of 2 done[\s\S]*page \d of 9/);
  terminal.type('\x03');
  expect((await terminal.exited).exitCode).toBe(130);
  expect(terminal.shown).not.toMatch(/failed|[12] of 2 done/);
});

test.concurrent('errors → coloured; with NO_COLOR, --no-color or TERM=dumb → plain', async ({ open, expect }) => {
  const coloured = open(['extract', 'nope.pdf']);
  expect((await coloured.exited).exitCode).toBe(5);
  expect(coloured.shown).toContain('\x1b[31mocr:\x1b[39m');
  for (const [args, env] of [
    [[], { NO_COLOR: '1' }],
    [['--no-color'], {}],
    [[], { TERM: 'dumb' }],
  ] as const) {
    const plain = open(['extract', 'nope.pdf', ...args], env);
    await plain.exited;
    expect(plain.shown).toContain('ocr: No such file: nope.pdf');
    expect(plain.shown).not.toContain('\x1b[3');
  }
});

test.concurrent('a file name with control characters → made visible', async ({ open, expect }) => {
  const terminal = open(['extract', 'x\x1b[2Jy.pdf']);
  await terminal.exited;
  expect(terminal.shown).toContain('x^[[2Jy.pdf');
});

test.concurrent('a list → a table with a header', async ({ open, expect }) => {
  await open(['extract', '--no-wait', 'a.pdf']).exited;
  const terminal = open(['jobs']);
  await terminal.exited;
  expect(terminal.shown).toMatch(/Job.*Status.*Function.*Submitted.*Input/);
  expect(terminal.shown).toContain(JOB);
});

test.concurrent('a password → asked for, never shown, and sent', async ({ server, open, expect }) => {
  const terminal = open(['extract', 'a.pdf', '-a', 'password']);
  await terminal.waitFor(/password: /);
  terminal.type('hunterX\x7f2\r');
  expect((await terminal.exited).exitCode).toBe(0);
  expect(terminal.shown).not.toContain('hunter');
  const post = server.calls.find(({ method }) => method === 'POST');
  expect(JSON.parse(post?.upload?.args ?? '')).toEqual({ password: 'hunter2' });
});

test.concurrent('Ctrl-C at the question → 130, and nothing is sent', async ({ server, open, expect }) => {
  const terminal = open(['extract', 'a.pdf', '-a', 'password']);
  await terminal.waitFor(/password: /);
  terminal.type('\x03');
  expect((await terminal.exited).exitCode).toBe(130);
  expect(server.calls.filter(({ method }) => method === 'POST')).toEqual([]);
});

test.concurrent('--no-input → never asks', async ({ open, expect }) => {
  const terminal = open(['extract', 'a.pdf', '-a', 'password', '--no-input']);
  expect((await terminal.exited).exitCode).toBe(2);
});

test.concurrent('standard input that is a terminal → an error at once', async ({ open, expect }) => {
  const terminal = open(['extract', '-']);
  expect((await terminal.exited).exitCode).toBe(2);
  expect(terminal.shown).toContain('Standard input is a terminal');
});
