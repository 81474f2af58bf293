import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SERVICE_ERRORS, type ServiceErrorCode } from '../../contract/error-codes.js';
import { noteAnswer } from './call-record.js';
import { errorBody, SenderLostError, toServiceError } from './service-error.js';

export interface Answer {
  status: number;
  /** JSON text; empty for an answer without a body. */
  body: string;
  /** requestId of the answer; a replay has that of the first call. */
  requestId: string;
  headers?: Record<string, string>;
  errorCode?: ServiceErrorCode;
  errorMessage?: string;
  meta?: { provider: string; durationMs: number };
}

const JSON_TYPE = 'application/json; charset=utf-8';
const DRAIN_MAX_BYTES = 64 * 1024 * 1024;
const DRAIN_TIMEOUT_MS = 10_000;
const LARGE_BODY = 256 * 1024;

/** Requests that wait for "100 Continue": none of their body is on its way. */
const awaitingContinue = new WeakSet<IncomingMessage>();

export function markAwaitingContinue(request: IncomingMessage): void {
  awaitingContinue.add(request);
}

/** Sends "100 Continue" to a sender that waits for it; called when the body is wanted. */
export function allowBody(request: IncomingMessage, response: ServerResponse): void {
  if (awaitingContinue.delete(request)) response.writeContinue();
}

export function answerJson(status: number, value: unknown, requestId: string): Answer {
  return { status, body: JSON.stringify(value), requestId };
}

export function answerError(error: unknown, requestId: string): Answer {
  if (error instanceof SenderLostError) return { status: 408, body: '', requestId, errorMessage: error.message };
  const { code, message, headers } = toServiceError(error);
  return {
    status: SERVICE_ERRORS[code].status,
    body: JSON.stringify(errorBody(code, message, requestId)),
    requestId,
    headers: { ...headers },
    errorCode: code,
    errorMessage: message,
  };
}

/** Sends the answer, also to a client that is still uploading. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  noteAnswer(request, answer);
  const headers = {
    'x-request-id': answer.requestId,
    ...(answer.body === '' ? {} : { 'content-type': JSON_TYPE }),
    ...answer.headers,
  };
  if (!isBodyOutstanding(request.raw)) return reply.code(answer.status).headers(headers).send(encode(answer.body));
  reply.hijack();
  answerEarly(request.raw, reply.raw, answer, headers);
  return reply;
}

/** A large answer may wait long for its reader. As bytes it is held once; as text Node holds the text and its bytes. */
function encode(body: string): string | Buffer {
  return body.length > LARGE_BODY ? Buffer.from(body) : body;
}

function isBodyOutstanding(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/**
 * Sends the answer at once, then reads and discards the rest of the upload within bounds before it closes the connection:
 * closing it with unread bytes resets it, and the client would see the reset instead of the answer.
 */
function answerEarly(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  headers: Record<string, string>,
): void {
  response.writeHead(answer.status, {
    ...headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(answer.body)),
  });
  if (answer.body === '') response.flushHeaders();
  else response.write(answer.body);
  const isNothingComing = awaitingContinue.has(request) || answer.status === 408;
  if (isNothingComing || request.destroyed) {
    response.end();
    return;
  }
  let drained = 0;
  const finish = () => {
    clearTimeout(timer);
    request.off('data', count);
    response.end();
  };
  const count = (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > DRAIN_MAX_BYTES) finish();
  };
  const timer = setTimeout(finish, DRAIN_TIMEOUT_MS);
  request.on('data', count);
  request.once('end', finish);
  request.once('close', finish);
  request.on('error', () => {});
  request.resume();
}
