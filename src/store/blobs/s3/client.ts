import { setTimeout as sleepOfNode } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { BlobMissingError, BlobsUnavailableError } from '../storage.js';
import { adviceOn, decodeXml, isTransient, readRefusal, type S3Refusal } from './errors.js';
import type { S3Location } from './location.js';

const CONNECT_TIMEOUT_MS = 3_000;
/** Time without a byte of an answer. */
const ANSWER_TIMEOUT_MS = 10_000;
/** Bound on the connections of this process to the storage. */
const MAX_CONNECTIONS = 64;
/** Attempts of one request, and the time after which no further one begins. */
const MAX_ATTEMPTS = 5;
const MAX_ATTEMPTS_MS = 12_000;
/** The pause after the first attempt. It doubles after each, and is cut at random so that processes do not stay in step. */
const FIRST_PAUSE_MS = 100;
const KEYS_AT_ONCE = 1_000;
const MAX_ERROR_BYTES = 64 * 1024;
/** SHA-256 of no bytes: requests without a body say so, because servers need not take unsigned ones. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Bytes to send, once more after a failed attempt. */
interface S3Body {
  sizeBytes: number;
  /** Lower-case hex. The server refuses other bytes. */
  sha256: string;
  open(): Exclude<Dispatcher.DispatchOptions['body'], undefined>;
}

/** The four requests of S3 that every compatible storage has. All throw BlobsUnavailableError after some attempts. */
export interface S3Client {
  put(key: string, body: S3Body): Promise<void>;
  /** Gets an object and gives its bytes to `use`, once more after an attempt that broke off. @throws BlobMissingError */
  get<T>(key: string, use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T>;
  remove(key: string): Promise<void>;
  /** Lists the keys that begin with `start`, a page at a time. */
  list(start: string, pageSize?: number): AsyncIterable<string[]>;
  close(): Promise<void>;
}

export interface S3ClientOptions {
  location: S3Location;
  /** The time of signatures, in Unix milliseconds. */
  now(): number;
  sleep?: (ms: number) => Promise<unknown>;
}

interface Attempt {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Empty for the bucket itself. */
  key: string;
  query?: Record<string, string>;
  body?: S3Body;
}

/** Thrown for an attempt that got no whole answer. */
class BrokenOffError extends Error {}

/** Thrown for an answer that refuses an attempt. */
class RefusedError extends Error {
  readonly refusal: S3Refusal;

  constructor(refusal: S3Refusal) {
    super([String(refusal.status), refusal.code, refusal.message].filter((part) => part !== '').join(' '));
    this.refusal = refusal;
  }
}

/** Opens a client. Its packages are loaded here, because most services have no bucket. */
export async function openS3Client({ location, now, sleep = sleepOfNode }: S3ClientOptions): Promise<S3Client> {
  const { bucket, bucketUrl, region, accessKeyId, secretAccessKey, sessionToken } = location;
  const { AwsV4Signer } = await import('aws4fetch');
  const { Agent, request } = await import('undici');
  const agent = new Agent({
    connections: MAX_CONNECTIONS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  });
  /** Keys derived from the secret, one for each day. */
  const cache = new Map<string, ArrayBuffer>();

  async function sign({
    method,
    key,
    query = {},
    body,
  }: Attempt): Promise<{ url: URL; headers: Record<string, string> }> {
    const url = new URL(`${bucketUrl}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { 'x-amz-content-sha256': body?.sha256 ?? EMPTY_SHA256 },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      datetime: new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
      cache,
    });
    const signed = await signer.sign();
    const length = body === undefined ? {} : { 'content-length': String(body.sizeBytes) };
    return { url: signed.url, headers: { ...Object.fromEntries(signed.headers), ...length } };
  }

  /** Makes one attempt and reads its answer. @throws BrokenOffError, RefusedError, errors of `use` */
  async function attempt<T>(one: Attempt, use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    const { url, headers } = await sign(one);
    const answer = await request(url, {
      dispatcher: agent,
      method: one.method,
      headers,
      body: one.body?.open() ?? null,
    }).catch((error: unknown) => {
      throw new BrokenOffError(describe(error), { cause: error });
    });
    const { statusCode, body } = answer;
    if (statusCode >= 200 && statusCode < 300) {
      try {
        return await use(untilBroken(body));
      } finally {
        body.destroy();
      }
    }
    throw new RefusedError(readRefusal(statusCode, await readText(untilBroken(body), MAX_ERROR_BYTES)));
  }

  async function send<T>(one: Attempt, use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    const deadline = performance.now() + MAX_ATTEMPTS_MS;
    for (let count = 1, pauseMs = FIRST_PAUSE_MS; ; count++, pauseMs *= 2) {
      try {
        return await attempt(one, use);
      } catch (error) {
        const isWorthwhile =
          error instanceof BrokenOffError || (error instanceof RefusedError && isTransient(error.refusal));
        if (!isWorthwhile || count === MAX_ATTEMPTS || performance.now() >= deadline) throw explain(one, error, count);
      }
      await sleep(pauseMs * (0.5 + Math.random() / 2));
    }
  }

  function explain({ method, key }: Attempt, error: unknown, count: number): unknown {
    const refusal = error instanceof RefusedError ? error.refusal : undefined;
    if (refusal === undefined && !(error instanceof BrokenOffError)) return error;
    const what = `${method} ${key || 'the list of keys'} in the bucket ${bucket} at ${new URL(bucketUrl).origin}`;
    if (refusal?.code === 'NoSuchKey') return new BlobMissingError(`${what}: there is no such object`);
    const advice = refusal && adviceOn(refusal);
    const tries = count === 1 ? '' : `, after ${count} attempts`;
    return new BlobsUnavailableError(
      `${what}: ${(error as Error).message}${tries}${advice === undefined ? '' : ` (${advice})`}`,
      { cause: error, needsOperator: refusal !== undefined && !isTransient(refusal) },
    );
  }

  return {
    put: (key, body) => send({ method: 'PUT', key, body }, readNothing),
    get: (key, use) => send({ method: 'GET', key }, use),
    remove: async (key) => {
      try {
        await send({ method: 'DELETE', key }, readNothing);
      } catch (error) {
        if (!(error instanceof BlobMissingError)) throw error;
      }
    },
    list: async function* (start, pageSize = KEYS_AT_ONCE) {
      for (let token: string | undefined; ; ) {
        const query: Record<string, string> = { 'list-type': '2', 'max-keys': String(pageSize), prefix: start };
        if (token !== undefined) query['continuation-token'] = token;
        const page = await send({ method: 'GET', key: '', query }, (bytes) => readText(bytes));
        const keys = [...page.matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => decodeXml(match[1] ?? ''));
        if (keys.length > 0) yield keys;
        const next = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(page)?.[1];
        if (next === undefined || !page.includes('<IsTruncated>true</IsTruncated>')) return;
        token = decodeXml(next);
      }
    },
    close: () => agent.close(),
  };
}

async function* untilBroken(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  for (;;) {
    const next = await chunks.next().catch((error: unknown) => {
      throw new BrokenOffError(describe(error), { cause: error });
    });
    if (next.done === true) return;
    yield next.value;
  }
}

async function readNothing(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}

async function readText(bytes: AsyncIterable<Uint8Array>, maxBytes = Number.POSITIVE_INFINITY): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Names an error of the network. One of several addresses has its code in the first of its parts. */
function describe(error: unknown): string {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: unknown[] };
  if (message === '' && errors?.[0] !== undefined) return describe(errors[0]);
  return (
    [message, code].filter((part) => part !== undefined && part !== '' && part !== message).join(', ') || String(error)
  );
}
