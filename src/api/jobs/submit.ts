import type { OcrError } from '../../contract/ocr-error.js';
import { type Completed, jobPath, type Pending } from '../../contract/outcome.js';
import { type Answer, badResponse, failureOf, readObject } from '../http/answer.js';
import type { Calls } from '../http/calls.js';
import type { Http } from '../http/http.js';
import { createMultipartBody, type DocumentToSend } from '../http/multipart.js';
import type { Pace } from '../http/pace.js';
import { parseRetryAfterMs } from '../http/retry.js';

export interface SubmitRequest {
  file: DocumentToSend;
  function: string;
  args: Record<string, unknown>;
  idempotencyKey: string;
  /** Shared by the uploads of a batch: a 429 for one slows all. */
  pace?: Pace;
  /** Asks for a job at once: `Prefer: respond-async` (RFC 7240). */
  isAsync: boolean;
  /** Called with the reason and the time (Unix milliseconds) of the next attempt; the pace reports a 429. */
  onRetry?: ((error: OcrError, untilMs: number) => void) | undefined;
  /** Called in each attempt that has a connection, before the first byte of the document is sent. */
  onSend?: (() => void) | undefined;
  /** Called in each attempt whose connection has taken the last byte: the document may have arrived. */
  onSent?: (() => void) | undefined;
}

/** The service's answer to a submission. */
export type Submitted = (Completed | Pending) & { retryAfterMs: number | undefined };

/** Sends a document, with retries. @throws OcrError */
export async function submit(
  request: SubmitRequest,
  { http, calls, now }: { http: Http; calls: Calls; now: () => number },
): Promise<Submitted> {
  const path = `/v1/ocr/${encodeURIComponent(request.function)}`;
  const headers = {
    'idempotency-key': request.idempotencyKey,
    ...(request.isAsync ? { prefer: 'respond-async' } : {}),
  };
  return await calls.retrying(async () => {
    await request.pace?.waitTurn();
    const body = createMultipartBody(request.file, request.args, request);
    const { answer, endpoint } = await http.send({ method: 'POST', path, headers, body });
    const { origin } = new URL(endpoint.baseUrl);
    if (answer.status !== 200 && answer.status !== 202) throw failureOf(answer, origin, now());
    const retryAfterMs = parseRetryAfterMs(answer.headers, now());
    return { ...readSubmitted(answer, origin), retryAfterMs };
  }, request);
}

/** Finds each field at the top, or one level down on servers that wrap their answers. @throws CallFailure */
function readSubmitted(answer: Answer, origin: string): Completed | Pending {
  const body = readObject(answer, origin);
  const inner = (name: string): unknown =>
    [body, body.data, body.job].map((level) => (level as Record<string, unknown> | undefined)?.[name]).find(Boolean);
  const text = (name: string): string | undefined => {
    const value = inner(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  if (answer.status === 200) {
    const result = inner('result');
    if (typeof result !== 'object' || result === null) throw badResponse(answer, origin, undefined, 'no result in it');
    return { state: 'completed', body: { ...body, result } };
  }
  const jobId = text('jobId');
  if (jobId === undefined) throw badResponse(answer, origin, undefined, 'no jobId in it');
  return {
    state: 'pending',
    jobId,
    requestId: text('requestId') ?? answer.headers['x-request-id'],
    status: text('status') ?? 'queued',
    statusUrl: text('statusUrl') ?? jobPath(jobId),
  };
}
