import { DatabaseUnavailableError } from '../../store/postgres/failure.js';
import { MAX_UNOWNED_REQUESTS, removeUnownedRequests } from '../../store/remove-expired.js';
import { type RequestEntry, writeRequest } from '../../store/requests.js';
import type { Store } from '../../store/store.js';
import type { Log } from '../log.js';
import { noteTrouble } from '../note-trouble.js';

const GATHER_MS = 10;
const RETRY_MS = 1_000;
/** Bound on waiting lines while the store cannot be written. The oldest are dropped first. */
const MAX_WAITING = 5_000;
/** Calls without an organisation between two checks of their number. */
const UNOWNED_BETWEEN_LOOKS = 10_000;

/** Stores a line of every call. No call waits for it. */
export interface RequestLog {
  /** Adds a line. Lines are gathered for 10 ms, so flush before reading. */
  add(entry: RequestEntry): void;
  /** Resolves when all added lines are on disk, or cannot be written now. */
  flush(): Promise<void>;
  /** Count of dropped lines since the start. */
  readonly lost: number;
}

/** @param onWritten called with the organisation of lines that were written */
export function createRequestLog(
  store: Store,
  log: Log,
  onWritten: (organisationId: string) => void = () => {},
): RequestLog {
  let waiting: RequestEntry[] = [];
  let timer: NodeJS.Timeout | undefined;
  let written: Promise<void> = Promise.resolve();
  let lost = 0;
  /** Lines of unfinished writes. While the store does not answer, no further write starts beyond the bound. */
  let writing = 0;
  let unowned = 0;
  let isFailing = false;

  function writeLater(delayMs: number): void {
    timer ??= setTimeout(() => void write(), delayMs).unref();
  }

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0 || writing >= MAX_WAITING) return written;
    const entries = waiting;
    waiting = [];
    writing += entries.length;
    const ended = store
      .write(function* () {
        for (const entry of entries) yield* writeRequest(entry);
      })
      .then(
        () => {
          writing -= entries.length;
          if (isFailing) log.info({ lost }, 'calls are logged again');
          isFailing = false;
          for (const id of new Set(entries.map(({ organisationId }) => organisationId)))
            if (id !== undefined) onWritten(id);
          if (waiting.length > 0) writeLater(GATHER_MS);
        },
        (error: unknown) => {
          writing -= entries.length;
          waiting = [...entries, ...waiting];
          giveUpOldest();
          isFailing = !(error instanceof DatabaseUnavailableError);
          noteTrouble(log, error, 'calls could not be logged; trying again', { waiting: waiting.length, lost });
          writeLater(RETRY_MS);
        },
      );
    written = Promise.all([written, ended]).then(() => {});
    return written;
  }

  function giveUpOldest(): void {
    const tooMany = waiting.length - MAX_WAITING;
    if (tooMany <= 0) return;
    waiting = waiting.slice(tooMany);
    lost += tooMany;
  }

  /** Any number of calls can be made without a key. */
  function noteUnowned(): void {
    if (++unowned % UNOWNED_BETWEEN_LOOKS !== 0) return;
    removeUnownedRequests(store, MAX_UNOWNED_REQUESTS).catch((error: unknown) =>
      log.error({ reason: String(error) }, 'old calls of nobody could not be removed'),
    );
  }

  return {
    add: (entry) => {
      waiting.push(entry);
      giveUpOldest();
      if (entry.organisationId === undefined && entry.keyId === undefined) noteUnowned();
      writeLater(GATHER_MS);
    },
    flush: write,
    get lost() {
      return lost;
    },
  };
}
