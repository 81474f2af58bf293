import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ContractServer, OTHER_DIALECT, OUR_DIALECT, startContractServer } from '../support/contract-server.js';
import { startCli } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const PHRASE = 'Alder Vale Library';

interface ServerUnderTest {
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** Our own service, as `ocr serve` runs it. */
async function startOurService(): Promise<ServerUnderTest> {
  const home = createHome();
  const env = { OCR_SERVE_INLINE_MAX_PAGES: '2' };
  const service = startCli(['serve', '--port', '0', '--json', '--data-dir', home.dataDir], { home, env });
  const printed = await new Promise<string>((resolve, reject) => {
    let text = '';
    service.stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.includes('\n')) resolve(text);
    });
    service.stdout?.on('end', () => reject(new Error(`the service ended: ${text}`)));
  });
  const { url } = JSON.parse(printed) as { url: string };
  const apiKey = readFileSync(join(home.dataDir, 'api-key'), 'utf8').trim();
  return {
    env: { OCR_BASE_URL: url, OCR_API_KEY: apiKey },
    async stop() {
      service.kill('SIGTERM');
      await service;
      home.remove();
    },
  };
}

async function startOther(dialect: typeof OUR_DIALECT): Promise<ServerUnderTest> {
  const server: ContractServer = await startContractServer({
    dialect,
    textOf: (file) => (file.length > 12_000 ? `${PHRASE}: Annual Report` : 'short'),
  });
  return { env: server.env, stop: server.close };
}

// One suite, whatever a server settled where the contract is silent.
describe.each<[string, () => Promise<ServerUnderTest>]>([
  ['our service', startOurService],
  ['a server of our dialect', () => startOther(OUR_DIALECT)],
  ['a server that settled every silent point differently', () => startOther(OTHER_DIALECT)],
])('%s', (_, start) => {
  let server: ServerUnderTest;
  let home: TemporaryHome;
  beforeAll(async () => {
    [server, home] = [await start(), createHome()];
    cpSync(EXAMPLES, join(home.dir, 'examples'), { recursive: true });
    writeFileSync(join(home.dir, 'none.pdf'), '');
  });
  afterAll(async () => {
    await server.stop();
    home.remove();
  });
  const run = (...args: string[]) => runInProcess(args, { home, env: server.env });
  const report = 'examples/report.pdf';

  test('extract → prints the text, inline or followed', async () => {
    const { exitCode, stdout, stderr } = await run('extract', report);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain(PHRASE);
  });

  test('extract --json → prints the shape of a 200, inline or followed', async () => {
    const { exitCode, stdout } = await run('extract', '--fresh', '--json', report, 'none.pdf');
    expect(exitCode).toBe(8);
    const [done, failed] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(done).toMatchObject({
      input: report,
      requestId: expect.stringMatching(/^req_/),
      function: 'TEXT_EXTRACTION',
      result: { text: expect.stringContaining(PHRASE) },
      meta: { cached: expect.any(Boolean), pageCount: expect.any(Number), provider: expect.any(String) },
    });
    expect(failed).toMatchObject({ input: 'none.pdf', error: { code: 'FILE_EMPTY' } });
  });

  test('a job → submitted, found, followed and printed', async () => {
    const submitted = JSON.parse((await run('extract', '--no-wait', '--fresh', '--json', report)).stdout);
    expect(submitted).toMatchObject({ input: report, jobId: expect.any(String), status: expect.any(String) });
    const { jobId } = submitted as { jobId: string };
    const listed = JSON.parse((await run('jobs', '--json')).stdout) as Array<{ jobId: string }>;
    expect(listed.map((job) => job.jobId)).toContain(jobId);
    const waited = await run('jobs', 'wait', jobId, '--json');
    expect(waited.exitCode).toBe(0);
    expect(JSON.parse(waited.stdout)).toMatchObject({ jobId, result: { text: expect.stringContaining(PHRASE) } });
    expect((await run('jobs', 'get', jobId)).exitCode).toBe(0);
    expect((await run('jobs', 'result', jobId)).stdout).toContain(PHRASE);
  });

  test('arguments → typed and checked by the server’s catalog', async () => {
    expect((await run('extract', report, '--format', 'markdown', '-a', 'pages=1')).exitCode).toBe(0);
    const { exitCode, stderr } = await run('extract', report, '-a', 'formt=markdown');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Did you mean format?');
  });

  test('functions → listed, described and typed', async () => {
    expect((await run('functions')).stdout).toContain('TEXT_EXTRACTION\t');
    expect((await run('functions', 'get', 'TEXT_EXTRACTION')).stdout).toMatch(/^format\t/m);
    expect((await run('functions', 'types')).stdout).toContain('TextExtractionArgs');
    expect((await run('functions', 'get', 'TEXT_EXTRACTOIN')).exitCode).toBe(5);
  });

  test('refusals → the right exit code', async () => {
    expect((await run('extract', '-f', 'NO_SUCH', report)).exitCode).toBe(5);
    expect((await run('jobs', 'get', 'job_00000000000000000000000000')).exitCode).toBe(5);
    const env = { ...server.env, OCR_API_KEY: 'wrong' };
    expect((await runInProcess(['extract', '--fresh', report], { home, env })).exitCode).toBe(4);
    expect((await runInProcess(['functions'], { home, env })).exitCode).toBe(4);
  });
});

describe('answers outside the contract', () => {
  let server: ContractServer;
  let home: TemporaryHome;
  beforeAll(async () => {
    [server, home] = [await startContractServer({ dialect: OTHER_DIALECT, pollsUntilDone: 1 }), createHome()];
    writeFileSync(join(home.dir, 'a.pdf'), 'A');
  });
  afterAll(async () => {
    await server.close();
    home.remove();
  });
  const run = (...args: string[]) => runInProcess(args, { home, env: server.env });
  const soon = { 'retry-after': '0' };

  test('unknown error codes → judged by the HTTP status and by retryable', async () => {
    const refuse = (status: number, more: object) => ({
      status,
      headers: soon,
      body: { error: { code: 'ODD', ...more } },
    });
    for (const [status, exitCode] of [
      [400, 1],
      [402, 4],
      [404, 5],
      [418, 1],
      [500, 7],
      [501, 7],
    ] as const) {
      server.script.post = [refuse(status, { message: 'odd', extra: true })];
      const ended = await run('extract', '--fresh', '--json', 'a.pdf');
      expect([status, ended.exitCode]).toEqual([status, exitCode]);
      expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'ODD', message: 'odd', retryable: false } });
    }
    server.script.post = [refuse(418, { retryable: true })];
    const before = server.calls.filter(({ method }) => method === 'POST').length;
    expect((await run('extract', '--fresh', 'a.pdf')).exitCode).toBe(0);
    expect(server.calls.filter(({ method }) => method === 'POST').length - before).toBe(2);
  });

  test('a job that failed for an unknown reason, or for none → exit code 1', async () => {
    for (const [error, code] of [
      [{ code: 'MELTED' }, 'MELTED'],
      ['it broke', 'JOB_FAILED'],
      [undefined, 'JOB_FAILED'],
    ] as const) {
      server.script.job = [{ body: { status: 'failed', error } }];
      const { exitCode, stdout } = await run('extract', '--fresh', '--json', 'a.pdf');
      expect(exitCode).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code } });
    }
  });

  test.each<[string, object]>([
    ['a proxy’s page with 502', { status: 502, body: '<html>\n<title>Bad gateway</title>', headers: soon }],
    ['a page with 200', { status: 200, body: '<html>hello' }],
    ['the page of a proxy that knows no such host', { status: 404, body: 'default backend - 404' }],
    ['the same with 410', { status: 410, body: '<html>gone' }],
    ['an answer that is cut', { cutAfterBytes: 3, headers: soon }],
    ['a hung-up line', { hangsUp: true }],
  ])('%s while polling → does not fail the job', async (_, answer) => {
    server.script.job = [answer];
    expect((await run('extract', '--fresh', 'a.pdf')).exitCode).toBe(0);
  });

  test('a page with 404 in place of an answer → the job stays in the record', async () => {
    const page = { status: 404, body: 'default backend - 404' };
    const { jobId } = JSON.parse((await run('extract', '--fresh', '--no-wait', '--json', 'a.pdf')).stdout);
    server.script.job = [page, page, page];
    const listed = JSON.parse((await run('jobs', '--json')).stdout) as Array<{ jobId: string; status: string }>;
    expect(listed.find((job) => job.jobId === jobId)).toMatchObject({ status: 'pending' });
    const got = await run('jobs', 'get', jobId);
    expect(got.exitCode).toBe(7);
    expect(got.stderr).toMatch(/404.*default backend - 404\n.*it ends before \/v1/);
    expect((await run('jobs', 'wait', jobId, '--wait-timeout', '0')).exitCode).toBe(3);
    server.script.job = [];
    expect((await run('jobs', 'wait', '--all', '--json')).stdout).toContain(jobId);
  });

  test('an address without a catalog → named as no service of the contract', async () => {
    const refusal = { error: { code: 'NOT_FOUND', message: 'There is nothing', requestId: 'req_1', retryable: false } };
    server.script.catalog = [{ status: 404, body: refusal }];
    const { exitCode, stderr } = await run('functions');
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(/answered 404 with no catalog of functions.*\n.*OCR_BASE_URL/);
  });

  test('a byte order mark → no part of an answer', async () => {
    server.script.post = [
      { body: '\ufeff{"requestId":"req_1","function":"TEXT_EXTRACTION","result":{"text":"marked"}}' },
    ];
    const { exitCode, stdout } = await run('extract', '--fresh', 'a.pdf');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'marked\n' });
    expect(server.calls.at(-1)?.headers['accept-encoding']).toBe('identity');
  });
});
