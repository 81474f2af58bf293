import { createPace, type Pace } from '../../api/http/pace.js';
import type { SharedProgress } from '../../api/jobs/wait-deadline.js';
import type { Clock } from '../../contract/clock.js';
import { EXIT, type ExitCode } from '../../contract/exit-codes.js';
import { OcrError } from '../../contract/ocr-error.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { SubmissionRecord } from '../../ledger/record.js';
import { createSemaphore, type Semaphore } from '../../submission-lifecycle/semaphore.js';

/** Documents without any answer that stop a batch. One alone may break its connections: a proxy refuses a large one, say. */
const MAX_UNANSWERED = 3;
const LOCAL_FAILURES = new Set(['STATE_UNWRITABLE', 'DATA_DIR_UNWRITABLE', 'LOCAL_UNAVAILABLE']);
/** The system's codes for a disk that takes nothing more. */
const FULL_DISK = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

export interface BatchOptions {
  clock: Clock;
  /** The end of the command, which stops the batch with its reason. */
  signal: AbortSignal;
  /** Documents sent and followed at once. */
  concurrency: number;
  /** Stops after the first failure. */
  failsFast: boolean;
}

/** How a document failed, as the batch sees it. */
export interface DocumentFailure {
  error: OcrError;
  /** An unsent document has the exit code of what stopped the batch. */
  exitCode: ExitCode;
  /** True when the batch stopped before the document was sent. */
  isUnsent: boolean;
}

/**
 * The state that the documents of one command share while they are under way: why the batch stops, which uploads are under
 * way, and which recorded documents are left unsent.
 */
export class BatchState {
  readonly slots: Semaphore;
  /** One pace for all uploads. A 429 that asks for too long a pause stops the batch. */
  readonly pace: Pace;
  /** The latest progress of any job. */
  readonly progress: SharedProgress = { latestMs: Number.NEGATIVE_INFINITY };
  /** True when a signal ended an upload, which may have arrived. */
  hasCutUpload = false;
  readonly #failsFast: boolean;
  readonly #stopped = new AbortController();
  /** Uploads to come or under way by SHA-256. */
  readonly #uploads = new Map<string, Promise<void>>();
  readonly #unsent = new Set<SubmissionRecord>();
  #stopReason: OcrError | undefined;
  #serverHasAnswered = false;
  #unansweredCount = 0;
  /** Settles when every document begun so far has been read, or could not be. */
  #reading: Promise<void> = Promise.resolve();

  constructor({ clock, signal, concurrency, failsFast }: BatchOptions) {
    this.#failsFast = failsFast;
    this.slots = createSemaphore(concurrency);
    this.pace = createPace({
      clock,
      signal: AbortSignal.any([signal, this.#stopped.signal]),
      onStop: (because) => this.stop(because),
    });
    signal.addEventListener('abort', () => this.stop(signal.reason as OcrError), { once: true });
  }

  get stopReason(): OcrError | undefined {
    return this.#stopReason;
  }

  /** Nothing more is sent. Later reasons are ignored. */
  stop(reason: OcrError): void {
    this.#stopReason ??= reason;
    this.#stopped.abort(notSent(this.#stopReason));
  }

  /** @throws OcrError NOT_SENT */
  throwIfStopped(): void {
    if (this.#stopReason !== undefined) throw notSent(this.#stopReason);
  }

  noteAnswer(): void {
    this.#serverHasAnswered = true;
  }

  /** Counts the failure of a document and stops the batch when a rule says so. */
  noteFailure(thrown: OcrError): DocumentFailure {
    const reason = this.#stopReason;
    // Several documents under way fail for the same reason: the first one says it.
    const error = reason !== undefined && isSameForAll(thrown, reason) ? notSent(reason) : thrown;
    if (error.code === 'NOT_SENT') return { error, exitCode: reason?.exitCode ?? error.exitCode, isUnsent: true };
    if (error.status !== undefined) this.noteAnswer();
    else if (error.exitCode === EXIT.unreachable) this.#unansweredCount++;
    if (this.#shouldStopBatch(error)) this.stop(error);
    return { error, exitCode: error.exitCode, isUnsent: false };
  }

  /** Counts a document that was read but is not good enough. */
  noteComplaint(complaint: OcrError): void {
    if (this.#failsFast) this.stop(complaint);
  }

  /** True when every further document would fail the same way, or when the user asked to stop at the first failure. */
  #shouldStopBatch(error: OcrError): boolean {
    if (this.#failsFast) return true;
    if (error.exitCode === EXIT.auth || isLocalFailure(error) || isPermanent(error)) return true;
    return !this.#serverHasAnswered && this.#unansweredCount >= MAX_UNANSWERED;
  }

  /** Resolves with what was read once every document begun before has been read too: documents are recorded in order. */
  async readInOrder<T>(reading: Promise<T>): Promise<T> {
    const earlier = this.#reading;
    this.#reading = Promise.allSettled([earlier, reading]).then(() => {});
    const read = await reading;
    await earlier;
    return read;
  }

  /**
   * Claims the upload of a document: equal documents of one command are sent one after another. `earlier` settles when
   * the equal document before it is sent; `release` lets the next one go on.
   */
  claimUpload(sha256: string): { earlier: Promise<void> | undefined; release(): void } {
    const earlier = this.#uploads.get(sha256);
    let end = () => {};
    const sent = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#uploads.set(sha256, sent);
    const release = () => {
      end();
      if (this.#uploads.get(sha256) === sent) this.#uploads.delete(sha256);
    };
    return { earlier, release };
  }

  /** The document is recorded, and nothing of it was sent yet. */
  markUnsent(record: SubmissionRecord): void {
    this.#unsent.add(record);
  }

  markSending(record: SubmissionRecord): void {
    this.#unsent.delete(record);
  }

  /** Removes the records of documents that will not be sent. Call it when no document is under way any more. */
  async withdrawUnsent(ledger: Pick<Ledger, 'withdraw'>): Promise<void> {
    for (const record of this.#unsent) await ledger.withdraw(record).catch(() => {});
  }
}

/** Returns the error of a document that is left unsent. Sending it again helps if that helps the one that stopped the batch. */
function notSent(because: OcrError): OcrError {
  const { message, retryable } = because;
  return new OcrError('NOT_SENT', `Not sent: ${message}`, { retryable, cause: because });
}

/** Local failures that would hit every document: an unwritable record, a service that cannot start, a full disk. */
function isLocalFailure({ code, cause }: OcrError): boolean {
  if (LOCAL_FAILURES.has(code)) return true;
  return code === 'OUTPUT_UNWRITABLE' && FULL_DISK.has((cause as NodeJS.ErrnoException | undefined)?.code ?? '');
}

/** True when nothing can be sent to the address: a name that no host has, a bad certificate, a redirect. */
function isPermanent({ code, status, retryable }: OcrError): boolean {
  if (code === 'UNREACHABLE') return !retryable;
  return code === 'BAD_RESPONSE' && status !== undefined && status >= 300 && status < 400;
}

/** True when a failure that would hit every document has already stopped the batch. */
function isSameForAll(error: OcrError, because: OcrError): boolean {
  const hitsAll = isLocalFailure(error) || isPermanent(error);
  return hitsAll && error.code === because.code && error.message === because.message;
}
