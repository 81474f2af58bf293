import type { Database } from './database.js';
import { retryWhileBusy } from './retry-busy.js';

const BUSY_TIMEOUT_MS = 30_000;
const MAX_BATCH = 500;

export interface WriteQueue {
  /**
   * Runs `work` in a transaction and resolves once it is on disk. `work` must not await. What was asked for in the same
   * moment shares one commit, and what was committed while the disk was busy shares its next sync; a `work` that throws
   * undoes its own changes and nobody else's.
   */
  write<T>(work: (db: Database) => T, options?: WriteOptions): Promise<T>;
  /** Resolves when everything asked for is on disk. */
  drain(): Promise<void>;
}

export interface WriteOptions {
  /**
   * False for what may be lost with the power, though never with the process: who has a job at the moment, and how far it is.
   * It waits for no disk.
   */
  isSynced?: boolean;
}

interface Entry {
  isSynced: boolean;
  work(db: Database): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** An entry whose work is committed: what it came to is told when it may be. */
interface Committed {
  entry: Entry;
  tell(): void;
}

/**
 * The one place that writes: SQLite has one writer at a time, so a process queues its own writes instead of fighting itself.
 * A commit goes to the journal without waiting for the disk (`synchronous=NORMAL`, sqlite.org/wal.html section 3.2), which
 * would block the event loop; `syncJournal` then brings the journal to the disk from another thread, before anybody is told.
 */
export function createWriteQueue(db: Database, syncJournal: () => Promise<void>): WriteQueue {
  const waiting: Entry[] = [];
  let unsynced: Committed[] = [];
  let committing: Promise<void> | undefined;
  let syncing: Promise<void> | undefined;
  db.exec('PRAGMA synchronous = NORMAL');

  async function commitAll(): Promise<void> {
    while (waiting.length > 0) {
      // One turn of the event loop gathers what else is about to be written.
      await new Promise((resolve) => setImmediate(resolve));
      for (const committed of await commit(waiting.splice(0, MAX_BATCH))) {
        if (committed.entry.isSynced) unsynced.push(committed);
        else committed.tell();
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
      for (const entry of batch) committed.push({ entry, tell: runInSavepoint(db, entry) });
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
        for (const { tell } of group) tell();
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
      // SQLite has ended the whole transaction (a full disk): the batch is given up for that reason.
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
