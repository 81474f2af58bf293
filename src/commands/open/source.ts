import type { SubmissionRecord } from '../../ledger/record.js';

/** A result and the document that it is from. */
export interface Source {
  /** Name of the input; the id of a job whose input nobody knows. */
  name: string;
  functionId: string;
  result: unknown;
  requestId?: string;
  jobId?: string;
  /** SHA-256 of the document, or the job's id: tells pages with the same name apart. */
  key: string;
  /** Path of the document where it is on this machine, unchanged. */
  path: string | undefined;
  /** The reason why it is not. */
  absence?: string;
  /** Opens the document, where it needs one. */
  password?: string;
  notes: string[];
  /** Marks the submission as finished in the ledger. Called after the page is written. */
  settle(): Promise<void>;
  /** Removes a temporary copy of the document. */
  dispose(): Promise<void>;
}

/** Reads the ids and the function of an answer. */
export function referencesOf(
  body: Record<string, unknown>,
  record: Pick<SubmissionRecord, 'requestId' | 'jobId'> | undefined,
): { requestId?: string; jobId?: string } {
  const requestId = typeof body.requestId === 'string' ? body.requestId : record?.requestId;
  const jobId = typeof body.jobId === 'string' ? body.jobId : record?.jobId;
  return { ...(requestId === undefined ? {} : { requestId }), ...(jobId === undefined ? {} : { jobId }) };
}
