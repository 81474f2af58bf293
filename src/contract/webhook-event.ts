import type { JobError, Meta } from './envelopes.js';
import { isServiceErrorCode, SERVICE_ERRORS, type ServiceErrorCode } from './error-codes.js';

/** Contract, section Events. */
export const EVENT_TYPES = ['document.processed', 'document.failed'] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export function isEventType(text: string): text is EventType {
  return (EVENT_TYPES as readonly string[]).includes(text);
}

/** What became of a document, as a delivery tells it: ids and states, never text of the document. */
export interface DocumentEvent {
  requestId: string;
  /** Absent where no job was made: an answer from the cache. */
  jobId?: string;
  function: string;
  status: 'completed' | 'failed';
  pageCount: number;
  /** Of a completed one. */
  meta?: Meta;
  /** Of a failed one. */
  error?: JobError;
}

export function eventTypeOf({ status }: Pick<DocumentEvent, 'status'>): EventType {
  return status === 'completed' ? 'document.processed' : 'document.failed';
}

/** The body of a delivery: `{ id, type, createdAt, data }`. Every attempt sends these very bytes. */
export function renderEvent(deliveryId: string, createdAtMs: number, event: DocumentEvent): string {
  const { requestId, jobId, function: id, status, pageCount, meta, error } = event;
  const data = { requestId, jobId, function: id, status, pageCount, meta, error };
  return JSON.stringify({
    id: deliveryId,
    type: eventTypeOf(event),
    createdAt: new Date(createdAtMs).toISOString(),
    data,
  });
}

/** As the job tells it too. A code that the contract does not have is a fault of ours. */
export function describeJobError(code: string, message: string): JobError & { code: ServiceErrorCode } {
  const known = isServiceErrorCode(code) ? code : 'INTERNAL';
  return { code: known, message, retryable: SERVICE_ERRORS[known].retryable };
}
