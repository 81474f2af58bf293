import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Database, openDatabase } from './database.js';
import { migrate, readVersion } from './migrate.js';
import { retryWhileBusy } from './retry-busy.js';
import { createWriteQueue, type WriteQueue } from './write-queue.js';

export { SCHEMA_VERSION } from './migrate.js';

const OPEN_TIMEOUT_MS = 10_000;

/** Reads are synchronous and see a write once it is committed, shortly before it resolves. Writes go through the queue. */
export interface Store {
  read: Database;
  write: WriteQueue['write'];
  /** Finishes the queued writes, then closes. */
  close(): Promise<void>;
}

/** Opens the store at `path` and creates or upgrades its tables. @throws StoreTooNewError, or SQLite's own error */
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
  // SQLite removes its journal only with the last connection, so this handle stays valid.
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
