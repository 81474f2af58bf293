import { createHash } from 'node:crypto';
import { canonicalJson } from '../contract/canonical-json.js';
import { hasEnded } from '../system/process-tag.js';

/** The facts about a submission that are known before it is sent. */
export interface Submission {
  input: {
    /** The input's name on the command line. */
    name: string;
    sha256: string;
    sizeBytes: number;
    /** Names of equal documents that joined the submission. */
    otherNames?: string[];
  };
  function: string;
  /** With the values of secret arguments replaced by null. */
  args: Record<string, unknown>;
  /** Endpoint.serverId. */
  serverId: string;
  profile: string;
  /** See keyTagOf; absent for the service on this machine, whose key is not the user's. */
  keyTag?: string;
  /** Name of the command that sent it: `extract`. */
  command?: string;
}

/** One file of the ledger. Never holds document text, keys or secret arguments. Times are RFC 3339 UTC. */
export interface SubmissionRecord extends Submission {
  formatVersion: 1;
  /** `sub_…`, sorts by time. */
  id: string;
  /** Equal for submissions that ask for the same: file, function, arguments and server. */
  fingerprint: string;
  idempotencyKey: string;
  createdAt: string;
  updatedAt: string;
  /** `sending` until the service answered; then the job's last known status, or completed, failed or gone. */
  status: string;
  /** When the service last said so. */
  heardAt?: string;
  /** The process that began it, or joined it last; see processTag. */
  sender?: string;
  /** True when the whole document was sent and no answer came: it may be a job. */
  hasArrived?: true | undefined;
  jobId?: string;
  requestId?: string;
  statusUrl?: string;
  /** When it ended; of one that has. Not in its file. */
  finishedAt?: string;
  /** Status of the last answer to the upload: 200, 202, or that of the refusal. */
  httpStatus?: number;
  meta?: Record<string, unknown>;
  /** True when the result had nothing to write into files: a document without tables. */
  wroteNothing?: boolean;
  /** Also of an upload that may be sent again: the last answer's. */
  error?: { code: string; message: string; retryable?: boolean } | undefined;
}

/** Names that a record keeps; a directory may hold one document ten thousand times. */
const MAX_OTHER_NAMES = 1_000;

/** Adds the name of an equal document to a record, so that both are found by their names. */
export function addInputName(record: SubmissionRecord, name: string): SubmissionRecord {
  const { input } = record;
  const { otherNames = [] } = input;
  if (name === input.name || otherNames.includes(name) || otherNames.length >= MAX_OTHER_NAMES) return record;
  return { ...record, input: { ...input, otherNames: [...otherNames, name] } };
}

/** Returns every name that the document of a submission was given by. */
export function inputNamesOf({ input }: Pick<Submission, 'input'>): string[] {
  return [input.name, ...(input.otherNames ?? [])];
}

/** Hexadecimal digits of a digest: enough to tell the keys of one user apart, too few to find a key by. */
const KEY_TAG_LENGTH = 12;

/** Returns what tells an API key from others and does not give it away. */
export function keyTagOf(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex').slice(0, KEY_TAG_LENGTH);
}

export function isFinished(record: SubmissionRecord): boolean {
  return record.finishedAt !== undefined;
}

/** For good, or the last time that it was tried. */
export function hasFailed({ status, error }: { status: string | null; error?: unknown }): boolean {
  return (error ?? undefined) !== undefined || status === 'failed' || status === 'gone';
}

/** Returns the last known status; `interrupted` where the process that was sending it has ended. */
export function statusOf({ status, sender }: SubmissionRecord): string {
  return status === 'sending' && (sender === undefined || hasEnded(sender)) ? 'interrupted' : status;
}

/** Since when that is known, or how old it is. */
export function statusAtOf({ finishedAt, heardAt, updatedAt }: SubmissionRecord): string {
  return finishedAt ?? heardAt ?? updatedAt;
}

/**
 * Chooses the unfinished equal submission that a command of `profile` continues: the profile's own before others',
 * one that has its job before one that has none, and of those the newest. Another profile's key may be another
 * organisation's: its job may be joined, if the service knows it, but an upload of which nothing was heard is sent again
 * by that profile alone, or its record would get a job that the profile cannot ask for.
 */
export function chooseToJoin(records: readonly SubmissionRecord[], profile: string): SubmissionRecord | undefined {
  const isOwn = (record: SubmissionRecord) => Number(record.profile === profile);
  const hasJob = (record: SubmissionRecord) => Number(record.jobId !== undefined);
  return records
    .filter((record) => isOwn(record) || hasJob(record))
    .sort((a, b) => isOwn(b) - isOwn(a) || hasJob(b) - hasJob(a) || (a.id < b.id ? 1 : -1))[0];
}

/** Hex; also part of a file's name. */
export function fingerprintOf(submission: Submission): string {
  const { input, args, serverId } = submission;
  return createHash('sha256')
    .update(canonicalJson([serverId, submission.function, args, input.sha256]))
    .digest('hex')
    .slice(0, 32);
}

/** Undefined for what is cut, foreign, or of a later format. */
export function parseRecord(text: string): SubmissionRecord | undefined {
  let value: Partial<SubmissionRecord> | null;
  try {
    value = JSON.parse(text) as Partial<SubmissionRecord> | null;
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || value.formatVersion !== 1) return undefined;
  const texts = [value.id, value.fingerprint, value.idempotencyKey, value.serverId, value.function, value.status];
  const isWhole = texts.every((item) => typeof item === 'string') && typeof value.input?.sha256 === 'string';
  return isWhole ? (value as SubmissionRecord) : undefined;
}
