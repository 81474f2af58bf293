import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Database, openDatabase } from './database.js';
import { migrate, readVersion } from './migrate.js';
import { retryWhileBusy } from './retry-busy.js';
import { createWriteQueue, type WriteQueue } from './write-queue.js';

export { SCHEMA_VERSION } from './migrate.js';

const OPEN_TIMEOUT_MS = 10_000;

/** Reads are synchronous and see every write that is committed, a moment before it has resolved; writes go through the queue. */
export interface Store {
  read: Database;
  write: WriteQueue['write'];
  /** Finishes what is being written, then closes. */
  close(): Promise<void>;
}

/** Opens the store at `path`, making or upgrading its tables. @throws StoreTooNewError, or SQLite's own error */
export async function openStore(path: string): Promise<Store> {
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
  // SQLite removes its journal with the last connection alone, so the handle stays good.
  const journal = await open(`${path}-wal`, 'r+');
  const queue = createWriteQueue(db, () => journal.datasync());
  return {
    read: db,
    write: queue.write,
    close: async () => {
      await queue.drain();
      await journal.close();
      db.close();
    },
  };
}

/** The schema of the store at `path`; 0 where there is none yet. @throws SQLite's own error */
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
