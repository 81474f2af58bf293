import type { Database } from './database.js';
import { retryWhileBusy } from './retry-busy.js';

const BUSY_TIMEOUT_MS = 30_000;
const MAX_BATCH = 500;

export interface WriteQueue {
  /**
   * Runs `work` in a transaction and resolves once it is on disk. `work` must not await. What was asked for in the same
   * moment shares one commit, and so one fsync; a `work` that throws undoes its own changes and nobody else's.
   */
  write<T>(work: (db: Database) => T, options?: WriteOptions): Promise<T>;
  /** Resolves when everything asked for is written. */
  drain(): Promise<void>;
}

export interface WriteOptions {
  /**
   * False for what may be lost with the power, though never with the process: who has a job at the moment, and how far it is.
   * It waits for no disk, unless it shares its commit with a write that does.
   */
  isSynced?: boolean;
}

interface Entry {
  isSynced: boolean;
  work(db: Database): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The one place that writes: SQLite has one writer at a time, so a process queues its own writes instead of fighting itself. */
export function createWriteQueue(db: Database): WriteQueue {
  const waiting: Entry[] = [];
  let running: Promise<void> | undefined;
  // As openDatabase leaves it.
  let isSyncing = true;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      // One turn of the event loop gathers what else is about to be written.
      await new Promise((resolve) => setImmediate(resolve));
      await commit(waiting.splice(0, MAX_BATCH));
    }
    running = undefined;
  }

  async function commit(batch: Entry[]): Promise<void> {
    try {
      setSyncing(batch.some((entry) => entry.isSynced));
      await retryWhileBusy(() => db.exec('BEGIN IMMEDIATE'), BUSY_TIMEOUT_MS);
    } catch (error) {
      for (const entry of batch) entry.reject(error);
      return;
    }
    const settle: Array<() => void> = [];
    try {
      for (const entry of batch) settle.push(runInSavepoint(db, entry));
      db.exec('COMMIT');
    } catch (error) {
      rollBack(db);
      for (const entry of batch) entry.reject(error);
      return;
    }
    for (const done of settle) done();
  }

  /** In WAL mode, NORMAL commits without waiting for the disk; the next FULL commit brings the earlier ones there too. */
  function setSyncing(wanted: boolean): void {
    if (wanted === isSyncing) return;
    db.exec(`PRAGMA synchronous = ${wanted ? 'FULL' : 'NORMAL'}`);
    isSyncing = wanted;
  }

  return {
    write: <T>(work: (db: Database) => T, { isSynced = true }: WriteOptions = {}) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, isSynced, resolve: resolve as (value: unknown) => void, reject });
        running ??= run();
      }),
    drain: async () => {
      while (running !== undefined) await running;
    },
  };
}

function runInSavepoint(db: Database, entry: Entry): () => void {
  db.exec('SAVEPOINT entry');
  try {
    const value = entry.work(db);
    db.exec('RELEASE entry');
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
