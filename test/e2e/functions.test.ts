import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setUpClient } from '../support/client-set-up.js';
import {
  type ContractServer,
  failure,
  OTHER_DIALECT,
  startContractServer,
  TEXT_EXTRACTION,
} from '../support/contract-server.js';
import { openTerminal } from '../support/pty.js';
import { runInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';

describe.each([
  ['our dialect', undefined],
  ['another dialect', OTHER_DIALECT],
])('functions of a server with %s', (_, dialect) => {
  let server: ContractServer;
  let home: TemporaryHome;
  beforeEach(async () => {
    server = await startContractServer(dialect === undefined ? {} : { dialect });
    home = createHome();
  });
  afterEach(async () => {
    await server.close();
    home.remove();
  });
  const run = (args: string[]) => runInProcess(args, { home, env: server.env });
  const sent = () =>
    (dialect ?? { catalog: (functions: unknown) => ({ functions }) }).catalog([TEXT_EXTRACTION]) as
      | Array<Record<string, unknown>>
      | { functions: Array<Record<string, unknown>> };
  const entries = () => {
    const catalog = sent();
    return Array.isArray(catalog) ? catalog : catalog.functions;
  };

  test('a list → tab-separated in a pipe, verbatim with --json', async () => {
    const text = await run(['functions']);
    expect(text).toMatchObject({ exitCode: 0, stderr: '' });
    expect(text.stdout).toMatch(/^TEXT_EXTRACTION\tText\tpdf png\t100\t\n$/);
    const json = await run(['functions', 'list', '--json']);
    expect(JSON.parse(json.stdout)).toEqual(entries());
  });

  test('one function → a card and its arguments, verbatim with --json', async () => {
    const { stdout, exitCode, stderr } = await run(['functions', 'get', 'TEXT_EXTRACTION']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('Function\tTEXT_EXTRACTION\n');
    expect(stdout).toContain('Accepts\tapplication/pdf, image/png\n');
    expect(stdout).toContain('Page cap\t100\n');
    expect(stdout).toContain('\n\nformat\ttext | markdown\ttext\t\tof the text\n');
    expect(stdout).toContain('password\tsecret\t\t-a password\tof the document\n');
    const json = await run(['functions', 'get', 'TEXT_EXTRACTION', '--json']);
    expect(JSON.parse(json.stdout)).toEqual(entries()[0]);
  });

  test('an unknown function → 5 and a hint at the right name', async () => {
    const { stderr, exitCode } = await run(['functions', 'get', 'TEXT_EXTRACTOIN']);
    expect(exitCode).toBe(5);
    expect(stderr).toContain('Did you mean TEXT_EXTRACTION?');
    const json = await run(['functions', 'get', 'X', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });

  test('types → TypeScript', async () => {
    const { stdout, exitCode } = await run(['functions', 'types']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('export type TextExtractionArgs = {');
    expect(stdout).toContain('  dpi?: number;');
    const json = await run(['functions', 'types', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ language: 'typescript', source: stdout });
  });

  test('the catalog → cached privately, and revalidated by its ETag', async () => {
    server.script.catalog = [
      { headers: { etag: '"1"' }, body: sent() },
      { status: 304, body: '' },
    ];
    const first = await run(['functions', '--json']);
    const second = await run(['functions', '--json']);
    expect(second).toEqual(first);
    expect(server.calls.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"']);
    const dir = join(home.stateDir, 'catalogs');
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
  });

  test('a refused key → 4; no catalog → 7', async () => {
    server.script.catalog = [failure(401, 'UNAUTHORIZED', 'Unknown key', false), { body: { hello: 'world' } }];
    expect((await run(['functions'])).exitCode).toBe(4);
    const { exitCode, stderr } = await run(['functions', '--json']).then((json) => ({
      ...json,
      stderr: json.stdout,
    }));
    expect(exitCode).toBe(7);
    expect(stderr).toContain('a catalog of an unknown form');
  });
});

describe('names of functions', () => {
  let server: ContractServer;
  let home: TemporaryHome;
  beforeEach(async () => {
    const setUp = await setUpClient({ files: { 'a.pdf': '%PDF-1.7 a' } });
    ({ home, server } = setUp);
    return setUp.tearDown;
  });
  const run = (args: string[]) => runInProcess(args, { home, env: server.env });
  const posts = () => server.calls.filter(({ method }) => method === 'POST').map(({ path }) => path);
  const withAliases = () => {
    server.script.catalog = [{ body: { functions: [{ ...TEXT_EXTRACTION, alias: 'text' }] } }];
  };

  test.each(['text-extraction', 'Text_Extraction', 'TEXT-EXTRACTION'])('%s → the id is sent', async (name) => {
    expect(await run(['extract', '-f', name, 'a.pdf'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(posts()).toEqual(['/v1/ocr/TEXT_EXTRACTION']);
    // No catalog is needed for an id that this version knows.
    expect(server.calls).toHaveLength(1);
    expect(await run(['functions', 'get', name])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Function\tTEXT_EXTRACTION\n'),
    });
  });

  test.each(['text', 'TEXT'])('the short name %s → the id is sent, where the catalog gives it', async (name) => {
    withAliases();
    expect(await run(['extract', '-f', name, 'a.pdf', '--output-dir', 'out'])).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(home.dir, 'out'))).toEqual(['a.pdf.txt']);
    expect(posts()).toEqual(['/v1/ocr/TEXT_EXTRACTION']);
    withAliases();
    const { stdout } = await run(['functions', 'get', name]);
    expect(stdout).toContain('Function\tTEXT_EXTRACTION\n');
    expect(stdout).toContain('Short name\ttext\n');
    withAliases();
    expect((await run(['functions'])).stdout).toMatch(/\ttext\n$/);
  });

  test('a short name that the catalog does not give → 5, and nothing is sent', async () => {
    const { exitCode, stderr } = await run(['extract', '-f', 'text', 'a.pdf']);
    expect({ exitCode, posts: posts() }).toEqual({ exitCode: 5, posts: [] });
    expect(stderr).toContain('The service has no function text');
  });

  test('a setting → any name', async () => {
    expect(await run(['config', 'set', 'function', 'text-extraction'])).toMatchObject({ exitCode: 0 });
    expect(await run(['extract', 'a.pdf'])).toMatchObject({ exitCode: 0 });
    expect(await run(['config', 'set', 'function', 'text'])).toMatchObject({ exitCode: 0 });
    withAliases();
    expect(await run(['extract', '--fresh', 'a.pdf'])).toMatchObject({ exitCode: 0 });
    expect(posts()).toEqual(['/v1/ocr/TEXT_EXTRACTION', '/v1/ocr/TEXT_EXTRACTION']);
    expect(await run(['config', 'set', 'function', 'no function'])).toMatchObject({ exitCode: 2 });
    for (const noun of ['jobs', 'requests']) {
      const { stdout } = await run([noun, '-f', 'text', '--json']);
      expect(JSON.parse(stdout)).toHaveLength(noun === 'jobs' ? 0 : 2);
    }
  });
});

describe('languages of documents', () => {
  let server: ContractServer;
  let home: TemporaryHome;
  beforeEach(async () => {
    const setUp = await setUpClient({ files: { 'a.pdf': '%PDF-1.7 a' } });
    ({ home, server } = setUp);
    return setUp.tearDown;
  });
  const run = (args: string[]) => runInProcess(args, { home, env: server.env });
  const sent = () =>
    server.calls.filter(({ method }) => method === 'POST').map(({ upload }) => JSON.parse(upload?.args ?? '{}'));

  test.each([
    ['deu+eng', ['deu', 'eng']],
    ['deu,eng', ['deu', 'eng']],
    ['de+en', ['deu', 'eng']],
    ['fr', ['fra']],
    ['our_data', ['our_data']],
  ])('-l %s → %s', async (typed, languages) => {
    expect(await run(['extract', '-l', typed, 'a.pdf'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(sent()).toEqual([{ languages }]);
  });

  test('-l with -a languages, or no languages → 2, and nothing is sent', async () => {
    const twice = await run(['extract', '-l', 'deu', '-a', 'languages=eng', 'a.pdf']);
    expect(twice).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('given twice') });
    expect(await run(['extract', '-l', '+', 'a.pdf'])).toMatchObject({ exitCode: 2 });
    const { languages: _, ...properties } = TEXT_EXTRACTION.argsSchema.properties;
    const without = { ...TEXT_EXTRACTION, argsSchema: { ...TEXT_EXTRACTION.argsSchema, properties } };
    server.script.catalog = [{ body: [without] }];
    const { exitCode, stderr } = await run(['extract', '-l', 'deu', 'a.pdf']);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('takes no languages') });
    expect(sent()).toEqual([]);
  });

  test('the setting → sent unless the command names languages, or the function takes none', async () => {
    expect(await run(['config', 'set', 'languages', 'de+en'])).toMatchObject({ exitCode: 0 });
    expect(await run(['config', 'get', 'languages'])).toMatchObject({ stdout: 'de+en\n' });
    for (const more of [[], ['-l', 'fra'], ['-a', 'languages=ita'], ['--args', '{"languages":["spa"]}']]) {
      expect(await run(['extract', ...more, 'a.pdf'])).toMatchObject({ exitCode: 0, stderr: '' });
    }
    const { languages: _, ...properties } = TEXT_EXTRACTION.argsSchema.properties;
    server.script.catalog = [
      { body: [{ ...TEXT_EXTRACTION, argsSchema: { ...TEXT_EXTRACTION.argsSchema, properties } }] },
    ];
    expect(await run(['extract', '--fresh', 'a.pdf'])).toMatchObject({ exitCode: 0, stderr: '' });
    const codes = sent().map(({ languages }) => languages);
    expect(codes).toEqual([['deu', 'eng'], ['fra'], ['ita'], ['spa'], undefined]);
    const refused = await run(['config', 'set', 'languages', 'de+']);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('codes of languages') });
  });
});

test('a terminal → the table fits into it', async () => {
  const server = await startContractServer();
  const home = createHome();
  const description = `${'word '.repeat(60)}end`;
  const property = { type: 'string', description };
  server.script.catalog = [
    { body: [{ id: 'X', description, argsSchema: { properties: { 'a-name-of-some-length': property } } }] },
  ];
  try {
    const terminal = openTerminal(['functions', 'get', 'X'], { home, env: server.env });
    expect((await terminal.exited).exitCode).toBe(0);
    const lines = terminal.shown.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '').split(/\r?\n/);
    expect(lines.some((line) => /a-name-of-some-length +text .*word word/.test(line))).toBe(true);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  } finally {
    await server.close();
    home.remove();
  }
});

test.each([
  ['functions', 'catalog', /TEXT_EXTRACTION +Text/],
  ['jobs get job_1', 'job', /Status +\S*queued/],
] as const)('%s on a terminal → says why it waits', async (line, kind, shown) => {
  const server = await startContractServer({ pollsUntilDone: 9 });
  const home = createHome();
  try {
    const jobId = 'job_1';
    server.jobs.set(jobId, { jobId, requestId: 'req_1', function: 'X', text: '', polls: 0, file: Buffer.from('') });
    server.script[kind] = [{ ...failure(503, 'STRANGE', 'Busy', true), headers: { 'retry-after': '2' } }];
    const terminal = openTerminal(line.split(' '), { home, env: server.env });
    await terminal.waitFor(/asking again at \d\d:\d\d:\d\d: Busy/);
    await terminal.waitFor(shown);
    expect((await terminal.exited).exitCode).toBe(0);
  } finally {
    await server.close();
    home.remove();
  }
});
