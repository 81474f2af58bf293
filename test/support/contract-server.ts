import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** A call as the server saw it. */
interface SeenCall {
  method: string;
  /** Path with its query. */
  path: string;
  headers: IncomingMessage['headers'];
  /** Unix milliseconds by the clock of the server's options. */
  atMs: number;
  /** The body of a POST that was read to its end. */
  upload?: { args: string | undefined; file: Buffer | undefined; fileName: string | undefined; bytes: number };
}

/** A scripted answer. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is a string. */
  body?: unknown;
  /** Announces the whole length, sends this much of it and cuts the connection. */
  cutAfterBytes?: number;
  /** Announces the whole length, sends this much of it and no more. */
  stopsAfterBytes?: number;
  /** Closes the connection without an answer. */
  hangsUp?: boolean;
  /** Never answers. */
  stalls?: boolean;
  /** Answers without reading the upload, and closes. */
  isEarly?: boolean;
  delayMs?: number;
  /** The answer is sent when this resolves. */
  waitsFor?: () => Promise<void>;
}

interface StoredJob {
  jobId: string;
  requestId: string;
  function: string;
  text: string;
  polls: number;
  pagesDone?: number;
  file: Buffer;
  /** True after a DELETE of the unfinished job. */
  isCancelled?: boolean;
}

/** How this server settled what the contract leaves open (the defaults are our own server's way). */
export interface Dialect {
  catalog(functions: Array<Record<string, unknown>>): unknown;
  job(job: StoredJob, state: 'waiting' | 'completed' | 'failed'): unknown;
  success(body: Record<string, unknown>): unknown;
  queued(body: Record<string, unknown>): unknown;
}

export interface ContractServer {
  baseUrl: string;
  apiKey: string;
  calls: SeenCall[];
  /** Calls that are not answered yet. */
  readonly openCalls: number;
  jobs: Map<string, StoredJob>;
  /** Told of each call as it comes, before it is answered. */
  onCall: ((call: SeenCall) => void) | undefined;
  /** Environment for a CLI that is to use this server. */
  env: Record<string, string>;
  /** Answers of the next calls to `POST` or `GET jobs` or `GET functions`, one each; then the usual ones again. */
  script: { post: Reply[]; job: Reply[]; catalog: Reply[] };
  /** Documents are queued; they are done after this many polls. Undefined: inline, unless asked for asynchronously. */
  pollsUntilDone: number | undefined;
  /** Each poll shows a page more. */
  makesProgress: boolean;
  /** Answers a poll, in place of the usual states. */
  answerPoll: ((job: StoredJob) => Reply | undefined) | undefined;
  /** Additions to the contract that the catalog names. */
  extensions: string[];
  /** Jobs fail with this. */
  jobError: { code: string; message?: string; retryable?: boolean } | undefined;
  close(): Promise<void>;
}

export interface ContractServerOptions {
  dialect?: Dialect;
  /** Speaks https with this. */
  tls?: { key: Buffer; cert: Buffer };
  pollsUntilDone?: number;
  /** The clock of the commands that call it, where that is not the system's. */
  now?: () => number;
  /** The text of a document; by default what says which bytes came. */
  textOf?: (file: Buffer) => string;
}

/** Answers as our own service does. */
export const OUR_DIALECT: Dialect = {
  catalog: (functions) => ({ functions, extensions: [] }),
  success: (body) => body,
  queued: (body) => body,
  job: (job, state) => ({
    jobId: job.jobId,
    requestId: job.requestId,
    function: job.function,
    status: state === 'waiting' ? (job.polls > 1 ? 'processing' : 'queued') : state,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...(state === 'waiting' ? { progress: { pagesDone: job.pagesDone ?? 0, pageCount: 9 } } : {}),
    ...(state === 'completed' ? { result: { text: job.text }, meta: meta() } : {}),
  }),
};

/** A server of the same contract that settled every silent point differently. */
export const OTHER_DIALECT: Dialect = {
  catalog: (functions) =>
    functions.map(({ id, acceptedTypes, pageCap, ...rest }) => ({
      name: id,
      accept: acceptedTypes,
      maxPages: pageCap,
      ...rest,
      tier: 'gold',
    })),
  success: (body) => ({ ...body, region: 'eu-1', billing: { units: 1 } }),
  queued: (body) => ({ ...body, status: 'pending', region: 'eu-1', queue: { position: 3 } }),
  job: (job, state) => ({
    status: state === 'waiting' ? (job.polls > 1 ? 'running' : 'pending') : state,
    ...(state === 'completed' ? { data: { result: { text: job.text }, meta: meta() }, region: 'eu-1' } : {}),
  }),
};

export const TEXT_EXTRACTION = {
  id: 'TEXT_EXTRACTION',
  title: 'Text',
  description: 'The text of a document',
  acceptedTypes: ['application/pdf', 'image/png'],
  pageCap: 100,
  argsSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      format: { type: 'string', enum: ['text', 'markdown'], default: 'text', description: 'of the text' },
      pages: { type: 'string', description: 'which pages' },
      languages: { type: 'array', items: { type: 'string' }, description: 'to expect' },
      dpi: { type: 'integer', description: 'to render at' },
      ocr: { type: 'boolean', description: 'recognise' },
      password: { type: 'string', writeOnly: true, description: 'of the document' },
    },
  },
  included: true,
};

/** A real HTTP server of the contract on a port of its own. */
export async function startContractServer(options: ContractServerOptions = {}): Promise<ContractServer> {
  const { dialect = OUR_DIALECT, now = Date.now } = options;
  const textOf = options.textOf ?? ((file) => `sha256 ${createHash('sha256').update(file).digest('hex')}`);
  const apiKey = 'test-key-0123456789-planted-secret';
  const sockets = new Set<Socket>();
  const open = new Set<ServerResponse>();
  const answers = new Map<string, { status: number; body: unknown }>();
  let count = 0;

  const state: ContractServer = {
    baseUrl: '',
    apiKey,
    calls: [],
    get openCalls() {
      return open.size;
    },
    jobs: new Map(),
    onCall: undefined,
    env: {},
    script: { post: [], job: [], catalog: [] },
    pollsUntilDone: options.pollsUntilDone,
    makesProgress: false,
    answerPoll: undefined,
    extensions: [],
    jobError: undefined,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    void handle(request, response).catch(() => response.destroy());
  };
  const server: Server = options.tls === undefined ? createServer(onRequest) : createTlsServer(options.tls, onRequest);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const call: SeenCall = { method, path: url, headers, atMs: now() };
    state.calls.push(call);
    open.add(response);
    response.once('close', () => open.delete(response));
    state.onCall?.(call);
    const kind = method === 'POST' ? 'post' : url.startsWith('/v1/ocr/jobs/') ? 'job' : 'catalog';
    const scripted = state.script[kind].shift();
    if (scripted?.isEarly) {
      response.setHeader('connection', 'close');
      return await reply(response, scripted);
    }
    const body = await readBody(request);
    if (method === 'POST') call.upload = readMultipart(body, headers['content-type'] ?? '');
    if (scripted !== undefined) return await reply(response, scripted);
    if (headers.authorization !== `Bearer ${apiKey}`) {
      return await reply(response, failure(401, 'UNAUTHORIZED', 'Unknown API key', false));
    }
    if (kind === 'post') return await reply(response, answerPost(url, headers, call.upload));
    if (kind === 'job' && method === 'DELETE') return await reply(response, deleteJob(url.split('/').at(-1) ?? ''));
    if (kind === 'job') return await reply(response, answerJob(decodeURIComponent(url.split('/').at(-1) ?? '')));
    if (url === '/v1/ocr/functions')
      return await reply(response, { body: nameExtensions(dialect.catalog([TEXT_EXTRACTION]), state.extensions) });
    return await reply(response, failure(404, 'NOT_FOUND', 'No such path', false));
  }

  function answerPost(url: string, headers: IncomingMessage['headers'], upload: SeenCall['upload']): Reply {
    const id = url.split('/').at(-1) ?? '';
    if (id !== 'TEXT_EXTRACTION') return failure(404, 'NOT_FOUND', `No function ${id}`, false);
    if (upload?.file === undefined || upload.file.length === 0) {
      return failure(400, 'INVALID_ARGS', 'The part "file" is missing', false);
    }
    const key = String(headers['idempotency-key'] ?? `none-${count}`);
    const known = answers.get(key);
    if (known !== undefined) return known;
    count++;
    const requestId = `req_${String(count).padStart(26, '0')}`;
    const text = textOf(upload.file);
    const isQueued = state.pollsUntilDone !== undefined || headers.prefer === 'respond-async';
    let answer: { status: number; body: unknown };
    if (isQueued) {
      const jobId = `job_${String(count).padStart(26, '0')}`;
      state.jobs.set(jobId, { jobId, requestId, function: id, text, polls: 0, file: upload.file });
      const body = { requestId, jobId, status: 'queued', statusUrl: `/v1/ocr/jobs/${jobId}` };
      answer = { status: 202, body: dialect.queued(body) };
    } else {
      answer = { status: 200, body: dialect.success({ requestId, function: id, result: { text }, meta: meta() }) };
    }
    answers.set(key, answer);
    return answer;
  }

  /** Only where the catalog names `jobs.delete`. */
  function deleteJob(jobId: string): Reply {
    const job = state.jobs.get(jobId);
    if (!state.extensions.includes('jobs.delete')) return failure(405, 'METHOD_NOT_ALLOWED', 'No such method', false);
    if (job === undefined) return failure(404, 'NOT_FOUND', `No job ${jobId}`, false);
    if (job.polls < (state.pollsUntilDone ?? 1)) job.isCancelled = true;
    else state.jobs.delete(jobId);
    return { body: job.isCancelled ? cancelled(job) : dialect.job(job, 'completed') };
  }

  function cancelled(job: StoredJob): unknown {
    const error = { code: 'CANCELLED', message: 'The job was cancelled', retryable: false };
    return { ...(dialect.job(job, 'failed') as object), error };
  }

  function answerJob(jobId: string): Reply {
    const job = state.jobs.get(jobId);
    if (job === undefined) return failure(404, 'NOT_FOUND', `No job ${jobId}`, false);
    if (job.isCancelled) return { body: cancelled(job) };
    job.polls++;
    if (state.makesProgress) job.pagesDone = job.polls;
    const answer = state.answerPoll?.(job);
    if (answer !== undefined) return answer;
    if (job.polls < (state.pollsUntilDone ?? 1)) return { body: dialect.job(job, 'waiting') };
    if (state.jobError === undefined) return { body: dialect.job(job, 'completed') };
    return { body: { ...(dialect.job(job, 'failed') as object), error: state.jobError } };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  state.baseUrl = options.tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
  state.env = { OCR_BASE_URL: state.baseUrl, OCR_API_KEY: apiKey };
  return state;
}

/** A dialect whose catalog is a bare array has no place for them. */
function nameExtensions(catalog: unknown, extensions: string[]): unknown {
  if (Array.isArray(catalog) || extensions.length === 0) return catalog;
  return { ...(catalog as object), extensions };
}

export function failure(status: number, code: string, message: string, retryable: boolean): Reply {
  return { status, body: { error: { code, message, requestId: 'req_0000000000000000000FA1LED0', retryable } } };
}

function meta() {
  return { provider: 'contract-server', pageCount: 1, cached: false, durationMs: 1 };
}

async function reply(response: ServerResponse, answer: Reply): Promise<void> {
  if (answer.stalls) return;
  if (answer.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, answer.delayMs));
  await answer.waitsFor?.();
  if (answer.hangsUp) {
    response.socket?.destroy();
    return;
  }
  const isText = typeof answer.body === 'string';
  const body = Buffer.from(isText ? (answer.body as string) : JSON.stringify(answer.body ?? {}));
  response.writeHead(answer.status ?? 200, {
    'content-type': isText ? 'text/html' : 'application/json',
    'content-length': String(body.length),
    ...answer.headers,
  });
  if (answer.stopsAfterBytes !== undefined) {
    response.write(body.subarray(0, answer.stopsAfterBytes));
    return;
  }
  if (answer.cutAfterBytes === undefined) {
    response.end(body);
    return;
  }
  response.write(body.subarray(0, answer.cutAfterBytes), () => setTimeout(() => response.socket?.destroy(), 20));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Just enough of RFC 7578 to read what a client of this contract sends. */
function readMultipart(body: Buffer, contentType: string): NonNullable<SeenCall['upload']> {
  const upload: NonNullable<SeenCall['upload']> = {
    args: undefined,
    file: undefined,
    fileName: undefined,
    bytes: body.length,
  };
  const boundary = /boundary=("?)([^";]+)\1/.exec(contentType)?.[2];
  if (boundary === undefined) return upload;
  const mark = Buffer.from(`\r\n--${boundary}`);
  const text = Buffer.concat([Buffer.from('\r\n'), body]);
  let at = text.indexOf(mark);
  while (at !== -1) {
    const next = text.indexOf(mark, at + mark.length);
    if (next === -1) break;
    const part = text.subarray(at + mark.length + 2, next);
    const headEnd = part.indexOf('\r\n\r\n');
    const head = part.toString('utf8', 0, headEnd);
    const content = part.subarray(headEnd + 4);
    if (/name="args"/.test(head)) upload.args = content.toString('utf8');
    if (/name="file"/.test(head)) {
      upload.file = Buffer.from(content);
      upload.fileName = /filename="([^"]*)"/.exec(head)?.[1];
    }
    at = next;
  }
  return upload;
}
