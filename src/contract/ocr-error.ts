import { EXIT, type ExitCode } from './exit-codes.js';

/**
 * Error codes of the client, each with its exit code; the service's own are in error-codes.ts. `retryable`: the same
 * command, run again, continues.
 */
export const CLIENT_ERRORS = {
  USAGE: { exitCode: EXIT.usage, meaning: 'A bad flag, argument or setting' },
  FILE_NOT_FOUND: { exitCode: EXIT.notFound, meaning: 'No such file' },
  FILE_UNREADABLE: { exitCode: EXIT.usage, meaning: 'The file cannot be read, or is not a regular file' },
  FILE_EMPTY: { exitCode: EXIT.usage, meaning: 'The file has no bytes' },
  FILE_CHANGED: { exitCode: EXIT.usage, meaning: 'The file changed while it was being sent' },
  NOTHING_TO_SEND: { exitCode: EXIT.usage, meaning: 'No input, or none of a type that the function accepts' },
  LOW_CONFIDENCE: { exitCode: EXIT.failed, meaning: 'The document was read with less confidence than asked for' },
  OUTPUT_UNWRITABLE: { exitCode: EXIT.failed, meaning: 'The output cannot be written' },
  STATE_UNWRITABLE: { exitCode: EXIT.usage, meaning: 'The record of submissions cannot be written; nothing was sent' },
  CONFIG_INVALID: { exitCode: EXIT.usage, meaning: 'The settings cannot be read' },
  CONFIG_UNWRITABLE: { exitCode: EXIT.usage, meaning: 'The settings cannot be written' },
  SIGNATURE_INVALID: { exitCode: EXIT.failed, meaning: 'The signature of a webhook delivery does not match' },
  DATA_DIR_UNWRITABLE: { exitCode: EXIT.usage, meaning: 'The data directory of the service cannot be written' },
  DATA_DIR_LOCKED: { exitCode: EXIT.failed, meaning: 'Another service holds the data directory' },
  DATA_DIR_INCOMPATIBLE: {
    exitCode: EXIT.usage,
    meaning: 'The data directory was written by a newer version, or is damaged',
  },
  DATABASE_UNUSABLE: {
    exitCode: EXIT.failed,
    meaning: 'The database of the service does not answer, or its tables are not those of this version',
  },
  WEBHOOK_REFUSED: {
    exitCode: EXIT.usage,
    meaning: 'A webhook endpoint that must not be: its address, the plan, or ten there already',
  },
  PORT_TAKEN: { exitCode: EXIT.usage, meaning: 'The address to listen on is taken or not allowed' },
  LOCAL_UNAVAILABLE: { exitCode: EXIT.usage, meaning: 'The service on this machine cannot be started' },
  INSTALL_FAILED: { exitCode: EXIT.failed, meaning: 'Language data could not be installed' },
  NO_API_KEY: { exitCode: EXIT.auth, meaning: 'No API key is configured for this service' },
  JOB_NOT_FOUND: { exitCode: EXIT.notFound, meaning: 'No such job' },
  JOB_FINISHED: { exitCode: EXIT.failed, meaning: 'The job has ended: there is nothing to cancel' },
  JOB_PENDING: { exitCode: EXIT.pending, retryable: true, meaning: 'The wait ended; the job goes on' },
  UNREACHABLE: { exitCode: EXIT.unreachable, meaning: 'The service cannot be reached' },
  TIMEOUT: { exitCode: EXIT.unreachable, meaning: 'A request made no progress within its time-out' },
  BAD_RESPONSE: { exitCode: EXIT.unreachable, meaning: 'An answer outside the contract' },
  NOT_SENT: { exitCode: EXIT.failed, meaning: 'The input was left unsent' },
  INTERRUPTED: { exitCode: EXIT.interrupted, retryable: true, meaning: 'Interrupted' },
  TERMINATED: { exitCode: EXIT.terminated, retryable: true, meaning: 'Terminated' },
  READER_GONE: { exitCode: EXIT.ok, retryable: true, meaning: 'Nobody reads the results any more' },
  OUT_OF_RESOURCES: {
    exitCode: EXIT.failed,
    meaning: 'This machine gives the command too little memory, or lets it open too few files',
  },
  AMBIGUOUS_ID: { exitCode: EXIT.usage, meaning: 'The shortened id is the beginning of several' },
  UNSUPPORTED: { exitCode: EXIT.usage, meaning: 'The service does not offer this' },
  BUG: { exitCode: EXIT.failed, meaning: 'A fault of this tool' },
} as const satisfies Record<string, { exitCode: ExitCode; retryable?: true; meaning: string }>;

type ClientErrorCode = keyof typeof CLIENT_ERRORS;

export interface OcrErrorOptions {
  /** The next command to type. */
  hint?: string | undefined;
  requestId?: string | undefined;
  retryable?: boolean;
  /** HTTP status of the answer that caused the error; it decides the exit code of an unknown code. */
  status?: number | undefined;
  /** Replaces the code's own exit code: an output may turn out unwritable before anything is sent, or after. */
  exitCode?: ExitCode;
  /** Seconds that the service asks to wait before the next attempt, counted from its answer. */
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/**
 * The one error that commands throw: what failed, on what. main.ts alone turns it into text and an exit code. `code` is
 * one of CLIENT_ERRORS or whatever the service sent.
 */
export class OcrError extends Error {
  override readonly name = 'OcrError';
  readonly code: string;
  readonly hint: string | undefined;
  readonly requestId: string | undefined;
  readonly retryable: boolean;
  readonly status: number | undefined;
  readonly exitCode: ExitCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, message: string, options: OcrErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.requestId = options.requestId;
    this.retryable = options.retryable ?? (isClientCode(code) && 'retryable' in CLIENT_ERRORS[code]);
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.exitCode = options.exitCode ?? exitCodeOf(code, options.status, this.retryable);
  }

  /** Returns a copy of the error with some of its fields replaced. */
  with({ message = this.message, ...more }: { message?: string; hint?: string; requestId?: string | undefined }) {
    const { code, hint, requestId, retryable, status, exitCode, retryAfterSeconds, cause } = this;
    const known = { hint, requestId, retryable, status, exitCode, retryAfterSeconds, cause };
    return new OcrError(code, message, { ...known, ...more });
  }
}

/** True when a command ends because nobody reads what it prints: it is silent, and its jobs go on. */
export function hasReaderGone({ reason }: AbortSignal): boolean {
  return reason instanceof OcrError && reason.code === 'READER_GONE';
}

/** Explains an error that a lack of file descriptors or memory caused; undefined for any other error. */
export function explainResourceLack(error: unknown): OcrError | undefined {
  const { code, message = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'EMFILE' || code === 'ENFILE') {
    const hint = 'Allow more (ulimit -n), or end programs that hold many files open.';
    return new OcrError('OUT_OF_RESOURCES', `Too many files are open: ${message}`, { hint, cause: error });
  }
  // JavaScript has no error code for a lack of memory, and each engine has its own message.
  if (code === 'ENOMEM' || (error instanceof RangeError && /out of memory|allocation failed/i.test(message))) {
    const hint = 'Free some memory, or allow more (ulimit -v).';
    return new OcrError('OUT_OF_RESOURCES', `Not enough memory: ${message}`, { hint, cause: error });
  }
  return undefined;
}

/**
 * True when the service no longer has the job or request (the contract does not say how it answers; ours answers 404, or
 * 410 once it expired). A page from a proxy in front of the service proves nothing.
 */
export function isGone({ code, status }: OcrError): boolean {
  return (status === 404 || status === 410) && code !== 'BAD_RESPONSE';
}

function isClientCode(code: string): code is ClientErrorCode {
  return Object.hasOwn(CLIENT_ERRORS, code);
}

function exitCodeOf(code: string, status: number | undefined, retryable: boolean): ExitCode {
  if (isClientCode(code)) return CLIENT_ERRORS[code].exitCode;
  if (status === undefined) return EXIT.failed;
  if (status === 401 || status === 402 || status === 403) return EXIT.auth;
  if (status === 404 || status === 410) return EXIT.notFound;
  if (status === 408) return EXIT.unreachable;
  if (status === 429) return EXIT.limited;
  if (status === 500 && code === 'INTERNAL' && !retryable) return EXIT.failed;
  if (status >= 500) return EXIT.unreachable;
  return EXIT.failed;
}
