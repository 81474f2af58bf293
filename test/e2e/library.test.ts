import { execFile } from 'node:child_process';
import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import * as library from '../../dist/library/index.js';
import type { DocumentSource, Progress } from '../../src/library/index.js';
import { examples } from '../fixtures/manifest.js';
import {
  type ContractServer,
  type ContractServerOptions,
  OTHER_DIALECT,
  OUR_DIALECT,
  startContractServer,
} from '../support/contract-server.js';
import { createLocalHome, readService } from '../support/local-service.js';

const { AbortError, ConnectionError, createClient, InputError, JobFailedError, OcrError, ServiceError } = library;
const PATH = examples.report.path;
const BYTES = readFileSync(PATH);
const INDEX = new URL('../../dist/library/index.js', import.meta.url).href;

async function connect(options: ContractServerOptions = {}) {
  const server = await startContractServer(options);
  const client = createClient({ baseUrl: server.baseUrl, apiKey: server.apiKey });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { server, client };
}

const lastUpload = ({ calls }: ContractServer) => calls.findLast(({ method }) => method === 'POST');

test('a path, a URL, bytes, a Blob and streams → the same document', async () => {
  const { server, client } = await connect();
  async function* chunks() {
    yield BYTES.subarray(0, 1_000);
    yield BYTES.subarray(1_000);
  }
  const sources: Array<[DocumentSource, string]> = [
    [PATH, 'report.pdf'],
    [pathToFileURL(PATH), 'report.pdf'],
    [BYTES, 'document'],
    [new Uint8Array(BYTES).buffer, 'document'],
    [new Blob([BYTES]), 'document'],
    [new File([BYTES], 'mine.pdf'), 'mine.pdf'],
    [createReadStream(PATH), 'document'],
    [new Blob([BYTES]).stream(), 'document'],
    [chunks(), 'document'],
  ];
  for (const [source, name] of sources) {
    const answer = await client.extract(source);
    expect(answer).toMatchObject({ status: 'completed', function: 'TEXT_EXTRACTION', requestId: expect.any(String) });
    expect(answer.result?.text).toMatch(/^sha256 /);
    expect(lastUpload(server)?.upload).toMatchObject({ file: BYTES, fileName: name, args: '{}' });
  }
  await client.extract(BYTES, { name: 'other.pdf', function: 'LAYOUT_ANALYSIS', args: { pages: '1' } }).catch(() => {});
  expect(lastUpload(server)).toMatchObject({
    path: '/v1/ocr/LAYOUT_ANALYSIS',
    upload: { fileName: 'other.pdf', args: '{"pages":"1"}' },
  });
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`ocr-stdin-${process.pid}-`))).toEqual([]);
});

test('a refused attempt → the same bytes again under one key', async () => {
  const { server, client } = await connect();
  for (const source of [BYTES, new Blob([BYTES]), createReadStream(PATH)]) {
    server.script.post.push({ status: 503, headers: { 'retry-after': '0' }, body: {} });
    expect(await client.extract(source)).toHaveProperty('result');
    const [first, second] = server.calls.splice(0);
    expect(second?.upload?.file).toEqual(BYTES);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  }
});

test.each([
  ['our service', {}],
  ['another server of the contract', { dialect: OTHER_DIALECT }],
])('a queued document on %s → progress, then its result', async (_name, options) => {
  const { client } = await connect({ ...options, pollsUntilDone: 2 });
  const seen: Progress[] = [];
  const answer = await client.extract(PATH, { onProgress: (progress) => seen.push(progress) });
  expect(answer).toMatchObject({ status: 'completed', jobId: seen[0]?.jobId, function: 'TEXT_EXTRACTION' });
  expect(seen.length).toBeGreaterThanOrEqual(2);
});

test('wait: false → the job, which get and wait come back to', async () => {
  const { server, client } = await connect({ pollsUntilDone: 2 });
  const job = await client.extract(PATH, { wait: false });
  expect(lastUpload(server)?.headers.prefer).toBe('respond-async');
  expect(job).toMatchObject({ jobId: expect.stringMatching(/^job_/), status: expect.any(String) });
  expect(job.result).toBeUndefined();
  const { jobId = '' } = job;
  expect(await client.jobs.get(jobId)).toMatchObject({
    jobId,
    status: 'queued',
    progress: { pagesDone: 0, pageCount: 9 },
  });
  expect(await client.jobs.wait(jobId)).toMatchObject({
    status: 'completed',
    jobId,
    result: { text: expect.any(String) },
  });
});

test('an unknown option, as JavaScript may pass one → refused before anything is sent, with what was meant', async () => {
  const { server, client } = await connect();
  const call = async (run: () => unknown) => {
    const error = await Promise.resolve()
      .then(run)
      .then(String, (thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: 'USAGE' });
    return (error as Error).message;
  };
  const options = (typed: object) => typed as never;
  expect(await call(() => client.extract(PATH, options({ functon: 'LAYOUT_ANALYSIS' })))).toBe(
    'extract has no option "functon": did you mean "function"?',
  );
  expect(await call(() => client.extract(PATH, options({ pags: '1-2' })))).toMatch(
    /^extract has no option "pags": it has function, args, .*; arguments of the function go into args$/,
  );
  expect(await call(() => client.jobs.wait('job_1', options({ timeoutMs: 5 })))).toContain(
    'did you mean "waitTimeoutMs"?',
  );
  for (const refused of [
    () => client.jobs.get('job_1', options({ signals: 1 })),
    () => client.jobs.cancel('job_1', options({ signals: 1 })),
    () => client.requests.get('req_1', options({ signals: 1 })),
    () => client.functions.list(options({ signals: 1 })),
  ])
    expect(await call(refused)).toContain('has no option "signals": did you mean "signal"?');
  expect(await call(() => createClient(options({ baseURL: server.baseUrl, apiKey: 'k' })))).toBe(
    'createClient has no option "baseURL": did you mean "baseUrl"?',
  );
  expect(await call(() => library.verifyWebhook(options({ body: '', secret: 's' })))).toBe(
    'verifyWebhook has no option "secret": did you mean "secrets"?',
  );
  expect(server.calls).toEqual([]);
});

test('cancel → DELETE where the catalog names it, else UNSUPPORTED and no request', async () => {
  const dialect = {
    ...OUR_DIALECT,
    catalog: (functions: unknown[]) => ({ functions, extensions: ['jobs.delete'] }),
  };
  const { server, client } = await connect({ dialect });
  server.script.job.push({ body: { jobId: 'job_1', status: 'failed' } });
  await client.jobs.cancel('job_1');
  expect(server.calls.at(-1)).toMatchObject({ method: 'DELETE', path: '/v1/ocr/jobs/job_1' });
  const other = await connect();
  await expect(other.client.jobs.cancel('job_1')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  expect(other.server.calls.map(({ method }) => method)).toEqual(['GET']);
});

test('a wait that ends first → the job', async () => {
  const { client } = await connect({ pollsUntilDone: 1_000 });
  const job = await client.extract(PATH, { waitTimeoutMs: 1 });
  expect(job).toMatchObject({ jobId: expect.any(String), function: 'TEXT_EXTRACTION' });
  expect(job).not.toHaveProperty('result');
});

test('a job that fails → JobFailedError, and get returns it', async () => {
  const { server, client } = await connect({ pollsUntilDone: 1 });
  server.jobError = { code: 'INVALID_DOCUMENT', message: 'It is encrypted', retryable: false };
  const error = await client.extract(PATH).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(JobFailedError);
  expect(error).toBeInstanceOf(OcrError);
  expect(error).toMatchObject({
    code: 'INVALID_DOCUMENT',
    message: 'It is encrypted',
    retryable: false,
    requestId: expect.any(String),
  });
  const { jobId } = error as InstanceType<typeof JobFailedError>;
  expect(await client.jobs.get(jobId)).toMatchObject({ status: 'failed', error: { code: 'INVALID_DOCUMENT' } });
  await expect(client.jobs.wait(jobId)).rejects.toBeInstanceOf(JobFailedError);
});

test('errors → their class, code, retryable and requestId', async () => {
  const { server, client } = await connect();
  const failing = async (work: Promise<unknown>) =>
    (await work.then(
      () => undefined,
      (error: unknown) => error,
    )) as Error;
  server.script.post.push({
    status: 429,
    headers: { 'retry-after': '3600' },
    body: { error: { code: 'QUOTA_EXCEEDED', message: 'Used up', requestId: 'req_1', retryable: true } },
  });
  const refused = await failing(client.extract(PATH));
  expect(refused).toBeInstanceOf(ServiceError);
  expect(refused).toMatchObject({
    name: 'ServiceError',
    status: 429,
    code: 'QUOTA_EXCEEDED',
    retryable: true,
    requestId: 'req_1',
    retryAfterSeconds: 3600,
  });
  const stranger = createClient({ baseUrl: server.baseUrl, apiKey: 'another-key-of-somebody' });
  expect(await failing(stranger.functions.list())).toMatchObject({
    name: 'ServiceError',
    code: 'UNAUTHORIZED',
    status: 401,
  });
  server.calls.length = 0;
  expect(await failing(client.extract('no-such-file.pdf'))).toMatchObject({
    name: 'InputError',
    code: 'FILE_NOT_FOUND',
    requestId: null,
  });
  expect(await failing(client.extract(tmpdir()))).toMatchObject({ name: 'InputError', code: 'FILE_UNREADABLE' });
  expect(await failing(client.extract(Buffer.alloc(0)))).toMatchObject({ name: 'InputError', code: 'FILE_EMPTY' });
  expect(await failing(client.extract(42 as never))).toMatchObject({ name: 'InputError', code: 'USAGE' });
  expect(await failing(client.jobs.get(''))).toBeInstanceOf(InputError);
  expect(server.calls).toEqual([]);
  server.script.job.push({
    status: 404,
    body: { error: { code: 'NOT_FOUND', message: 'No job', requestId: 'req_2', retryable: false } },
  });
  expect(await failing(client.jobs.get('job_x'))).toMatchObject({ code: 'NOT_FOUND', status: 404, requestId: 'req_2' });
  server.script.catalog.push({ body: 'a web page' });
  expect(await failing(client.functions.list())).toBeInstanceOf(ConnectionError);
});

test('a stream that fails, at once or half way → an InputError that says so', async () => {
  const { client } = await connect();
  async function* broken() {
    yield BYTES.subarray(0, 1_000);
    throw new Error('half of a document');
  }
  for (const [source, reason] of [
    [createReadStream('nowhere.pdf'), /^Cannot read the stream: .*nowhere\.pdf|no such file/],
    [Readable.from(broken()), /^Cannot read the stream: half of a document/],
    [broken(), /^Cannot read the stream: half of a document/],
  ] as const) {
    const failure = await client.extract(source).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InputError);
    expect(failure).toMatchObject({ code: 'FILE_UNREADABLE', message: expect.stringMatching(reason) });
  }
});

test('many calls at once, with one signal and without → no warning of Node about listeners', async () => {
  const { client } = await connect();
  const warned: Error[] = [];
  const note = (warning: Error) => warned.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 24 }, (_, i) => client.extract(PATH, i % 2 ? { signal } : {})));
  // Warnings are emitted in a later turn.
  await new Promise(setImmediate);
  expect(warned).toEqual([]);
});

test('an address without a key, a key without an address, an impossible address → refused at once', () => {
  for (const options of [
    { baseUrl: 'http://127.0.0.1:1' },
    { baseUrl: 'http://127.0.0.1:1', apiKey: '' },
    { apiKey: 'k' },
    { baseUrl: 'ftp://x', apiKey: 'k' },
    { timeoutMs: 0 },
  ]) {
    expect(() => createClient(options)).toThrow(InputError);
  }
});

test('a service without the log of requests → UNSUPPORTED, and nothing is asked of it', async () => {
  const { server, client } = await connect();
  await expect(client.requests.get('req_1')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  expect(server.calls.map(({ path }) => path)).toEqual(['/v1/ocr/functions']);
  expect(await client.functions.list()).toEqual([expect.objectContaining({ id: 'TEXT_EXTRACTION', included: true })]);
});

test.each([
  ['TEXT_EXTRACTON', 'did you mean TEXT_EXTRACTION?'],
  ['text-extraction', 'did you mean TEXT_EXTRACTION?'],
  ['SUMMARY', 'it has TEXT_EXTRACTION'],
])('the unknown function %s → ServiceError: %s', async (name, meant) => {
  const { client } = await connect();
  const error = await client.extract(PATH, { function: name }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({
    code: 'NOT_FOUND',
    status: 404,
    requestId: expect.any(String),
    message: expect.stringMatching(`^The service has no function ${name}: `),
  });
  expect((error as Error).message).toContain(meant);
});

test('an abort before, during an upload and during a wait → AbortError, with the job that goes on', async () => {
  const { server, client } = await connect({ pollsUntilDone: 1_000 });
  const aborted = async (work: Promise<unknown>, reason: unknown) => {
    const error = await work.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ name: 'AbortError', code: 'ABORT_ERR', retryable: false, cause: reason });
    return error as InstanceType<typeof AbortError>;
  };
  const reason = new Error('no longer needed');
  const early = await aborted(client.extract(PATH, { signal: AbortSignal.abort(reason) }), reason);
  expect(early.jobId).toBeUndefined();
  expect(early.requestId).toBeNull();
  expect(server.calls).toEqual([]);

  const upload = new AbortController();
  server.script.post.push({ stalls: true });
  server.onCall = () => upload.abort(reason);
  await aborted(client.extract(PATH, { signal: upload.signal }), reason);

  const wait = new AbortController();
  server.onCall = ({ path }) => {
    if (path.includes('/jobs/')) wait.abort(reason);
  };
  const { jobId, requestId } = await aborted(client.extract(PATH, { signal: wait.signal }), reason);
  expect(jobId).toMatch(/^job_/);
  expect(requestId).toMatch(/^req_/);
  server.onCall = undefined;
  // The client itself is still of use.
  expect(await client.jobs.get(jobId as string)).toMatchObject({ jobId });
});

test('no options → the service on this machine, started by the first call; the process ends by itself', async () => {
  const home = createLocalHome();
  const script = join(home.dir, 'script.mjs');
  writeFileSync(
    script,
    `import { createClient } from ${JSON.stringify(INDEX)};
     const answer = await createClient().extract(process.argv[2]);
     console.log(JSON.stringify(answer));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [script, PATH], { env: home.env, cwd: home.dir });
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'completed',
    result: { text: expect.stringContaining('Alder Vale') },
  });
  expect(readService(home).stopsWhenIdle).toBe(true);
  // The ledger is of the commands alone.
  expect(readdirSync(home.dir)).not.toContain('state');
});
