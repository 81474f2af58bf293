import { execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { call as fetchJson } from '../contract/support/http.js';
import { examples } from '../fixtures/manifest.js';
import { type ContractServerOptions, OUR_DIALECT, startContractServer } from '../support/contract-server.js';
import { createLocalHome, readService } from '../support/local-service.js';
import { LAUNCHER } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

const CANCELS = { ...OUR_DIALECT, catalog: (functions: unknown[]) => ({ functions, extensions: ['jobs.delete'] }) };

interface Answer {
  content: Array<{ type: string; text: string }>;
  structuredContent: Record<string, unknown>;
  nextCursor?: string;
  isError?: boolean;
}

/** A working directory with a document, and a server of the contract that reads it. */
async function setUp(options: ContractServerOptions = {}) {
  const home = createHome();
  const server = await startContractServer(options);
  onTestFinished(async () => {
    await server.close();
    home.remove();
  });
  copyFileSync(examples.report.path, join(home.dir, 'report.pdf'));
  return { home, server };
}

/** Starts `ocr mcp` through the SDK's own client. */
async function connect(home: TemporaryHome, env: Record<string, string> = {}, roots?: () => string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [LAUNCHER, 'mcp', '--debug'],
    cwd: home.dir,
    env: { ...home.env, ...env },
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    log += chunk;
  });
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: roots === undefined ? {} : { roots: { listChanged: true } } },
  );
  if (roots !== undefined)
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots().map((uri) => ({ uri })) }));
  const faults: Error[] = [];
  client.onerror = (error) => faults.push(error);
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, args: Record<string, unknown> = {}, more = {}) =>
    (await client.callTool({ name, arguments: args }, undefined, more)) as unknown as Answer;
  return { client, call, faults, log: () => log };
}

const errorOf = ({ isError, content, structuredContent }: Answer) => {
  expect(isError).toBe(true);
  expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  return structuredContent.error as Record<string, unknown>;
};

test('a document on this machine → its text, tables and facts, and the request is found again', async () => {
  const home = createLocalHome();
  copyFileSync(examples.report.path, join(home.dir, 'report.pdf'));
  const { client, call } = await connect(home);
  expect(client.getServerVersion()).toMatchObject({ name: 'ocr' });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'read_document',
    'extract_tables',
    'inspect_document',
    'list_functions',
    'find_request',
  ]);
  for (const { description, inputSchema, annotations } of tools) {
    expect(description).toBeTruthy();
    expect(inputSchema.type).toBe('object');
    expect(annotations).toMatchObject({ readOnlyHint: true });
  }

  const markdown = await call('read_document', { path: 'report.pdf', pages: '1' });
  expect(markdown.content).toHaveLength(1);
  expect(markdown.content[0]?.text).toMatch(/^# Alder Vale Library/);
  expect(markdown.structuredContent).toMatchObject({
    text: markdown.content[0]?.text,
    pageCount: 1,
    requestId: expect.any(String),
  });
  expect(markdown).not.toHaveProperty('nextCursor');
  const text = await call('read_document', { path: join(home.dir, 'report.pdf'), format: 'text' });
  expect(text.content[0]?.text).not.toContain('#');
  expect(text.content[0]?.text.length).toBeGreaterThan(markdown.content[0]?.text.length ?? 0);

  const tables = await call('extract_tables', { path: 'report.pdf', pages: '2' });
  expect(tables.content[0]?.text).toMatch(/^Table 1, page 2\nBranch,Hours,Visitors,Loans\n/);
  const facts = await call('inspect_document', { path: 'report.pdf' });
  expect(JSON.parse(facts.content[0]?.text ?? '')).toMatchObject({ mimeType: 'application/pdf', pageCount: 4 });
  const { functions } = (await call('list_functions')).structuredContent as {
    functions: Array<Record<string, unknown>>;
  };
  expect(functions).toContainEqual(expect.objectContaining({ id: 'TEXT_EXTRACTION', argsSchema: expect.any(Object) }));

  const { requestId } = markdown.structuredContent;
  const bySha = createSha(examples.report.path);
  for (const query of [
    String(requestId),
    String(requestId).slice(0, 14),
    'REPORT',
    bySha,
    `sha256:${bySha.slice(0, 10)}`,
  ]) {
    const { requests } = (await call('find_request', { query })).structuredContent as { requests: unknown[] };
    expect(requests).toContainEqual(
      expect.objectContaining({ requestId, function: 'TEXT_EXTRACTION', status: 'completed' }),
    );
  }
  const known = await runInProcess(['requests', 'get', String(requestId), '--json'], { home });
  expect(JSON.parse(known.stdout)).toMatchObject({ requestId, input: { name: 'report.pdf' } });
});

test('a long text → parts of at most 25,000 tokens that make the whole, from one request', async () => {
  const words = Array.from({ length: 40_000 }, (_, i) => `word${i % 977}${i % 40 === 39 ? '.\n\n' : ' '}`).join('');
  const text = `${words}${'x'.repeat(120_000)}${'日本語の文章です。'.repeat(4_000)}end`;
  const { home, server } = await setUp({ textOf: () => text });
  const { call } = await connect(home, server.env);
  const parts: string[] = [];
  let cursor: string | undefined;
  do {
    const answer: Answer = await call('read_document', {
      path: 'report.pdf',
      ...(cursor === undefined ? {} : { cursor }),
    });
    expect(answer.isError).toBeUndefined();
    // No tokenizer makes more of plain text than one for each three letters, or of others than one for each character.
    const plain = JSON.stringify(answer);
    const others = [...plain].filter((char) => char > '\u007f').length;
    expect((plain.length - others) / 4 + others).toBeLessThanOrEqual(25_000);
    parts.push(answer.content[0]?.text ?? '');
    expect(answer.structuredContent.text).toBe(answer.content[0]?.text);
    expect(answer.structuredContent.nextCursor).toBe(answer.nextCursor);
    if (answer.nextCursor !== undefined)
      expect(JSON.parse(answer.content[1]?.text ?? '')).toMatchObject({ nextCursor: answer.nextCursor });
    cursor = answer.nextCursor;
  } while (cursor !== undefined);
  expect(parts.join('')).toBe(text);
  expect(parts[0]).toMatch(/\n\n$/);
  expect(server.calls.filter(({ method }) => method === 'POST')).toHaveLength(1);

  // A server that was started anew reads the document again.
  const { nextCursor } = await call('read_document', { path: 'report.pdf', format: 'text' });
  const again = await connect(home, server.env);
  const next = await again.call('read_document', { path: 'report.pdf', cursor: nextCursor });
  expect(next.content[0]?.text).toBe(parts[1]);
  expect(server.calls.findLast(({ method }) => method === 'POST')?.upload?.args).toBe('{}');
});

test('a cursor of a document that has changed, or of nothing → USAGE', async () => {
  let text = 'A long text. '.repeat(20_000);
  const { home, server } = await setUp({ textOf: () => text });
  const { call } = await connect(home, server.env);
  const { nextCursor } = await call('read_document', { path: 'report.pdf' });
  text = 'Another text. '.repeat(20_000);
  writeFileSync(join(home.dir, 'report.pdf'), 'changed');
  expect(errorOf(await call('read_document', { path: 'report.pdf', cursor: nextCursor }))).toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('has changed'),
    whatToDo: expect.stringContaining('Leave the cursor out'),
  });
  for (const cursor of ['nonsense', Buffer.from('[0,"x","report.pdf"]').toString('base64url')])
    expect(errorOf(await call('read_document', { path: 'report.pdf', cursor }))).toMatchObject({ code: 'USAGE' });
});

test('paths outside the working directory, links that lead out, and no documents → refused, and nothing is sent', async () => {
  const { home, server } = await setUp();
  const outside = createHome();
  onTestFinished(() => outside.remove());
  writeFileSync(join(outside.dir, 'secret.txt'), 'secret');
  symlinkSync(join(outside.dir, 'secret.txt'), join(home.dir, 'link.pdf'));
  symlinkSync(outside.dir, join(home.dir, 'folder'));
  symlinkSync(join(home.dir, 'report.pdf'), join(home.dir, 'inside.pdf'));
  mkdirSync(join(home.dir, 'empty'));
  const { call } = await connect(home, server.env);
  const refused = [
    '/etc/passwd',
    '../secret.txt',
    join(outside.dir, 'secret.txt'),
    `${home.dir}/../${outside.dir.split('/').at(-1)}/secret.txt`,
    'link.pdf',
    'folder/secret.txt',
    'folder/missing.txt',
    'file:///etc/passwd',
    'a\0b',
  ];
  for (const path of refused) {
    const error = errorOf(await call('read_document', { path }));
    expect(error, path).toMatchObject({ code: 'PATH_NOT_ALLOWED', whatToDo: expect.stringContaining(home.dir) });
  }
  // A cursor is checked as a path is.
  const cursor = Buffer.from(JSON.stringify([1, 'x', '/etc/passwd', null, null])).toString('base64url');
  expect(errorOf(await call('read_document', { path: 'report.pdf', cursor }))).toMatchObject({
    code: 'PATH_NOT_ALLOWED',
  });
  expect(errorOf(await call('read_document', { path: 'missing.pdf' }))).toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect(errorOf(await call('read_document', { path: 'empty' }))).toMatchObject({ code: 'FILE_UNREADABLE' });
  expect(errorOf(await call('read_document', {}))).toMatchObject({ code: 'USAGE' });
  expect(errorOf(await call('read_document', { path: 'report.pdf', format: 'html' }))).toMatchObject({ code: 'USAGE' });
  expect(errorOf(await call('find_request', {}))).toMatchObject({ code: 'USAGE' });
  expect(server.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  expect((await call('read_document', { path: 'inside.pdf' })).isError).toBeUndefined();
});

test('roots that the client names → only below them, and below others once it says that they changed', async () => {
  const { home, server } = await setUp();
  const other = createHome();
  onTestFinished(() => other.remove());
  copyFileSync(examples.report.path, join(other.dir, 'other.pdf'));
  let roots = [pathToFileURL(other.dir).href];
  const { client, call } = await connect(home, server.env, () => roots);
  expect((await call('read_document', { path: 'other.pdf' })).isError).toBeUndefined();
  expect(
    (await call('read_document', { path: pathToFileURL(join(realpathSync(other.dir), 'other.pdf')).href })).isError,
  ).toBeUndefined();
  expect(errorOf(await call('read_document', { path: join(home.dir, 'report.pdf') }))).toMatchObject({
    code: 'PATH_NOT_ALLOWED',
  });
  roots = [pathToFileURL(home.dir).href];
  await client.sendRootsListChanged();
  expect((await call('read_document', { path: 'report.pdf' })).isError).toBeUndefined();
  expect(errorOf(await call('read_document', { path: join(other.dir, 'other.pdf') }))).toMatchObject({
    code: 'PATH_NOT_ALLOWED',
  });
});

test('a long document → progress that grows, for a call that asks for it', async () => {
  const { home, server } = await setUp({ pollsUntilDone: 1 });
  for (const pagesDone of [1, 1, 5]) {
    const body = { status: 'processing', progress: { pagesDone, pageCount: 9 } };
    server.script.job.push({ headers: { 'retry-after': '1' }, body });
  }
  const { call } = await connect(home, server.env);
  const seen: Array<{ progress: number; total?: number | undefined }> = [];
  const answer = await call(
    'read_document',
    { path: 'report.pdf' },
    { onprogress: (progress: (typeof seen)[number]) => seen.push(progress) },
  );
  expect(answer.isError).toBeUndefined();
  expect(seen.map(({ progress }) => progress)).toEqual([1, 5]);
  expect(seen[0]).toMatchObject({ total: 9 });
});

test('a cancelled call → its job is cancelled, where the service can', async () => {
  for (const isEarly of [false, true]) {
    const { home, server } = await setUp({ dialect: CANCELS, pollsUntilDone: 1_000 });
    const { call, log } = await connect(home, server.env);
    const abort = new AbortController();
    server.onCall = ({ method, path }) => {
      if (method === 'DELETE') server.script.job.unshift({ body: { jobId: path.split('/').at(-1), status: 'failed' } });
      else if (isEarly ? method === 'POST' : path.includes('/jobs/')) abort.abort('no longer needed');
    };
    // The service takes the document and does not answer.
    if (isEarly) server.script.post.push({ stalls: true });
    await expect(call('read_document', { path: 'report.pdf' }, { signal: abort.signal })).rejects.toThrow();
    const deleted = () => server.calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
    await until(() => deleted().length > 0, `the job to be cancelled: ${log()}`);
    expect(deleted()).toEqual([`/v1/ocr/jobs/${[...server.jobs.keys()].at(-1)}`]);
    await until(async () => {
      const { stdout } = await runInProcess(['requests', '--json'], { home, env: server.env });
      return JSON.parse(stdout)[0]?.error?.code === 'CANCELLED';
    }, 'the ledger to know it');
    // The server goes on.
    server.onCall = undefined;
    expect((await call('list_functions')).isError).toBeUndefined();
  }
});

test('a call to the service on this machine that is cancelled before it is answered → its job ends as CANCELLED', async () => {
  const home = createLocalHome();
  copyFileSync(examples.scanned.path, join(home.dir, 'scanned.pdf'));
  const { call, log } = await connect(home);
  // Starts the service.
  await call('list_functions');
  const { url } = readService(home);
  const abort = new AbortController();
  const reading = call('read_document', { path: 'scanned.pdf' }, { signal: abort.signal });
  reading.catch(() => {});
  await until(async () => (await fetchJson(`${url}/healthz`)).json.unfinishedJobs === 1, 'the document to be read');
  abort.abort('no longer needed');
  await expect(reading).rejects.toThrow();
  const jobs = async () => JSON.parse((await runInProcess(['requests', '--json'], { home })).stdout);
  await until(async () => (await jobs())[0]?.error?.code === 'CANCELLED', `the ledger to know it: ${log()}`);
  const { jobId } = (await jobs())[0];
  const { stdout } = await runInProcess(['jobs', 'get', jobId, '--json'], { home });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' } });
  await until(async () => (await fetchJson(`${url}/healthz`)).json.unfinishedJobs === 0, 'the worker to be free');
});

test('a cancelled call to a service that cannot cancel → nothing is asked of it, and the job goes on', async () => {
  const { home, server } = await setUp({ pollsUntilDone: 1_000 });
  const { call, log } = await connect(home, server.env);
  const abort = new AbortController();
  server.onCall = ({ path }) => {
    if (path.includes('/jobs/')) abort.abort('no longer needed');
  };
  await expect(call('read_document', { path: 'report.pdf' }, { signal: abort.signal })).rejects.toThrow();
  await until(() => log().includes('goes on: this service cannot cancel jobs'), 'the log to say so');
  expect(server.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

test('errors of the service → code, requestId and what to do', async () => {
  const { home, server } = await setUp();
  const { call } = await connect(home, server.env);
  server.script.post.push({
    status: 400,
    body: { error: { code: 'INVALID_DOCUMENT', message: 'It is damaged', requestId: 'req_1', retryable: false } },
  });
  expect(errorOf(await call('read_document', { path: 'report.pdf' }))).toEqual({
    code: 'INVALID_DOCUMENT',
    message: 'It is damaged',
    requestId: 'req_1',
    retryable: false,
    whatToDo: expect.stringContaining('Fetch or export it again'),
  });
  expect(errorOf(await call('find_request', { query: 'req_unknown' }))).toMatchObject({ code: 'NOT_FOUND' });
});

test('the connection is closed → the command ends with 0 and cancels what runs; all that it printed is the protocol', async () => {
  const { home, server } = await setUp({ dialect: CANCELS, pollsUntilDone: 1_000 });
  server.onCall = ({ method, path }) => {
    if (method === 'DELETE') server.script.job.unshift({ body: { jobId: path.split('/').at(-1), status: 'failed' } });
  };
  const child = spawn(process.execPath, [LAUNCHER, 'mcp', '--debug'], {
    cwd: home.dir,
    env: { ...home.env, ...server.env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  child.stdin.write('this is no message\n');
  child.stdin.write('{"jsonrpc":"2.0","id":9\n');
  child.stdin.write('{"jsonrpc":"1.0","id":9,"method":"ping"}\n');
  child.stdin.write('[]\n');
  send({ id: 1, method: 'initialize', params });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name: 'no_such_tool', arguments: {} } });
  send({ id: 3, method: 'tools/call', params: { name: 'read_document', arguments: { path: 'report.pdf' } } });
  await until(() => server.calls.some(({ path }) => path.includes('/jobs/')), 'the document to be a job');
  child.stdin.end();
  expect(await ended).toBe(0);
  expect(server.calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  const messages = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(messages.map(({ jsonrpc }) => jsonrpc)).toEqual(messages.map(() => '2.0'));
  expect(messages.filter(({ id }) => id === null).map(({ error }) => error)).toEqual([
    { code: -32700, message: expect.stringContaining('not JSON') },
    { code: -32700, message: expect.stringContaining('not JSON') },
    { code: -32600, message: expect.stringContaining('no JSON-RPC') },
    { code: -32600, message: expect.stringContaining('no JSON-RPC') },
  ]);
  expect(messages.find(({ id }) => id === 2)).toMatchObject({ error: { code: -32602 } });
});

test('the command line of MCP Inspector → lists the tools and calls one', async () => {
  const { home, server } = await setUp();
  const inspector = fileURLToPath(
    new URL('../../node_modules/@modelcontextprotocol/inspector-cli/build/cli.js', import.meta.url),
  );
  // It looks for its own package.json beside the working directory, and then imports it from beside itself.
  const cwd = join(home.dir, 'documents');
  mkdirSync(cwd);
  writeFileSync(join(home.dir, 'package.json'), '{}');
  copyFileSync(examples.report.path, join(cwd, 'report.pdf'));
  const inspect = async (...args: string[]) => {
    const command = [inspector, '--cli', process.execPath, LAUNCHER, 'mcp', ...args];
    const { stdout } = await promisify(execFile)(process.execPath, command, {
      cwd,
      env: { ...home.env, ...server.env },
    });
    return JSON.parse(stdout);
  };
  const { tools } = await inspect('--method', 'tools/list');
  expect(tools).toHaveLength(5);
  const answer = await inspect(
    '--method',
    'tools/call',
    '--tool-name',
    'read_document',
    '--tool-arg',
    'path=report.pdf',
    'format=text',
  );
  expect(answer.content[0].text).toMatch(/^sha256 /);
});

function createSha(path: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
