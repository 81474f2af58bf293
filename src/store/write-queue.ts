import type { Database } from './database.js';
import { retryWhileBusy } from './retry-busy.js';

const BUSY_TIMEOUT_MS = 30_000;
const MAX_BATCH = 500;

export interface WriteQueue {
  /**
   * Runs `work` in a transaction and resolves once it is on disk. `work` must not await. Calls of the same moment share one
   * commit, and commits during a sync share the next sync. A `work` that throws undoes only its own changes.
   */
  write<T>(work: (db: Database) => T, options?: WriteOptions): Promise<T>;
  /** Resolves when all writes so far are on disk. */
  drain(): Promise<void>;
}

interface WriteOptions {
  /**
   * False for data that a power cut may lose, though never the end of the process: leases and progress of jobs. Such a write
   * does not wait for the disk.
   */
  isSynced?: boolean;
}

interface Entry {
  isSynced: boolean;
  work(db: Database): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A committed entry; `settle` resolves or rejects its promise. */
interface Committed {
  entry: Entry;
  settle(): void;
}

/**
 * The only writer of the store in this process: SQLite has one writer at a time, so writes queue up here instead of competing.
 * A commit goes to the journal without waiting for the disk (`synchronous=NORMAL`, sqlite.org/wal.html section 3.2), which
 * would block the event loop. `syncJournal` then brings the journal to the disk from another thread, before any write resolves.
 */
export function createWriteQueue(db: Database, syncJournal: () => Promise<void>): WriteQueue {
  const waiting: Entry[] = [];
  let unsynced: Committed[] = [];
  let committing: Promise<void> | undefined;
  let syncing: Promise<void> | undefined;
  db.exec('PRAGMA synchronous = NORMAL');

  async function commitAll(): Promise<void> {
    while (waiting.length > 0) {
      // One turn of the event loop gathers more writes for the same commit.
      await new Promise((resolve) => setImmediate(resolve));
      for (const committed of await commit(waiting.splice(0, MAX_BATCH))) {
        if (committed.entry.isSynced) unsynced.push(committed);
        else committed.settle();
      }
      if (unsynced.length > 0) syncing ??= syncAll();
    }
    committing = undefined;
  }

  async function commit(batch: Entry[]): Promise<Committed[]> {
    try {
      await retryWhileBusy(() => db.run('BEGIN IMMEDIATE'), BUSY_TIMEOUT_MS);
    } catch (error) {
      for (const entry of batch) entry.reject(error);
      return [];
    }
    const committed: Committed[] = [];
    try {
      for (const entry of batch) committed.push({ entry, settle: runInSavepoint(db, entry) });
      db.run('COMMIT');
      return committed;
    } catch (error) {
      rollBack(db);
      for (const entry of batch) entry.reject(error);
      return [];
    }
  }

  async function syncAll(): Promise<void> {
    while (unsynced.length > 0) {
      const group = unsynced;
      unsynced = [];
      try {
        await syncJournal();
        for (const { settle } of group) settle();
      } catch (error) {
        for (const { entry } of group) entry.reject(error);
      }
    }
    syncing = undefined;
  }

  return {
    write: <T>(work: (db: Database) => T, { isSynced = true }: WriteOptions = {}) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, isSynced, resolve: resolve as (value: unknown) => void, reject });
        committing ??= commitAll();
      }),
    drain: async () => {
      while (committing !== undefined || syncing !== undefined) await (committing ?? syncing);
    },
  };
}

/** Returns the function that settles the entry's promise. */
function runInSavepoint(db: Database, entry: Entry): () => void {
  db.run('SAVEPOINT entry');
  try {
    const value = entry.work(db);
    db.run('RELEASE entry');
    return () => entry.resolve(value);
  } catch (error) {
    try {
      db.exec('ROLLBACK TO entry');
      db.exec('RELEASE entry');
    } catch {
      // SQLite has ended the whole transaction (a full disk), so the whole batch fails with this error.
      throw error;
    }
    return () => entry.reject(error);
  }
}

function rollBack(db: Database): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // SQLite has already rolled back.
  }
}
