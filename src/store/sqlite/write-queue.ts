import type { WriteOptions } from '../store.js';
import { type Database, isDeviceFailure } from './database.js';
import { retryWhileBusy } from './retry-busy.js';
import { type FailedStep, StoreFailedError } from './store-failure.js';

const BUSY_TIMEOUT_MS = 30_000;
const MAX_BATCH = 500;
/** Pages in the journal from which they are moved into the database; SQLite's own default. */
const CHECKPOINT_PAGES = 1_000;
/**
 * Writes after which the pages in the journal are counted, and the longest time until then: a count takes as long as a statement,
 * and most writes take 10 to 20 pages.
 */
const WRITES_PER_COUNT = 16;
const COUNT_DELAY_MS = 1_000;
/**
 * Time until the journal is emptied after a removal. Removals of this time share one emptying, which syncs the database on this
 * thread (some milliseconds).
 */
export const ERASURE_DELAY_MS = 5_000;
/** Attempts of a closing queue to empty the journal while another process reads or writes the store, and the pauses between. */
const CLOSING_ERASURES = 40;
const CLOSING_PAUSE_MS = 50;

export interface WriteQueue {
  /**
   * Runs `work` in a transaction and resolves once it is on disk. `work` must not await. Calls of the same moment share one
   * commit, and commits during a sync share the next sync. A `work` that throws undoes only its own changes.
   */
  write<T>(work: () => T, options?: WriteOptions): Promise<T>;
  /** Resolves when everything that reads see now is on disk, except writes that were not to be synced. */
  synced(): Promise<void>;
  /** Resolves when all writes so far are on disk, or have failed. */
  drain(): Promise<void>;
  /** Drains, and empties the journal if it holds what was removed and no other process keeps it in use for long. */
  finish(): Promise<void>;
  /** The error after which nothing can be written any more. */
  readonly failure: StoreFailedError | undefined;
}

export interface WriteQueueOptions {
  /** Path of the database; its journal is beside it. */
  path: string;
  /** Brings the journal to the disk. */
  syncJournal(): Promise<void>;
  /** Called once, with `failure`. */
  onFailure?(failure: StoreFailedError): void;
  /** True when the journal may hold what an earlier process removed. */
  mayHoldRemoved?: boolean;
}

interface Entry {
  isSynced: boolean;
  isErasure: boolean;
  work(): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A promise that waits for the disk. `settle` resolves it, or rejects it for a write that was undone by its own error. */
interface Waiting {
  settle(): void;
  reject(error: unknown): void;
}

interface Committed extends Waiting {
  isSynced: boolean;
}

/**
 * The only writer of the store in this process: SQLite has one writer at a time, so writes queue up here instead of competing.
 * A commit goes to the journal without waiting for the disk (`synchronous=NORMAL`, sqlite.org/wal.html section 3.2), which
 * would block the event loop. `syncJournal` then brings the journal to the disk from another thread, before any write resolves.
 *
 * After an error of the disk the queue refuses everything. A failed sync leaves its pages marked as written, so that the next
 * sync succeeds without them; only a new process, which reads the journal again, can tell what is on disk.
 */
export function createWriteQueue(
  db: Database,
  { path, syncJournal, onFailure, mayHoldRemoved = false }: WriteQueueOptions,
): WriteQueue {
  const waiting: Entry[] = [];
  /** Those that wait for the next sync, and those of the one that runs. */
  let unsynced: Waiting[] = [];
  let group: Waiting[] = [];
  let committing: Promise<void> | undefined;
  let syncing: Promise<void> | undefined;
  let failure: StoreFailedError | undefined;
  /** Writes since the pages of the journal were counted; the timer runs while there are some. */
  let uncounted = 0;
  let count: NodeJS.Timeout | undefined;
  /** Runs while the journal holds what was removed. */
  let erasure: NodeJS.Timeout | undefined;
  db.exec('PRAGMA synchronous = NORMAL');
  // SQLite's own checkpoints ignore their errors, a failed sync of the journal included.
  db.exec('PRAGMA wal_autocheckpoint = 0');
  if (mayHoldRemoved) planErasure();

  function fail(step: FailedStep, cause: unknown): StoreFailedError {
    if (failure === undefined) {
      failure = new StoreFailedError(step, step === 'checkpoint' ? path : `${path}-wal`, cause);
      onFailure?.(failure);
    }
    return failure;
  }

  async function commitAll(): Promise<void> {
    while (waiting.length > 0) {
      // One turn of the event loop gathers more writes for the same commit.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = waiting.splice(0, MAX_BATCH);
      await commit(batch);
      if (unsynced.length > 0) syncing ??= syncAll();
      uncounted += batch.length;
      if (uncounted >= WRITES_PER_COUNT) checkpointIfDue();
      else count ??= setTimeout(checkpointIfDue, COUNT_DELAY_MS).unref();
    }
    committing = undefined;
  }

  async function commit(batch: Entry[]): Promise<void> {
    try {
      if (failure === undefined) await retryWhileBusy(() => db.run('BEGIN IMMEDIATE'), BUSY_TIMEOUT_MS);
      // A sync may have failed meanwhile.
      if (failure !== undefined) throw failure;
    } catch (error) {
      for (const entry of batch) entry.reject(error);
      return;
    }
    try {
      const committed = batch.map((entry) => runInSavepoint(db, entry));
      commitTransaction();
      if (batch.some(({ isErasure }) => isErasure)) planErasure();
      // This happens in the same turn as the commit: no read comes between that `synced` would not wait for.
      for (const one of committed)
        if (one.isSynced) unsynced.push(one);
        else one.settle();
    } catch (error) {
      rollBack(db);
      for (const entry of batch) entry.reject(error);
    }
  }

  function commitTransaction(): void {
    try {
      db.run('COMMIT');
    } catch (error) {
      // The next process may find the transaction in the journal.
      throw isDeviceFailure(error) ? fail('commit', error) : error;
    }
  }

  async function syncAll(): Promise<void> {
    while (unsynced.length > 0) {
      group = unsynced;
      unsynced = [];
      try {
        // After a failure a sync would succeed, and mean nothing.
        if (failure !== undefined) throw failure;
        await syncJournal();
        for (const { settle } of group) settle();
      } catch (error) {
        const reason = fail('sync', error);
        for (const { reject } of group) reject(reason);
      }
      group = [];
    }
    syncing = undefined;
  }

  function checkpointIfDue(): void {
    clearTimeout(count);
    count = undefined;
    uncounted = 0;
    if (failure !== undefined) return;
    try {
      const state = db.get<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
      if (state === undefined || state.log - state.checkpointed < CHECKPOINT_PAGES) return;
      // `all` would lose the code of an error.
      db.get('PRAGMA wal_checkpoint(PASSIVE)');
    } catch (error) {
      // Without room in the database, and while another process is at it, the journal keeps everything.
      if (isDeviceFailure(error)) fail('checkpoint', error);
    }
  }

  function planErasure(): void {
    erasure ??= setTimeout(() => {
      erasure = undefined;
      if (!emptyJournal()) planErasure();
    }, ERASURE_DELAY_MS).unref();
  }

  /** Moves the journal into the database and cuts the file to nothing; false when that has to be tried again. */
  function emptyJournal(): boolean {
    if (failure !== undefined) return true;
    try {
      return db.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 0;
    } catch (error) {
      if (isDeviceFailure(error)) fail('checkpoint', error);
      return false;
    }
  }

  async function drain(): Promise<void> {
    while (committing !== undefined || syncing !== undefined) await (committing ?? syncing);
  }

  return {
    write: <T>(work: () => T, { isSynced = true, isErasure = false }: WriteOptions = {}) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, isSynced, isErasure, resolve: resolve as (value: unknown) => void, reject });
        committing ??= commitAll();
      }),
    synced: async () => {
      if (failure !== undefined) throw failure;
      const sharers = unsynced.length > 0 ? unsynced : group;
      if (sharers.length > 0) await new Promise<void>((settle, reject) => sharers.push({ settle, reject }));
    },
    drain,
    finish: async () => {
      await drain();
      clearTimeout(count);
      if (erasure === undefined) return;
      clearTimeout(erasure);
      erasure = undefined;
      for (let i = 0; i < CLOSING_ERASURES && !emptyJournal(); i++)
        await new Promise((resolve) => setTimeout(resolve, CLOSING_PAUSE_MS));
    },
    get failure() {
      return failure;
    },
  };
}

function runInSavepoint(db: Database, entry: Entry): Committed {
  const { isSynced, reject } = entry;
  db.run('SAVEPOINT entry');
  try {
    const value = entry.work();
    db.run('RELEASE entry');
    return { isSynced, settle: () => entry.resolve(value), reject };
  } catch (error) {
    try {
      db.exec('ROLLBACK TO entry');
      db.exec('RELEASE entry');
    } catch {
      // SQLite has ended the whole transaction (a full disk), so the whole batch fails with this error.
      throw error;
    }
    return { isSynced, settle: () => reject(error), reject };
  }
}

function rollBack(db: Database): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // SQLite has already rolled back.
  }
}
