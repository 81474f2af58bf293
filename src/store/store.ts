import { existsSync } from 'node:fs';
import { type Database, openDatabase } from './database.js';
import { openJournal } from './journal.js';
import { migrate, readVersion } from './migrate.js';
import { retryWhileBusy } from './retry-busy.js';
import type { StoreFailedError } from './store-failure.js';
import { createWriteQueue, type WriteQueue } from './write-queue.js';

export { SCHEMA_VERSION } from './migrate.js';

const OPEN_TIMEOUT_MS = 10_000;

/**
 * Reads are synchronous and see a write once it is committed, shortly before it resolves; await `synced` before an answer
 * promises what was read. Writes go through the queue. After an error of the disk reads and writes throw StoreFailedError.
 */
export interface Store {
  read: Database;
  write: WriteQueue['write'];
  synced: WriteQueue['synced'];
  /** Resolves when the disk has failed. The process should end then: only a new one can tell what was kept. */
  failed: Promise<StoreFailedError>;
  /** Finishes the queued writes, then closes. After a failure the files stay as they are until the process ends. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** True for the holder of the directory: it makes durable what an earlier process left in the journal. */
  isHolder?: boolean;
}

/** Stores that have failed, kept from the garbage collector: it would close them, and closing moves the journal. */
const abandoned = new Set<Database>();

/** Opens the store at `path` and creates or upgrades its tables. @throws StoreTooNewError, or SQLite's own error */
export async function openStore(path: string, { isHolder = false }: OpenOptions = {}): Promise<Store> {
  const db = await retryWhileBusy(() => {
    const opened = openDatabase(path);
    try {
      migrate(opened);
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
  }, OPEN_TIMEOUT_MS);
  const journal = await openJournal(path);
  if (isHolder) await journal.renew(db, OPEN_TIMEOUT_MS);
  let noteFailure: (failure: StoreFailedError) => void = () => {};
  const failed = new Promise<StoreFailedError>((resolve) => {
    noteFailure = resolve;
  });
  const queue = createWriteQueue(db, {
    path,
    syncJournal: journal.sync,
    onFailure: noteFailure,
    mayHoldRemoved: isHolder,
  });
  return {
    read: refuseAfterFailure(db, queue),
    write: queue.write,
    synced: queue.synced,
    failed,
    close: async () => {
      await queue.finish();
      await journal.close();
      if (queue.failure === undefined) db.close();
      else abandoned.add(db);
    },
  };
}

/** Refuses reads after a failure: they may see what is not on disk, and no answer may be made of that. */
function refuseAfterFailure(db: Database, queue: WriteQueue): Database {
  const check = (): Database => {
    if (queue.failure !== undefined) throw queue.failure;
    return db;
  };
  return {
    exec: (sql) => check().exec(sql),
    run: (sql, values) => check().run(sql, values),
    get: (sql, values) => check().get(sql, values),
    all: (sql, values) => check().all(sql, values),
    close: () => db.close(),
  };
}

/** Returns the schema version of the store at `path`; 0 when no store exists. @throws SQLite's own error */
export async function readSchemaVersion(path: string): Promise<number> {
  if (!existsSync(path)) return 0;
  return await retryWhileBusy(() => {
    const db = openDatabase(path);
    try {
      return readVersion(db);
    } finally {
      db.close();
    }
  }, OPEN_TIMEOUT_MS);
}
