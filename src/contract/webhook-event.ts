import type { JobError, Meta } from './envelopes.js';
import { isServiceErrorCode, SERVICE_ERRORS, type ServiceErrorCode } from './error-codes.js';

/** Contract, section Events. */
export const EVENT_TYPES = ['document.processed', 'document.failed'] as const;

/** Kind of the sign, in a stream of events, that earlier ones are no longer kept. No delivery has it. */
export const MISSED_EVENTS = 'events.missed';

export type EventType = (typeof EVENT_TYPES)[number];

export function isEventType(text: string): text is EventType {
  return (EVENT_TYPES as readonly string[]).includes(text);
}

/** The data of a delivery about one document: ids and states, never text of the document. */
export interface DocumentEvent {
  requestId: string;
  /** Absent for an answer from the cache: it has no job. */
  jobId?: string;
  function: string;
  status: 'completed' | 'failed';
  /** Absent for a document that failed before its pages were counted. */
  pageCount?: number | undefined;
  /** Present for a completed document. */
  meta?: Meta;
  /** Present for a failed document. */
  error?: JobError;
}

export interface RenderOptions {
  /** Marks a sample that an operator sent: nothing was read. */
  isTest?: boolean;
}

export function eventTypeOf({ status }: Pick<DocumentEvent, 'status'>): EventType {
  return status === 'completed' ? 'document.processed' : 'document.failed';
}

/** Renders the body of a delivery: `{ id, type, createdAt, data }`, with `test: true` for a sample, there and in its data. Every attempt sends these very bytes. */
export function renderEvent(
  deliveryId: string,
  createdAtMs: number,
  event: DocumentEvent,
  { isTest = false }: RenderOptions = {},
): string {
  const { requestId, jobId, function: id, status, pageCount, meta, error } = event;
  const mark = isTest ? { test: true } : {};
  const data = { requestId, jobId, function: id, status, pageCount, meta, error, ...mark };
  return JSON.stringify({
    id: deliveryId,
    type: eventTypeOf(event),
    createdAt: new Date(createdAtMs).toISOString(),
    ...mark,
    data,
  });
}

/** Returns the error in the form that the job has too. A code outside the contract is a fault of ours, so INTERNAL. */
export function describeJobError(code: string, message: string): JobError & { code: ServiceErrorCode } {
  const known = isServiceErrorCode(code) ? code : 'INTERNAL';
  return { code: known, message, retryable: SERVICE_ERRORS[known].retryable };
}
