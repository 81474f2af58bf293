import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ApiClient } from '../api/client.js';
import type { Submitted } from '../api/jobs/submit.js';
import type { Clock } from '../contract/clock.js';
import type { LocateService } from '../contract/endpoint.js';
import { isTerminal } from '../contract/envelopes.js';
import type { Outcome } from '../contract/outcome.js';
import { sleep } from '../contract/sleep.js';
import { InputError } from './errors.js';
import { guard } from './guard.js';
import { refuseUnknownOptions } from './refuse-unknown-options.js';
import type {
  CallOptions,
  Client,
  ClientOptions,
  DocumentSource,
  Extraction,
  ExtractOptions,
  FunctionInfo,
  Job,
  RequestInfo,
  WaitOptions,
} from './types.js';

const DEFAULT_FUNCTION = 'TEXT_EXTRACTION';
const DEFAULT_TIMEOUT_MS = 120_000;
/** Contract, section GET /v1/ocr/jobs/{id}: a client gives up after about 300 seconds. */
const DEFAULT_WAIT_MS = 300_000;

const CLOCK: Clock = { now: () => Date.now(), monotonicMs: () => performance.now(), sleep };
const NEVER = new AbortController().signal;

/**
 * Makes a client of the service at `baseUrl`; without options, of the service on this machine, which the first call
 * starts. Nothing is opened before the first call.
 * @throws InputError for an address or a key that cannot be one, and for an unknown option
 */
export function createClient(clientOptions: ClientOptions = {}): Client {
  refuseUnknownOptions('createClient', clientOptions);
  const { baseUrl, apiKey, timeoutMs = DEFAULT_TIMEOUT_MS } = clientOptions;
  refuseIncomplete({ baseUrl, apiKey, timeoutMs });
  let opened: Promise<ApiClient> | undefined;
  const open = async (signal = NEVER) => {
    opened ??= openApi({ baseUrl, apiKey, timeoutMs });
    const api = await opened.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return api.withSignal(signal);
  };

  async function waitFor(api: ApiClient, jobId: string, { onProgress, waitTimeoutMs }: WaitOptions, more: object) {
    return await api.wait({
      jobId,
      waitTimeoutMs: waitTimeoutMs ?? DEFAULT_WAIT_MS,
      ...more,
      onPoll({ status, progress }) {
        const { pagesDone, pageCount } = progress ?? {};
        if (!isTerminal(status)) onProgress?.({ jobId, status, pagesDone, pageCount });
      },
    });
  }

  return {
    async extract<F extends string = 'TEXT_EXTRACTION'>(source: DocumentSource, options: ExtractOptions<F> = {}) {
      const { signal, args = {}, wait = true } = options;
      const name = options.function ?? (DEFAULT_FUNCTION as F);
      keepErrors(source);
      return await guard(signal, async (noteJob) => {
        refuseUnknownOptions('extract', options);
        const { openDocument } = await import('./open-document.js');
        const { document, dispose } = await openDocument(source, options.name, signal ?? NEVER);
        let api: ApiClient;
        let submitted: Submitted;
        try {
          api = await open(signal);
          const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
          const request = { file: document, function: name, args, idempotencyKey, isAsync: !wait };
          submitted = await api.submit(request).catch(async (error: unknown) => {
            const { explainRefusal } = await import('./explain-refusal.js');
            throw await explainRefusal(api, name, error);
          });
        } finally {
          await dispose();
        }
        if (submitted.state !== 'pending') return readOutcome<F>(submitted, name);
        const { jobId, requestId, status, statusUrl, retryAfterMs } = submitted;
        noteJob(jobId, requestId);
        if (!wait) return readOutcome<F>(submitted, name);
        options.onProgress?.({ jobId, status, pagesDone: undefined, pageCount: undefined });
        const known = { status, statusUrl, function: name, ...(requestId === undefined ? {} : { requestId }) };
        return readOutcome<F>(await waitFor(api, jobId, options, { retryAfterMs, known }), name);
      });
    },
    jobs: {
      async get(jobId, options: CallOptions = {}) {
        const { signal } = options;
        return await guard(signal, async () => {
          refuseUnknownOptions('jobs.get', options);
          const { outcomeOf } = await import('../api/jobs/outcome-of.js');
          const job = await (await open(signal)).getJob(checkId(jobId));
          const outcome = outcomeOf(job, jobId, {});
          if (outcome.state === 'completed') return readOutcome(outcome);
          const { status, requestId, function: name, progress, error } = job;
          const known = { requestId, function: name, progress, error };
          return { jobId, status, ...dropUndefined(known) } as Job;
        });
      },
      async wait(jobId, options = {}) {
        return await guard(options.signal, async (noteJob) => {
          refuseUnknownOptions('jobs.wait', options);
          noteJob(checkId(jobId));
          const api = await open(options.signal);
          return readOutcome(await waitFor(api, jobId, options, { pollsImmediately: true }));
        });
      },
      async cancel(jobId, options: CallOptions = {}) {
        const { signal } = options;
        await guard(signal, async () => {
          refuseUnknownOptions('jobs.cancel', options);
          await (await open(signal)).removeJob(checkId(jobId), { unfinishedOnly: true });
        });
      },
    },
    functions: {
      async list(options: CallOptions = {}) {
        const { signal } = options;
        return await guard(signal, async () => {
          refuseUnknownOptions('functions.list', options);
          const catalog = await (await open(signal)).getCatalog();
          return catalog.map(({ body: _body, ...listed }) => dropUndefined(listed) as unknown as FunctionInfo);
        });
      },
    },
    requests: {
      async get(requestId, options: CallOptions = {}) {
        const { signal } = options;
        return await guard(signal, async () => {
          refuseUnknownOptions('requests.get', options);
          const found = await (await open(signal)).getRequest(checkId(requestId));
          if (found === undefined) throw new InputError('UNSUPPORTED', 'this service cannot look up requests');
          return found as unknown as RequestInfo;
        });
      },
    },
    async close() {
      const closing = opened;
      opened = undefined;
      await closing?.then((api) => api.close()).catch(() => {});
    },
  };
}

/** Keeps a stream that fails before it is read from ending the process: reading it then throws its error. */
function keepErrors(source: DocumentSource): void {
  if (source instanceof EventEmitter) source.on('error', () => {});
}

/** An address without its key would call the service without one; a key alone has no service. */
function refuseIncomplete({ baseUrl, apiKey, timeoutMs }: ClientOptions): void {
  if (baseUrl !== undefined && (typeof baseUrl !== 'string' || !/^https?:\/\//i.test(baseUrl)))
    throw new InputError('CONFIG_INVALID', 'baseUrl is not an http or https address');
  if (baseUrl !== undefined && !apiKey) throw new InputError('NO_API_KEY', 'baseUrl needs an apiKey');
  if (baseUrl === undefined && apiKey !== undefined)
    throw new InputError('CONFIG_INVALID', 'apiKey needs the baseUrl of its service');
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw new InputError('CONFIG_INVALID', 'timeoutMs must be a number of milliseconds above 0');
}

async function openApi({ baseUrl, apiKey = '', timeoutMs = DEFAULT_TIMEOUT_MS }: ClientOptions): Promise<ApiClient> {
  const { env } = process;
  const version = readVersion();
  const [{ createClient: createApiClient }, locate] = await Promise.all([
    import('../api/client.js'),
    baseUrl === undefined ? locateOnThisMachine(version) : locateAt(baseUrl, apiKey),
  ]);
  const userAgent = `ocr/${version} node/${process.versions.node}`;
  return createApiClient({ locate, env, timeoutMs, userAgent, signal: NEVER, clock: CLOCK, debug: () => {} });
}

async function locateAt(address: string, key: string): Promise<LocateService> {
  const { parseApiKey, parseBaseUrl } = await import('../settings/parse-server.js');
  const [baseUrl, apiKey] = [parseBaseUrl(address, 'baseUrl'), parseApiKey(key)];
  return async () => ({ baseUrl, apiKey, serverId: baseUrl });
}

/** The service is found, or started, as the commands do it. */
async function locateOnThisMachine(version: string): Promise<LocateService> {
  const [{ ensureLocalService }, { findDirectories }] = await Promise.all([
    import('../local/service-locator.js'),
    import('../settings/directories.js'),
  ]);
  const { env } = process;
  const { dataDir } = await findDirectories(env);
  return async () => await ensureLocalService({ dataDir, version, env, note: () => {} });
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** @throws OcrError of the contract for a failed job, with its jobId */
function readOutcome<F extends string>(outcome: Outcome, name?: F): Extraction<F> | Job {
  if (outcome.state === 'failed') throw Object.assign(outcome.error, { jobId: outcome.jobId });
  if (outcome.state === 'completed')
    return { status: 'completed', ...(name === undefined ? {} : { function: name }), ...outcome.body } as Extraction<F>;
  const { jobId, status, requestId } = outcome;
  return { jobId, status, ...dropUndefined({ requestId, function: name }) };
}

function checkId(id: string): string {
  if (typeof id !== 'string' || id === '') throw new InputError('USAGE', 'The id is missing');
  return id;
}

function dropUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
