import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { documents, examples } from '../fixtures/manifest.js';
import { readLines, setUpClient } from '../support/client-set-up.js';
import type { ContractServer } from '../support/contract-server.js';
import { createLocalHome } from '../support/local-service.js';
import { openTerminal } from '../support/pty.js';
import { runInProcess } from '../support/run-in-process.js';
import type { TemporaryHome } from '../support/temporary-home.js';

describe('what a server gives for functions of ours', () => {
  let home: TemporaryHome;
  let server: ContractServer;
  beforeEach(async () => {
    const setUp = await setUpClient({ files: { 'a.pdf': 'A', 'b.pdf': 'B' } });
    ({ home, server } = setUp);
    return setUp.tearDown;
  });
  const run = (...args: string[]) => runInProcess(['extract', ...args], { home, env: server.env });
  const answer = (id: string, result: unknown) => ({
    body: { requestId: 'r', function: id, result, meta: {} },
  });
  const posts = () => server.calls.filter(({ method }) => method === 'POST');
  const tables = (...csv: string[]) => ({ tables: csv.map((text) => ({ page: 1, csv: text })) });
  const block = (text: string) => ({ kind: 'paragraph', box: [0.1, 0.2, 0.9, 0.25], text, lines: [] });
  const TABLES = ['-f', 'TABLE_EXTRACTION'];
  const LAYOUT = ['-f', 'LAYOUT_ANALYSIS'];

  test('tables → CSV with empty lines between them; -o says so', async () => {
    const both = answer('TABLE_EXTRACTION', tables('a,b\r\n1,2\r\n', 'c,d\r\n'));
    server.script.post = [both, both, both];
    const { stdout, stderr, exitCode } = await run(...TABLES, 'a.pdf');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toBe('a,b\r\n1,2\r\n\r\nc,d\r\n');
    expect(await run(...TABLES, 'a.pdf', '-o', 'a.csv')).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'a.csv holds 2 tables with an empty line between them; ocr extract --output-dir writes a file for each\n',
    });
    expect(readFileSync(join(home.dir, 'a.csv'), 'utf8')).toBe(stdout);
    server.script.post = [answer('TABLE_EXTRACTION', tables('a,b\r\n'))];
    expect((await run(...TABLES, 'b.pdf', '-o', 'b.csv')).stderr).toBe('');
  });

  describe('tables with --output-dir', () => {
    const out = () => readdirSync(join(home.dir, 'out')).sort();
    const read = (name: string) => readFileSync(join(home.dir, 'out', name), 'utf8');

    test('a CSV for each table; --json → a line with their names', async () => {
      server.script.post = [
        answer('TABLE_EXTRACTION', tables('a\r\n', 'b\r\n')),
        answer('TABLE_EXTRACTION', tables()),
        answer('TABLE_EXTRACTION', { sheets: [1] }),
      ];
      const args = ['--json', '-c', '1', '--output-dir', 'out'];
      const { stdout, exitCode } = await run(...TABLES, ...args, 'a.pdf', 'b.pdf');
      expect(exitCode).toBe(0);
      expect(out()).toEqual(['a.pdf.table-1.csv', 'a.pdf.table-2.csv']);
      expect([read('a.pdf.table-1.csv'), read('a.pdf.table-2.csv')]).toEqual(['a\r\n', 'b\r\n']);
      expect(readLines(stdout).map(({ output }) => output)).toEqual([
        [join('out', 'a.pdf.table-1.csv'), join('out', 'a.pdf.table-2.csv')],
        [],
      ]);
      const other = await run(...TABLES, ...args, 'b.pdf');
      expect(readLines(other.stdout)).toMatchObject([{ output: join('out', 'b.pdf.csv') }]);
      expect(JSON.parse(read('b.pdf.csv'))).toEqual({ sheets: [1] });
    });

    test('no table → no file, and --skip-existing does not send it again', async () => {
      const args = ['--json', '--output-dir', 'out', '--skip-existing', 'a.pdf'];
      server.script.post = [answer('TABLE_EXTRACTION', tables())];
      expect(readLines((await run(...TABLES, ...args)).stdout)).toMatchObject([{ output: [] }]);
      const count = posts().length;
      const again = await run(...TABLES, ...args);
      expect(again.exitCode).toBe(0);
      expect(readLines(again.stdout)).toEqual([{ input: 'a.pdf', skipped: 'nothing to write' }]);
      expect(posts()).toHaveLength(count);
      const forPeople = [...TABLES, '--output-dir', 'out', '--skip-existing', 'a.pdf'];
      const none = 'Skipped 1 input whose result had nothing to write\n';
      expect(await run(...forPeople)).toMatchObject({ exitCode: 0, stderr: none });
      server.script.post = [answer('TABLE_EXTRACTION', tables('b\r\n'))];
      await run(...TABLES, '--output-dir', 'out', 'b.pdf');
      const both = 'Skipped 1 input with an output that is newer, and 1 input whose result had nothing to write\n';
      expect(await run(...forPeople, 'b.pdf')).toMatchObject({ exitCode: 0, stderr: both });
      // Other bytes may have another answer.
      writeFileSync(join(home.dir, 'a.pdf'), 'A2');
      server.script.post = [answer('TABLE_EXTRACTION', tables('a\r\n'))];
      expect(readLines((await run(...TABLES, ...args)).stdout)).toMatchObject([{ output: ['out/a.pdf.table-1.csv'] }]);
    });

    test('--format json → one file', async () => {
      server.script.post = [answer('TABLE_EXTRACTION', tables('a\r\n', 'b\r\n'))];
      await run(...TABLES, 'a.pdf', '--format', 'json', '--output-dir', 'out');
      expect(out()).toEqual(['a.pdf.json']);
    });

    test('a file of an earlier run → exit code 2; --force → replaced, and tables that are no more removed', async () => {
      server.script.post = [
        answer('TABLE_EXTRACTION', tables('1\r\n', '2\r\n', '3\r\n')),
        answer('TABLE_EXTRACTION', tables('new\r\n')),
      ];
      await run(...TABLES, 'a.pdf', '--output-dir', 'out');
      writeFileSync(join(home.dir, 'out', 'a.pdf.table-01.csv'), 'mine');
      unlinkSync(join(home.dir, 'out', 'a.pdf.table-1.csv'));
      const refused = await run(...TABLES, 'a.pdf', '--output-dir', 'out');
      expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/table-[23]\.csv already exists/) });
      expect(posts()).toHaveLength(1);
      await run(...TABLES, 'a.pdf', '--output-dir', 'out', '--force');
      expect(out()).toEqual(['a.pdf.table-01.csv', 'a.pdf.table-1.csv']);
      expect(read('a.pdf.table-1.csv')).toBe('new\r\n');
      server.script.catalog = [{ body: { functions: [{ id: 'TABLE_EXTRACTION' }] } }];
      const dry = await run(...TABLES, 'b.pdf', '--output-dir', 'out', '--dry-run', '--json');
      expect(JSON.parse(dry.stdout)).toMatchObject({ output: join('out', 'b.pdf.table-*.csv') });
    });
  });

  test('a layout → one line for each block, in a pipe and in a file; a table on a terminal', async () => {
    const pages = [{ page: 3, blocks: [block('one\ttwo\nthree'), block('\x1b[2J')] }];
    const reply = answer('LAYOUT_ANALYSIS', { pages });
    server.script.post = [reply, reply, reply];
    const lines = '3\tparagraph\t10.0 20.0 90.0 25.0\tone two three\n3\tparagraph\t10.0 20.0 90.0 25.0\t\x1b[2J\n';
    expect((await run(...LAYOUT, 'a.pdf')).stdout).toBe(lines);
    await run(...LAYOUT, 'a.pdf', '-o', 'a.tsv');
    expect(readFileSync(join(home.dir, 'a.tsv'), 'utf8')).toBe(lines);
    const terminal = openTerminal(['extract', ...LAYOUT, 'a.pdf'], { home, env: server.env });
    expect((await terminal.exited).exitCode).toBe(0);
    expect(terminal.shown).toMatch(/Page.*Kind.*Box.*Text/);
    expect(terminal.shown).toContain('^[[2J');
    expect(terminal.shown).not.toContain('\x1b[2J');
  });

  test('a result of another shape → JSON; one with a text → its text', async () => {
    server.script.post = [
      answer('TABLE_EXTRACTION', { sheets: [1] }),
      answer('TABLE_EXTRACTION', { text: 'as text' }),
      answer('SOMETHING_ELSE', { tables: [] }),
    ];
    expect(JSON.parse((await run(...TABLES, 'a.pdf')).stdout)).toEqual({ sheets: [1] });
    expect((await run(...TABLES, 'a.pdf', '--fresh')).stdout).toBe('as text\n');
    server.script.catalog = [{ body: { functions: [{ id: 'SOMETHING_ELSE' }] } }];
    expect(JSON.parse((await run('-f', 'SOMETHING_ELSE', 'a.pdf')).stdout)).toEqual({ tables: [] });
  });

  test('--json → the service’s own body', async () => {
    server.script.post = [answer('TABLE_EXTRACTION', tables('a,b\r\n'))];
    const { stdout } = await run('--json', ...TABLES, 'a.pdf');
    expect(JSON.parse(stdout)).toMatchObject({ input: 'a.pdf', result: tables('a,b\r\n') });
  });

  describe('a file', () => {
    const PDF = ['-f', 'SEARCHABLE_PDF'];
    const bytes = Buffer.from('%PDF-1.7\n\x00\xff', 'latin1');
    const reply = answer('SEARCHABLE_PDF', { pdf: bytes.toString('base64') });

    test('-o, --output-dir and a redirection → its bytes', async () => {
      server.script.post = [reply, reply, reply, reply];
      const line = await run(...PDF, 'a.pdf', '--json', '-o', 'line.pdf');
      expect(JSON.parse(line.stdout)).toEqual({
        input: 'a.pdf',
        requestId: 'r',
        function: 'SEARCHABLE_PDF',
        meta: {},
        output: 'line.pdf',
      });
      expect(await run(...PDF, 'a.pdf', '-o', 'out.pdf')).toMatchObject({ exitCode: 0, stdout: '' });
      await run(...PDF, 'a.pdf', '--output-dir', 'out');
      const redirected = openTerminal(['extract', ...PDF, 'a.pdf'], {
        home,
        env: server.env,
        redirect: '> direct.pdf',
      });
      expect((await redirected.exited).exitCode).toBe(0);
      for (const name of ['line.pdf', 'out.pdf', 'out/a.pdf', 'direct.pdf']) {
        expect(readFileSync(join(home.dir, name)).equals(bytes), name).toBe(true);
      }
    });

    test('a document that is to be sent → never overwritten', async () => {
      const refused = await run(...PDF, 'a.pdf', '--output-dir', '.', '--force');
      expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('a document that is to be sent') });
      expect(posts()).toEqual([]);
    });

    test('a terminal or a second file on standard output → refused before anything is sent', async () => {
      const terminal = openTerminal(['extract', ...PDF, 'a.pdf'], { home, env: server.env });
      expect((await terminal.exited).exitCode).toBe(2);
      expect(terminal.shown).toContain('-o <file>');
      const several = await run(...PDF, 'a.pdf', 'b.pdf');
      expect(several).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--output-dir') });
      expect(posts()).toEqual([]);
    });

    test('--json → base64 in the service’s own body, also for several', async () => {
      server.script.post = [reply, reply];
      const { stdout, exitCode } = await run('--json', ...PDF, 'a.pdf', 'b.pdf');
      expect(exitCode).toBe(0);
      expect(stdout.match(/"pdf":"JVBERi/g)).toHaveLength(2);
    });
  });

  test('no tables → a note; the file that -o names is empty, and --skip-existing finds it', async () => {
    server.script.post = [answer('TABLE_EXTRACTION', tables()), answer('TABLE_EXTRACTION', tables())];
    const note = 'a.pdf: no tables were found\n';
    expect(await run(...TABLES, 'a.pdf')).toMatchObject({ exitCode: 0, stdout: '', stderr: note });
    const toFile = [...TABLES, 'a.pdf', '-o', 'a.csv', '--skip-existing'];
    expect(await run(...toFile)).toMatchObject({ exitCode: 0, stdout: '', stderr: note });
    expect(readFileSync(join(home.dir, 'a.csv'), 'utf8')).toBe('');
    expect(await run(...toFile)).toMatchObject({
      exitCode: 0,
      stderr: 'Skipped 1 input with an output that is newer\n',
    });
    expect(posts()).toHaveLength(2);
  });

  test('the result of a job → printed by its function, by wait and by result', async () => {
    const job = { body: { jobId: 'job_1', status: 'completed', result: tables('a,b\r\n'), meta: {} } };
    server.script.post = [
      { status: 202, body: { requestId: 'r', jobId: 'job_1', status: 'queued', statusUrl: '/v1/ocr/jobs/job_1' } },
    ];
    server.script.job = [job, job];
    expect((await run(...TABLES, '--no-wait', 'a.pdf')).stdout).toBe('job_1\n');
    const jobs = (...args: string[]) => runInProcess(['jobs', ...args], { home, env: server.env });
    expect((await jobs('wait', 'job_1')).stdout).toBe('a,b\r\n');
    expect((await jobs('result', 'job_1')).stdout).toBe('a,b\r\n');
  });

  test('markdown for a function without it → 2; as a setting → ignored', async () => {
    const schema = { type: 'object', additionalProperties: false, properties: { pages: { type: 'string' } } };
    const catalog = { body: { functions: [{ id: 'TABLE_EXTRACTION', argsSchema: schema }] } };
    server.script.catalog = [catalog, catalog];
    const asked = await run(...TABLES, '--format', 'markdown', 'a.pdf');
    expect(asked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cannot give Markdown') });
    expect(posts()).toEqual([]);
    server.script.post = [answer('TABLE_EXTRACTION', tables('a,b\r\n'))];
    await runInProcess(['config', 'set', 'format', 'markdown'], { home, env: server.env });
    expect(await run(...TABLES, 'a.pdf')).toMatchObject({ exitCode: 0, stdout: 'a,b\r\n' });
    expect(JSON.parse(posts()[0]?.upload?.args ?? '{}')).toEqual({});
  });
});

test('our own service → a layout, tables of several documents, and what a function gives', async () => {
  const home = createLocalHome();
  const run = (...args: string[]) => runInProcess(args, { home });
  const layout = await run('extract', '-f', 'LAYOUT_ANALYSIS', '-a', 'pages=1', examples.report.path);
  expect(layout).toMatchObject({ exitCode: 0, stderr: '' });
  expect(layout.stdout).toMatch(/^1\ttitle\t10\.1 .*\tAlder Vale Library: Annual Report$/m);
  const tables = await run('extract', '-f', 'TABLE_EXTRACTION', examples.report.path, documents.landscapeRotated.path);
  expect(tables.exitCode).toBe(0);
  expect(tables.stdout).toMatch(/^Branch,Hours,Visitors,Loans\r\nCentral,9\.00 to 19\.00,"84,210","131,457"\r$/m);
  const described = await run('functions', 'get', 'TABLE_EXTRACTION');
  expect(described.stdout).toContain('\ntables\tlist of object\tIn the order of the document.\n');
  const json = await run('functions', 'get', 'LAYOUT_ANALYSIS', '--json');
  expect(JSON.parse(json.stdout).resultSchema.required).toEqual(['pages']);
});
