import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContractServer, failure, startContractServer } from '../support/contract-server.js';
import { openTerminal } from '../support/pty.js';
import { startCli } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

let home: TemporaryHome;
let server: ContractServer;
beforeEach(async () => {
  home = createHome();
  server = await startContractServer({ textOf: () => 'the text of a document' });
  for (const name of ['a', 'b', 'c']) writeFileSync(join(home.dir, `${name}.pdf`), name);
});
afterEach(async () => {
  await server.close();
  home.remove();
});

const run = async (line: string, env: Record<string, string> = server.env) =>
  await runInProcess(line.split(' '), { home, env });
const json = async (line: string, env?: Record<string, string>) =>
  JSON.parse((await run(`${line} --json`, env)).stdout) as unknown;
const id = (n: number) => `req_${String(n).padStart(26, '0')}`;
const REFUSED = 'req_0000000000000000000FA1LED0';

test('list → what was sent, newest first, without asking the service; get is one of them', async () => {
  expect(await json('requests')).toEqual([]);
  await run('extract a.pdf');
  await run('extract --no-wait --format markdown b.pdf');
  server.script.post = [failure(415, 'UNSUPPORTED_MEDIA_TYPE', 'No PDF', false)];
  await run('extract c.pdf');
  const before = server.calls.length;
  const cards = (await json('requests list')) as Array<Record<string, unknown>>;
  expect(cards).toMatchObject([
    {
      requestId: REFUSED,
      status: 'failed',
      httpStatus: 415,
      input: { name: 'c.pdf', sizeBytes: 1 },
      error: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'No PDF', retryable: false },
    },
    { requestId: id(2), status: 'queued', httpStatus: 202, args: { format: 'markdown' }, finishedAt: null },
    {
      requestId: id(1),
      status: 'completed',
      httpStatus: 200,
      provider: 'contract-server',
      pageCount: 1,
      cached: false,
      durationMs: 1,
    },
  ]);
  for (const card of cards) {
    expect(await json(`requests get ${String(card.requestId)}`)).toEqual(card);
    expect(card).toMatchObject({ source: 'ledger', command: 'ocr extract', profile: 'local', server: server.baseUrl });
  }
  expect(server.calls).toHaveLength(before);
  expect((await run('requests')).stdout.split('\n')[0]).toBe(
    `${REFUSED}\tfailed\t415\tTEXT_EXTRACTION\t${String(cards[0]?.createdAt)}\tc.pdf\tUNSUPPORTED_MEDIA_TYPE`,
  );
});

test('get → a card to read', async () => {
  await run('extract --no-wait a.pdf');
  const { stdout, exitCode } = await run(`requests get ${id(1)}`);
  expect(exitCode).toBe(0);
  for (const line of [
    `Request\t${id(1)}`,
    'Known from\tthe record of this machine',
    'Input\ta.pdf',
    'HTTP status\t202',
    'Size\t1 byte',
  ]) {
    expect(stdout).toContain(`${line}\n`);
  }
  expect(stdout).toMatch(/SHA-256\t[0-9a-f]{64}\n/);
  expect(stdout).toMatch(/Next\tocr jobs wait job_0+1\n/);
});

test('answers before a repeated upload → kept under the request that they named', async () => {
  server.script.post = Array.from({ length: 1 }, () => failure(500, 'INTERNAL', 'A fault', false));
  await run('extract a.pdf');
  expect(await json(`requests get ${REFUSED}`)).toMatchObject({
    httpStatus: 500,
    error: { code: 'INTERNAL', message: 'A fault' },
  });
  server.script.post = [failure(503, 'STRANGE', 'Later', false)];
  await run('extract b.pdf');
  expect(await json('requests --status 503')).toMatchObject([
    { requestId: REFUSED, status: 'interrupted', error: { code: 'STRANGE' }, next: 'ocr extract b.pdf' },
  ]);
  await run('extract b.pdf');
  expect(await json(`requests --status completed`)).toMatchObject([
    { input: { name: 'b.pdf' }, httpStatus: 200, error: null },
  ]);
});

test('an upload → sending while its command runs, interrupted once that was killed', async () => {
  server.script.post = [{ stalls: true }];
  const child = startCli(['extract', 'a.pdf'], { home, env: server.env });
  await until(() => server.calls.length > 0);
  expect(await json('requests')).toMatchObject([{ status: 'sending', requestId: null, error: null }]);
  child.kill('SIGKILL');
  await child;
  expect(await json('requests')).toMatchObject([{ status: 'interrupted', error: null, next: 'ocr extract a.pdf' }]);
  const { stderr } = await run('requests');
  expect(stderr).toBe(
    'An upload got no answer; the same command sends it again, and the request id is known then: ocr extract a.pdf\n' +
      'Or remove what got none from the record: ocr requests forget --interrupted\n',
  );
});

test('interrupted uploads → the commands that go on are shown until they are forgotten', async () => {
  await run('extract c.pdf');
  server.script.post = Array.from({ length: 2 }, () => failure(503, 'STRANGE', 'Later', false));
  await run('extract a.pdf b.pdf -c 1');
  expect((await run('requests')).stderr.split('\n')).toEqual([
    '2 uploads got no answer; the same command sends each again:',
    '  ocr extract b.pdf',
    '  ocr extract a.pdf',
    'Or remove what got none from the record: ocr requests forget --interrupted',
    '',
  ]);
  expect(await run(`requests forget ${id(1)} req_1`)).toMatchObject({ exitCode: 5, stdout: '' });
  expect(await json('requests forget --interrupted')).toEqual(
    ['b.pdf', 'a.pdf'].map((input) => ({ requestId: REFUSED, input, forgotten: true })),
  );
  expect(await json('requests')).toMatchObject([{ requestId: id(1) }]);
  const { stderr } = await run(`requests forget ${id(1)}`);
  expect(stderr).toBe('Removed 1 of 1 record of this machine.\n');
  expect(await json('requests')).toEqual([]);
});

test('an upload that nobody answered → its error is kept', async () => {
  const { baseUrl } = server;
  await server.close();
  await run('extract a.pdf --timeout 1s');
  expect(await json('requests --failed')).toMatchObject([
    { status: 'interrupted', server: baseUrl, error: { code: 'UNREACHABLE' }, next: 'ocr extract a.pdf' },
  ]);
});

test('a job that nobody followed → the age of its state is shown', async () => {
  server.pollsUntilDone = 99;
  server.script.job = Array.from({ length: 99 }, () => ({ body: { status: 'working' } }));
  await run('extract a.pdf --wait-timeout 1s');
  const { stdout } = await run(`requests get ${id(1)}`);
  const [card] = (await json('requests')) as Array<Record<string, string>>;
  expect(stdout).toContain(`\nStatus\tworking as of ${card?.statusAt}\n`);
  expect((await run('requests')).stderr).toContain('Ask how far they are: ocr jobs');
});

test('the command to go on → sends the same to the same service, and joins unfinished jobs', async () => {
  const { OCR_BASE_URL: _, ...env } = server.env;
  await run(`config set base-url ${server.baseUrl} --profile work`, env);
  server.script.post = [failure(503, 'STRANGE', 'Later', false)];
  await run('extract --profile work -a pages=1 a.pdf', env);
  const next = 'ocr extract --profile work -a pages=1 a.pdf';
  expect(await json('requests', env)).toMatchObject([{ status: 'interrupted', next }]);
  // A flag of this command does not hold for the next one.
  expect(await json('requests --profile work', env)).toMatchObject([{ next }]);
  await run(next.slice('ocr '.length), env);
  expect(await json('requests', env)).toMatchObject([{ status: 'completed', args: { pages: '1' }, profile: 'work' }]);
  await run('config set profile work', env);
  server.script.post = [failure(503, 'STRANGE', 'Later', false)];
  await run('extract b.pdf', env);
  expect(await json('requests --status 503', env)).toMatchObject([{ next: 'ocr extract b.pdf' }]);
  server.script.post = [failure(503, 'STRANGE', 'Later', false)];
  await run(`extract --profile local --base-url ${server.baseUrl} c.pdf`, env);
  const [card] = (await json('requests --status 503', env)) as Array<{ next: string }>;
  expect(card?.next).toBe(`ocr extract --profile local --base-url ${server.baseUrl} c.pdf`);
});

test('filters → the matching requests', async () => {
  await run('extract a.pdf');
  server.script.post = [failure(400, 'INVALID_DOCUMENT', 'Damaged', false)];
  await run('extract b.pdf');
  await run('extract --no-wait c.pdf');
  const names = async (line: string) =>
    ((await json(`requests ${line}`)) as Array<{ input: { name: string } }>).map(({ input }) => input.name);
  expect(await names('--failed')).toEqual(['b.pdf']);
  expect(await names('--status completed')).toEqual(['a.pdf']);
  expect(await names('--status 202')).toEqual(['c.pdf']);
  expect(await names('--function TEXT_EXTRACTION')).toEqual(['c.pdf', 'b.pdf', 'a.pdf']);
  expect(await names('--function OTHER')).toEqual([]);
  expect(await names('--since 1h')).toHaveLength(3);
  expect(await names('--since 2020-01-31 --failed')).toEqual(['b.pdf']);
  expect(await names('--since 2999-01-31T00:00:00Z')).toEqual([]);
  expect(await names('--limit 2')).toEqual(['c.pdf', 'b.pdf']);
  expect(await names('--limit 1 --status completed')).toEqual(['a.pdf']);
  for (const bad of ['--limit 0', '--since lately', '--since -1h', '--since 5', 'lst']) {
    expect((await run(`requests ${bad}`)).exitCode, bad).toBe(2);
  }
});

test('--function with a name that no function has → a note with what was meant, or with what there is', async () => {
  server.script.catalog = [{ body: { functions: [{ id: 'OTHER_FUNCTION' }] } }];
  await run('extract a.pdf -f OTHER_FUNCTION');
  await run('admin orgs create --name A');
  for (const list of ['requests list', 'jobs list', 'admin requests list', 'admin jobs list']) {
    const near = await run(`${list} --function TEXT_EXTRACTON`);
    expect(near, list).toMatchObject({ exitCode: 0, stdout: '' });
    expect(near.stderr, list).toBe('No function TEXT_EXTRACTON is known here. Did you mean TEXT_EXTRACTION?\n');
    const { stderr } = await run(`${list} --function nope`);
    expect(stderr, list).toMatch(/^No function NOPE is known here\. There are: .*TEXT_EXTRACTION/i);
    expect(await json(`${list} --function nope`), list).toEqual([]);
    // One of this version that nothing was sent to.
    expect((await run(`${list} --function barcodes`)).stderr, list).not.toContain('is known here.');
  }
  // Another service has it.
  expect((await run('requests --function other-function')).stdout).toContain('OTHER_FUNCTION');
});

test('--redact → no names and hosts', async () => {
  await run('extract --no-wait a.pdf');
  for (const line of [
    `requests get ${id(1)} --redact`,
    'requests --redact',
    `requests get ${id(1)} --redact --json`,
    'requests --redact --json',
  ]) {
    const { stdout } = await run(line);
    expect(stdout).toContain(id(1));
    expect(stdout, line).not.toMatch(/a\.pdf|127\.0\.0\.1|"local"|Profile/);
  }
});

test('a request of another machine → asked for where the service offers that', async () => {
  const entry = {
    requestId: 'req_X',
    function: 'F',
    status: 200,
    pageCount: 4,
    provider: 'p',
    createdAt: '2026-01-01T00:00:00Z',
  };
  server.script.catalog = [{ body: { functions: [], extensions: ['other', 'requests'] } }, { body: entry }];
  expect(await json('requests get req_X')).toMatchObject({
    source: 'service',
    requestId: 'req_X',
    pageCount: 4,
    server: server.baseUrl,
  });
  expect(server.calls.map(({ path }) => path)).toEqual(['/v1/ocr/functions', '/v1/ocr/requests/req_X']);
  server.script.catalog = [{ body: { functions: [], extensions: ['requests'] } }, { body: entry }];
  expect((await run('requests get req_X')).stdout).toContain(
    'Known from\tthe service; it is not in the record of this machine\n',
  );
});

test('spaces around an id → ignored; an id of the other kind → names its command', async () => {
  await run('extract --no-wait a.pdf');
  const [{ jobId }] = (await json('jobs')) as [{ jobId: string }];
  const ask = async (...args: string[]) => await runInProcess(args, { home, env: server.env });
  expect((await ask('requests', 'get', ` ${id(1)}\n`)).stdout).toContain(`Job\t${jobId}\n`);
  expect((await ask('jobs', 'get', ` ${jobId} `)).exitCode).toBe(0);
  const before = server.calls.length;
  const asRequest = await ask('requests', 'get', jobId);
  expect(asRequest).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`Try: ocr jobs get ${jobId}\n`) });
  for (const verb of ['get', 'wait', 'result']) {
    const asJob = await ask('jobs', verb, id(1));
    expect(asJob).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`Try: ocr requests get ${id(1)}\n`) });
  }
  expect(server.calls).toHaveLength(before);
});

test('an id copied from a mail or a log, in any case → found', async () => {
  await run('extract --no-wait a.pdf');
  const [{ jobId, requestId }] = (await json('jobs')) as [{ jobId: string; requestId: string }];
  const ask = async (...args: string[]) => await runInProcess(args, { home, env: server.env });
  for (const pasted of [
    `(${requestId}).`,
    `"requestId": "${requestId}",`,
    requestId.toLowerCase(),
    `<${requestId.toUpperCase()}>`,
  ]) {
    const { stdout } = await ask('requests', 'get', '--json', pasted);
    expect(JSON.parse(stdout), pasted).toMatchObject({ source: 'ledger', requestId, jobId });
  }
  expect((await ask('jobs', 'get', `/v1/ocr/jobs/${jobId.toLowerCase()}`)).stdout).toContain(`Job\t${jobId}\n`);
  expect(server.calls.at(-1)?.path).toBe(`/v1/ocr/jobs/${jobId}`);
  const asRequest = await ask('requests', 'get', `${jobId.toUpperCase()},`);
  expect(asRequest.stderr).toContain('Try: ocr jobs get JOB_');
  expect((await ask('jobs', 'wait', `${jobId},`)).exitCode).toBe(0);
  expect((await ask('requests', 'forget', '--json', `'${requestId}'`)).stdout).toContain(requestId);
  expect(await json('requests')).toEqual([]);
});

test.each([
  'jobs get',
  'jobs wait',
  'requests get',
  'requests forget',
  'functions get',
  'admin jobs get',
  'admin backup',
])('an empty argument → a usage error: %s', async (command) => {
  const { exitCode, stderr } = await runInProcess([...command.split(' '), ' '], { home, env: server.env });
  expect({ exitCode, calls: server.calls.length }).toEqual({ exitCode: 2, calls: 0 });
  expect(stderr).toMatch(/argument '\w+' is empty/);
});

test('an unknown request → 5', async () => {
  const missing = await run('requests get req_X');
  expect(missing.exitCode).toBe(5);
  expect(missing.stderr).toContain(`the service at ${server.baseUrl} has no request log to ask`);
  expect(missing.stderr).toContain('--profile');
  expect(server.calls.map(({ path }) => path)).toEqual(['/v1/ocr/functions']);
  server.script.catalog = [{ body: [] }];
  expect((await run('requests get req_X')).exitCode).toBe(5);
  server.script.catalog = [{ body: '<html>' }];
  expect((await run('requests get req_X')).exitCode).toBe(7);
  const offers = { body: { functions: [], extensions: ['requests'] } };
  server.script.catalog = [offers, failure(404, 'NOT_FOUND', 'No such request', false)];
  const unknown = await run('requests get req_X --json');
  expect(unknown).toMatchObject({ exitCode: 5, stderr: '' });
  expect(JSON.parse(unknown.stdout)).toMatchObject({
    error: { code: 'NOT_FOUND', message: expect.stringContaining(`nor does the service at ${server.baseUrl}`) },
  });
  expect((await run('requests get')).exitCode).toBe(2);
});

test('text of a document → in no list, card or record', async () => {
  await run('extract a.pdf');
  await run('extract --no-wait b.pdf');
  await run('jobs wait --all');
  const outputs = [
    await run('requests --json'),
    await run(`requests get ${id(1)} --json`),
    await run(`requests get ${id(2)}`),
  ];
  const directory = join(home.stateDir, 'submissions');
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  expect(files).toHaveLength(2);
  const kept = files.map((name) => readFileSync(join(directory, name), 'utf8'));
  for (const text of [...kept, ...outputs.map(({ stdout }) => stdout)]) expect(text).not.toContain('the text of');
});

test('a narrow terminal → nothing in a card or a list is cut or folded', async () => {
  const name = 'the document that came today.pdf';
  writeFileSync(join(home.dir, name), 'd');
  server.script.post = [
    failure(422, 'INVALID_DOCUMENT', 'The document is encrypted, and its password is needed', false),
  ];
  await runInProcess(['extract', name], { home, env: server.env });
  const [card] = (await json('requests')) as Array<{ requestId: string; next: string; server: string }>;
  if (card === undefined) throw new Error('Nothing was sent');
  const show = async (...args: string[]) => {
    const terminal = openTerminal(args, { home, env: server.env, columns: 40 });
    expect((await terminal.exited).exitCode).toBe(0);
    return terminal.shown;
  };
  const shown = await show('requests', 'get', card.requestId);
  for (const text of [card.requestId, card.next, card.server, name]) expect(shown).toContain(text);
  const list = await show('requests');
  for (const text of [card.requestId, name]) expect(list).toContain(text);
});
