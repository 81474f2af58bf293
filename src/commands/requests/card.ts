import { extractCommand, quote, type ServiceFlags, serviceFlags } from '../../contract/command-words.js';
import { type SubmissionRecord, statusAtOf, statusOf } from '../../ledger/record.js';
import { findInstallCommand, findRemedy } from '../../submission-lifecycle/add-hint.js';

/** The facts of a request that support needs; null if unknown. Never document text. Times are RFC 3339 UTC. */
export interface Card {
  requestId: string | null;
  /** Origin of the facts: this machine's ledger, or the log of the service. */
  source: 'ledger' | 'service';
  /** Only from a service that was asked with a support key, which alone is told whose request it is. */
  organisation?: { id: string | null; name: string | null };
  createdAt: string | null;
  finishedAt: string | null;
  command: string | null;
  input: {
    name: string | null;
    sizeBytes: number | null;
    sha256: string | null;
    /** Names of equal documents that shared the request; absent where there are none. */
    otherNames?: string[];
  };
  function: string | null;
  args: Record<string, unknown> | null;
  profile: string | null;
  server: string | null;
  httpStatus: number | null;
  provider: string | null;
  pageCount: number | null;
  cached: boolean | null;
  /** The service's processing time. */
  durationMs: number | null;
  /** Time from submission to its end, as this machine saw it. */
  elapsedMs: number | null;
  jobId: string | null;
  /** Status of the job, or of a request without a job; `interrupted` for an interrupted upload. */
  status: string | null;
  /** Time when the service last reported the status; null if it reports it now. */
  statusAt: string | null;
  error: { code: string | null; message: string | null; retryable: boolean | null } | null;
  /** The next command to type. */
  next: string | null;
}

type Json = Record<string, unknown>;

/** @param flags flags that the next command needs to reach the same service */
export function cardOfRecord(record: SubmissionRecord, flags: ServiceFlags): Card {
  const { input, meta = {}, error, createdAt, finishedAt } = record;
  const card: Card = {
    requestId: record.requestId ?? null,
    source: 'ledger',
    createdAt,
    finishedAt: finishedAt ?? null,
    command: record.command === undefined ? null : `ocr ${record.command}`,
    input,
    function: record.function,
    args: record.args,
    profile: record.profile,
    server: record.serverId,
    httpStatus: record.httpStatus ?? null,
    ...readMeta(meta),
    elapsedMs: finishedAt === undefined ? null : Date.parse(finishedAt) - Date.parse(createdAt),
    jobId: record.jobId ?? null,
    status: statusOf(record),
    statusAt: statusAtOf(record),
    error: error === undefined ? null : { ...error, retryable: error.retryable ?? null },
    next: null,
  };
  return { ...card, next: nextCommand(card, flags) };
}

/** Reads an entry of the service's own log: fields by the contract's names, wherever a server puts them. */
export function cardOfEntry(requestId: string, body: Json, server: string, flags: ServiceFlags): Card {
  const entry = { ...objectOf(body.data), ...objectOf(body.request), ...body };
  const input = objectOf(entry.input);
  const problem = objectOf(entry.error);
  const code = text(problem.code) ?? text(entry.errorCode);
  const card: Card = {
    requestId: text(entry.requestId) ?? requestId,
    source: 'service',
    ...readOrganisation(entry),
    createdAt: time(entry.createdAt),
    finishedAt: time(entry.finishedAt),
    command: null,
    input: {
      name: text(input.name) ?? text(entry.fileName),
      sizeBytes: number(input.sizeBytes) ?? number(entry.sizeBytes),
      sha256: text(input.sha256) ?? text(entry.sha256),
    },
    function: text(entry.function),
    args: typeof entry.args === 'object' && entry.args !== null ? objectOf(entry.args) : null,
    profile: null,
    server,
    httpStatus: number(entry.httpStatus) ?? number(entry.status),
    ...readMeta({ ...entry, ...objectOf(entry.meta) }),
    elapsedMs: number(entry.elapsedMs),
    jobId: text(entry.jobId),
    status: text(entry.jobDeletedAt) === null ? (text(entry.jobStatus) ?? text(entry.status)) : 'gone',
    statusAt: null,
    error: code === null ? null : { code, message: text(problem.message), retryable: flag(problem.retryable) },
    next: null,
  };
  return { ...card, next: nextCommand(card, flags) };
}

function readOrganisation(entry: Json): Pick<Card, 'organisation'> {
  const { id, name } = objectOf(entry.organisation);
  return 'organisation' in entry ? { organisation: { id: text(id), name: text(name) } } : {};
}

function nextCommand({ organisation, ...card }: Card, flags: ServiceFlags): string | null {
  return organisation === undefined ? nextForOwner(card, flags) : nextForSupport(card, flags);
}

/** A support key can look, and do nothing else. */
function nextForSupport({ jobId, status }: Card, flags: ServiceFlags): string | null {
  const isOver = jobId === null || status === 'completed' || status === 'failed';
  return isOver ? null : `ocr jobs get ${jobId}${serviceFlags(flags)}`;
}

function readMeta(meta: Json): Pick<Card, 'provider' | 'pageCount' | 'cached' | 'durationMs'> {
  return {
    provider: text(meta.provider),
    pageCount: number(meta.pageCount),
    cached: flag(meta.cached),
    durationMs: number(meta.durationMs),
  };
}

/** Makes a card that strangers may see: without names of files, profiles and hosts. */
export function redactCard(card: Card): Card {
  const { organisation, input, server, profile, error } = card;
  const names = new Set([
    organisation?.name ?? null,
    input.name,
    ...[input.name ?? '', ...(input.otherNames ?? [])].flatMap((name) => [name, ...name.split(/[\\/]/)]),
    server,
    hostOf(server),
    profile,
  ]);
  const clean = (words: string) => {
    let kept = words.replace(/\bhttps?:\/\/[^\s,;)]+/g, REDACTED);
    for (const name of names) if (name !== null && name.length > 2) kept = kept.replaceAll(name, REDACTED);
    return kept;
  };
  const redacted: Card = {
    ...card,
    input: { name: null, sizeBytes: input.sizeBytes, sha256: input.sha256 },
    args: card.args === null ? null : (JSON.parse(clean(JSON.stringify(card.args))) as Json),
    profile: null,
    server: null,
    error: error === null ? null : { ...error, message: error.message === null ? null : clean(error.message) },
  };
  const { organisation: _, ...shown } = { ...redacted, next: nextCommand(redacted, {}) };
  return shown;
}

/** Errors of the document itself: other arguments do not help. */
const DOCUMENT_ERRORS = new Set(['INVALID_DOCUMENT', 'PAGE_LIMIT_EXCEEDED', 'PAYLOAD_TOO_LARGE']);
const REDACTED = '[redacted]';

function hostOf(server: string | null): string | null {
  return server !== null && URL.canParse(server) ? new URL(server).hostname : null;
}

function nextForOwner({ status, jobId, error, input, httpStatus, ...card }: Card, flags: ServiceFlags): string | null {
  const sent = { input: input.name, function: card.function, args: card.args, flags };
  if (status === 'completed' && jobId !== null) return `ocr jobs result ${jobId}`;
  // The answer came at once and could not be printed: the same command fetches it again.
  if (status === 'completed') return card.source === 'ledger' && card.finishedAt === null ? extractCommand(sent) : null;
  const remedy =
    error === null ? undefined : (findInstallCommand(error.message) ?? findRemedy(error.code, error.message, sent));
  if (remedy !== undefined) return remedy;
  if (error !== null && (httpStatus ?? 0) >= 400) {
    if (httpStatus === 401 || httpStatus === 402 || httpStatus === 403) return `ocr auth status${serviceFlags(flags)}`;
    if (error.retryable || mayBeSentAgain(status)) return extractCommand(sent);
    // Neither a fault of the service nor one of the document itself has a next command.
    if (card.function === null || (httpStatus ?? 0) >= 500 || DOCUMENT_ERRORS.has(error.code ?? '')) return null;
    return `ocr functions ${httpStatus === 404 ? 'list' : `get ${quote(card.function)}`}${serviceFlags(flags)}`;
  }
  if (status === 'failed' || status === 'gone') {
    return error?.retryable || status === 'gone' ? extractCommand(sent) : null;
  }
  if (jobId !== null) return `ocr jobs wait ${jobId}`;
  return mayBeSentAgain(status) ? extractCommand(sent) : null;
}

/** True when the upload was interrupted: it is sent again under its first Idempotency-Key. */
function mayBeSentAgain(status: string | null): boolean {
  return status === 'sending' || status === 'interrupted';
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function flag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** Formats a time, also one in Unix milliseconds, as RFC 3339 UTC. */
function time(value: unknown): string | null {
  const date = new Date(typeof value === 'number' || typeof value === 'string' ? value : Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
