import type { FastifyRequest } from 'fastify';
import type { ServiceErrorCode } from '../../contract/error-codes.js';
import type { Caller } from '../../store/access.js';

/** What the request log keeps of a received file. */
export interface UploadFacts {
  fileName: string | undefined;
  sizeBytes: number;
  sha256: string;
  /** By its bytes; undefined until it is known. */
  mimeType: string | undefined;
  pageCount: number | undefined;
}

/** What was answered, as far as the request log keeps it. */
export interface GivenAnswer {
  status: number;
  errorCode?: ServiceErrorCode;
  errorMessage?: string;
  /** Of the answer's meta, where it has one. */
  meta?: { provider: string; durationMs: number };
}

/** What is known so far of a call; each step of its way adds what it learns, and the request log keeps it. */
export interface CallRecord {
  readonly startedAtMs: number;
  /** Since then, on a clock that nobody sets; whole milliseconds. */
  elapsedMs(): number;
  caller: Caller | undefined;
  /** Empty where the call names none. */
  functionId: string;
  facts: UploadFacts | undefined;
  jobId: string | undefined;
  isCached: boolean;
  replayOf: string | undefined;
  /** Called once, when the answer is about to be sent. */
  onAnswer: ((answer: GivenAnswer) => void) | undefined;
}

const records = new WeakMap<FastifyRequest, CallRecord>();

export function callOf(request: FastifyRequest): CallRecord {
  let record = records.get(request);
  if (record === undefined) {
    const beganAt = performance.now();
    record = {
      startedAtMs: Date.now(),
      elapsedMs: () => Math.round(performance.now() - beganAt),
      caller: undefined,
      functionId: '',
      facts: undefined,
      jobId: undefined,
      isCached: false,
      replayOf: undefined,
      onAnswer: undefined,
    };
    records.set(request, record);
  }
  return record;
}

export function noteAnswer(request: FastifyRequest, answer: GivenAnswer): void {
  const record = callOf(request);
  record.onAnswer?.(answer);
  record.onAnswer = undefined;
}
