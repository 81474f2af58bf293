import type { FastifyRequest } from 'fastify';
import type { ServiceErrorCode } from '../../contract/error-codes.js';
import type { CallingKey } from '../../store/access.js';
import { ServiceError } from './service-error.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** State of the call for the request log; null before its first use. Read it with callOf. */
    callRecord: CallRecord | null;
  }
}

/** Facts of a received file for the request log. */
export interface UploadFacts {
  fileName: string | undefined;
  sizeBytes: number;
  sha256: string;
  /** Type detected from the bytes; undefined until then. */
  mimeType: string | undefined;
  pageCount: number | undefined;
}

/** Facts of an answer for the request log. */
export interface GivenAnswer {
  status: number;
  errorCode?: ServiceErrorCode;
  errorMessage?: string;
  /** Fields of the answer's meta, when it has one. */
  meta?: { provider: string; durationMs: number };
}

/** Facts of a call for the request log. Each step of its handling adds some. */
export interface CallRecord {
  readonly startedAtMs: number;
  /** Whole milliseconds since the start, on a monotonic clock. */
  elapsedMs(): number;
  caller: CallingKey | undefined;
  /** Empty for calls without a function. */
  functionId: string;
  facts: UploadFacts | undefined;
  jobId: string | undefined;
  isCached: boolean;
  replayOf: string | undefined;
  /** Called once, just before the answer is sent. */
  onAnswer: ((answer: GivenAnswer) => void) | undefined;
}

/** Returns the record of a call, which `beginCall` has begun. */
export function callOf(request: FastifyRequest): CallRecord {
  return request.callRecord as CallRecord;
}

/** Begins the record of a call, once. */
export function beginCall(request: FastifyRequest, nowMs: number): CallRecord {
  request.callRecord ??= startRecord(nowMs);
  return request.callRecord;
}

function startRecord(startedAtMs: number): CallRecord {
  const beganAt = performance.now();
  return {
    startedAtMs,
    elapsedMs: () => Math.round(performance.now() - beganAt),
    caller: undefined,
    functionId: '',
    facts: undefined,
    jobId: undefined,
    isCached: false,
    replayOf: undefined,
    onAnswer: undefined,
  };
}

/** Adds the key to the record of a call that was refused because of it. */
export function noteRefusedKey(request: FastifyRequest, error: unknown): void {
  if (error instanceof ServiceError && error.caller !== undefined) callOf(request).caller = error.caller;
}

export function noteAnswer(request: FastifyRequest, answer: GivenAnswer): void {
  const record = callOf(request);
  record.onAnswer?.(answer);
  record.onAnswer = undefined;
}
