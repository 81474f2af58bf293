import { createRequire } from 'node:module';
import type { Dispatcher } from 'undici';
import type { Endpoint } from '../../contract/endpoint.js';
import { OcrError } from '../../contract/ocr-error.js';
import { hideSecrets, maskApiKey } from '../../contract/secrets.js';
import { untilAborted } from '../../contract/until-aborted.js';
import { type Answer, badResponse, isOfType } from './answer.js';
import { CallFailure } from './call-failure.js';
import type { MultipartBody } from './multipart.js';

/** Imported CommonJS costs a scan of its exports, so undici is required. */
const require = createRequire(import.meta.url);

/** Length from which a key counts as a secret: ordinary words may contain a shorter one. */
const MIN_KEY_LENGTH = 8;
/** Bound on an answer's body: results may hold a whole document, and an answer without end must not fill the memory. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path from `/v1` on. */
  path: string;
  headers?: Record<string, string>;
  body?: MultipartBody;
  /** Replaces the client's usual limit. */
  timeoutMs?: number;
  /** Replaces the client's signal. */
  signal?: AbortSignal;
  /** Takes the body of a 200 of its media type as it comes; the answer then has no text. */
  stream?: BodyStream;
}

interface BodyStream {
  mediaType: string;
  /** Called when the answer begins, in each attempt. */
  open(): void;
  chunk(bytes: Uint8Array): Promise<void>;
}

export interface ExchangeOptions {
  /** Longest time without progress. */
  timeoutMs: number;
  userAgent: string;
  signal: AbortSignal;
  /** Address of the proxy in use, for error messages. */
  proxy: string | undefined;
}

/** Sends one request and reads its answer whole. @throws CallFailure, OcrError for a document that cannot be read, or the signal's reason */
export async function exchange(
  dispatcher: Dispatcher,
  target: Endpoint,
  request: HttpRequest,
  options: ExchangeOptions,
): Promise<Answer> {
  const send = require('undici/lib/api/api-request.js') as (
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ) => Promise<Dispatcher.ResponseData>;
  const { origin, pathname } = new URL(target.baseUrl);
  const { body, timeoutMs = options.timeoutMs } = request;
  let readError: unknown;
  const limit = limitWait(options.signal, body === undefined ? timeoutMs : undefined);
  try {
    const sending = send.call(dispatcher, {
      origin,
      path: `${pathname === '/' ? '' : pathname}${request.path}`,
      method: request.method,
      headers: headersOf(request, target.apiKey, options.userAgent),
      // An error from reading the file must come out as itself, not as a broken connection.
      body: body === undefined ? null : (keepError(body.stream(), (error) => (readError = error)) as never),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: limit.signal,
    });
    // undici looks at the signal only once there is a connection, which a proxy or a firewall may never give.
    const response = await untilAborted(sending, limit.signal);
    limit.clear();
    const answer = await readAnswer(response, origin, request.stream);
    return answer.status < 300 ? answer : hideKey(answer, target.apiKey);
  } catch (error) {
    options.signal.throwIfAborted();
    if (readError !== undefined) throw readError;
    if (error instanceof CallFailure || error instanceof OcrError) throw error;
    const { explainNetworkError } = await import('./network-error.js');
    throw explainNetworkError(error, target.baseUrl, timeoutMs, options.proxy);
  } finally {
    limit.clear();
  }
}

/**
 * Bounds the wait for an answer's head from the start: undici counts the time to connect apart. A request with a body
 * has no such bound (undefined), for while the body is sent there is progress.
 */
function limitWait(signal: AbortSignal, timeoutMs: number | undefined): { signal: AbortSignal; clear(): void } {
  // A signal of its own for each request: many requests listen to one, and Node warns of more than ten listeners.
  if (timeoutMs === undefined) return { signal: AbortSignal.any([signal]), clear() {} };
  const late = new AbortController();
  const end = () => late.abort(Object.assign(new Error('No answer in time'), { code: 'UND_ERR_HEADERS_TIMEOUT' }));
  const timer = setTimeout(end, timeoutMs);
  return { signal: AbortSignal.any([signal, late.signal]), clear: () => clearTimeout(timer) };
}

function headersOf({ body, headers }: HttpRequest, apiKey: string, userAgent: string): Record<string, string> {
  return {
    accept: 'application/json',
    // Without this header the server may use any coding (RFC 9110, section 12.5.3).
    'accept-encoding': 'identity',
    authorization: `Bearer ${apiKey}`,
    'user-agent': userAgent,
    ...(body === undefined ? {} : { 'content-type': body.contentType, 'content-length': String(body.contentLength) }),
    ...headers,
  };
}

async function readAnswer(
  response: Dispatcher.ResponseData,
  origin: string,
  stream: BodyStream | undefined,
): Promise<Answer> {
  const { statusCode: status } = response;
  const headers = flatten(response.headers);
  if (stream !== undefined && status === 200 && isOfType(headers, stream.mediaType)) {
    stream.open();
    for await (const chunk of response.body) await stream.chunk(chunk as Uint8Array);
    return { status, headers, text: '' };
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += (chunk as Uint8Array).length;
    if (size > MAX_ANSWER_BYTES) {
      const text = Buffer.concat(chunks).toString('utf8', 0, 1024);
      const reason = `more than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB`;
      throw badResponse({ status, headers, text }, origin, undefined, reason);
    }
    chunks.push(chunk as Uint8Array);
  }
  // A byte order mark is no part of the text (RFC 8259, section 8.1).
  return { status, headers, text: new TextDecoder().decode(Buffer.concat(chunks)) };
}

/** Masks the key in an answer: messages, logs and the ledger must not hold it, though a server repeats it. */
function hideKey({ status, headers, text }: Answer, apiKey: string): Answer {
  const isSecret = apiKey.length >= MIN_KEY_LENGTH;
  const hide = (value: string) => hideSecrets(isSecret ? value.replaceAll(apiKey, maskApiKey(apiKey)) : value);
  const hidden = Object.entries(headers).map(([name, value]) => [name, value === undefined ? value : hide(value)]);
  return { status, headers: Object.fromEntries(hidden) as Answer['headers'], text: hide(text) };
}

async function* keepError(
  stream: AsyncGenerator<Uint8Array>,
  keep: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    keep(error);
    throw error;
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
