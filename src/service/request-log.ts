import { type RequestEntry, writeRequest } from '../store/requests.js';
import type { Store } from '../store/store.js';
import type { Log } from './log.js';

const GATHER_MS = 10;
const RETRY_MS = 1_000;
/** Lines that wait while the store cannot be written; older ones are given up first. */
const MAX_WAITING = 5_000;

/** Keeps a line of every call without any call waiting for it. */
export interface RequestLog {
  /** Gathered for 10 ms: who is about to read lines flushes before. */
  add(entry: RequestEntry): void;
  /** Resolves when all that was added is on disk, or cannot be written now. */
  flush(): Promise<void>;
  /** Lines that were given up since the start. */
  readonly lost: number;
}

export function createRequestLog(store: Store, log: Log): RequestLog {
  let waiting: RequestEntry[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let lost = 0;

  function writeLater(delayMs: number): void {
    timer ??= setTimeout(() => void write(), delayMs).unref();
  }

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const entries = waiting;
    waiting = [];
    if (entries.length === 0) return writing;
    const written = store
      .write((db) => {
        for (const entry of entries) writeRequest(db, entry);
      })
      .catch((error: unknown) => keep(entries, error));
    writing = Promise.all([writing, written]).then(() => {});
    return writing;
  }

  function keep(entries: RequestEntry[], error: unknown): void {
    const all = [...entries, ...waiting];
    waiting = all.slice(-MAX_WAITING);
    lost += all.length - waiting.length;
    log.error({ waiting: waiting.length, lost, reason: String(error) }, 'calls could not be logged; trying again');
    writeLater(RETRY_MS);
  }

  return {
    add: (entry) => {
      waiting.push(entry);
      writeLater(GATHER_MS);
    },
    flush: write,
    get lost() {
      return lost;
    },
  };
}
