import { formatDuration } from '../../contract/duration.js';
import { OcrError } from '../../contract/ocr-error.js';
import { formatClock, formatTime } from '../../contract/time.js';
import { CallFailure } from './call-failure.js';
import { isTransient, parseRetryAfterMs } from './retry.js';

/** An answer, read whole. Header names are in lower case. */
export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
}

/** True when the answer's body has the media type, with or without parameters (RFC 9110, section 8.3). */
export function isOfType({ 'content-type': type = '' }: Answer['headers'], mediaType: string): boolean {
  return type.split(';')[0]?.trim().toLowerCase() === mediaType;
}

/** Codes for refusals without the contract's envelope, for example from a proxy. */
const CODE_BY_STATUS: Record<number, string> = {
  401: 'UNAUTHORIZED',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  410: 'EXPIRED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
};

const HINTS: Record<string, string> = {
  UNAUTHORIZED: 'Check the API key (OCR_API_KEY or the profile).',
  FORBIDDEN: 'The functions of this key: ocr functions list',
  PAYMENT_REQUIRED:
    'Whoever runs the service has to renew it; of an ocr service: ocr admin orgs update <orgId> --subscription active',
  RATE_LIMITED: 'Nothing was accepted; run the same command again in a while.',
  PROVIDER_UNAVAILABLE: 'Run the same command again in a while.',
  QUOTA_EXCEEDED: 'Nothing was accepted; what is used and left: ocr usage',
};
const DAY_MS = 86_400_000;

/** Reads the object of a 200 or 202. @throws CallFailure BAD_RESPONSE */
export function readObject(answer: Answer, origin: string): Record<string, unknown> {
  const value = parseObject(answer.text);
  if (value !== undefined) return value;
  throw badResponse(answer, origin);
}

/** Turns any other answer into a failure: by the envelope where there is one, else by the HTTP status. */
export function failureOf(answer: Answer, origin: string, nowMs: number): CallFailure {
  const { status } = answer;
  if (status >= 300 && status < 400) return redirected(answer, origin);
  // The contract knows no other success, and this is no refusal either.
  if (status < 300) return badResponse(answer, origin);
  const body = parseObject(answer.text);
  const envelope = body?.error;
  const retryAfterMs = parseRetryAfterMs(answer.headers, nowMs);
  if (typeof envelope !== 'object' || envelope === null) {
    if (status === 408) return tooSlow(answer, origin, retryAfterMs);
    // A service uses the envelope for what it does not know. Without one, a proxy answers for it while it restarts.
    const isAnswer = status < 500 && status !== 404 && status !== 410;
    if (!isAnswer) return badResponse(answer, origin, retryAfterMs);
    const code = CODE_BY_STATUS[status] ?? `HTTP_${status}`;
    const message = `${origin} answered ${status}${quoteFirstLine(answer.text)}`;
    return refusal(answer, { code, message, retryAfterMs, nowMs });
  }
  const { code, message, requestId, retryable } = envelope as Record<string, unknown>;
  const name = typeof code === 'string' && code !== '' ? code : (CODE_BY_STATUS[status] ?? `HTTP_${status}`);
  const words = typeof message === 'string' && message !== '' ? message : `${origin} answered ${status} ${name}`;
  return refusal(answer, {
    code: name,
    message: words,
    retryAfterMs,
    nowMs,
    statedRetryable: typeof retryable === 'boolean' ? retryable : undefined,
    requestId: typeof requestId === 'string' ? requestId : undefined,
  });
}

interface Refusal {
  code: string;
  message: string;
  retryAfterMs: number | undefined;
  nowMs: number;
  statedRetryable?: boolean | undefined;
  requestId?: string | undefined;
}

function refusal(answer: Answer, refused: Refusal): CallFailure {
  const { code, message, retryAfterMs, nowMs, statedRetryable, ...named } = refused;
  const requestId = named.requestId ?? answer.headers['x-request-id'];
  const error = new OcrError(code, message, {
    status: answer.status,
    retryable: statedRetryable ?? isTransient(answer.status),
    hint: isAboutSupportKey(code, message) ? SUPPORT_HINT : hintOf(answer.status, code, retryAfterMs, nowMs),
    requestId,
    retryAfterSeconds: retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000),
  });
  return new CallFailure(error, 'answer', { statedRetryable, retryAfterMs });
}

/** Commands that a support key may use, and who may do the rest. */
const SUPPORT_HINT = [
  'What it reads: ocr requests get <requestId>, ocr jobs get <jobId>',
  'To send, cancel or delete, take a key of the organisation (--profile or OCR_API_KEY), or ask whoever runs the service.',
].join('\n');

/** True when the service says that the key is one for support, which only the message tells. */
function isAboutSupportKey(code: string, message: string): boolean {
  return code === 'FORBIDDEN' && /\bsupport key\b/i.test(message);
}

/** Finds the hint of a code, or of its status for an unknown code; adds the time of `Retry-After` where there is one. */
function hintOf(status: number, code: string, retryAfterMs: number | undefined, nowMs: number): string | undefined {
  const hint = HINTS[code] ?? HINTS[CODE_BY_STATUS[status] ?? ''];
  if (retryAfterMs === undefined) return hint;
  const untilMs = nowMs + retryAfterMs;
  const time = retryAfterMs < DAY_MS ? formatClock(untilMs) : formatTime(untilMs - (untilMs % 1_000));
  const when = `not before ${time} (in ${formatDuration(retryAfterMs)}).`;
  if (hint === undefined) return `Run the same command again, ${when}`;
  return / in a while\.$/.test(hint) ? hint.replace(/ in a while\.$/, `, ${when}`) : `${hint}\nAgain, ${when}`;
}

/** @param why instead of "not the service's format" */
export function badResponse(answer: Answer, origin: string, retryAfterMs?: number, why?: string): CallFailure {
  const requestId = answer.headers['x-request-id'];
  const reason = why ?? 'something that is not an answer of an OCR service';
  const message = `${origin} answered ${answer.status} with ${reason}${quoteFirstLine(answer.text)}`;
  const error = new OcrError('BAD_RESPONSE', message, {
    status: answer.status,
    retryable: isTransient(answer.status),
    hint: 'Check the address (--base-url, OCR_BASE_URL or the profile; it ends before /v1) and what stands before the service.',
    requestId,
  });
  return new CallFailure(error, 'answer', { retryAfterMs });
}

/** A 408: the server gave up waiting for the rest of the request and did not look at what it had. */
function tooSlow(answer: Answer, origin: string, retryAfterMs: number | undefined): CallFailure {
  const error = new OcrError('TIMEOUT', `${origin} answered 408: it did not get the whole request in time`, {
    status: answer.status,
    retryable: true,
    hint: 'Run the same command again, on a slow connection with fewer documents at once (--concurrency 1).',
    requestId: answer.headers['x-request-id'],
  });
  return new CallFailure(error, 'timeout', { retryAfterMs });
}

/** A redirect is not followed: it would take the key to another host. */
function redirected(answer: Answer, origin: string): CallFailure {
  const target = answer.headers.location;
  const message = `${origin} answered ${answer.status}, a redirect${target === undefined ? '' : ` to ${target}`}, which is not followed`;
  return new CallFailure(
    new OcrError('BAD_RESPONSE', message, { status: answer.status, hint: 'Set the address that it redirects to.' }),
    'permanent',
  );
}

function quoteFirstLine(text: string): string {
  const line = text.split(/[\r\n]/).find((part) => part.trim() !== '');
  if (line === undefined) return '';
  const short = line.trim().slice(0, 120);
  return `: ${short}${line.trim().length > 120 ? '…' : ''}`;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
