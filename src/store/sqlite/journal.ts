import { open } from 'node:fs/promises';
import type { Database } from './database.js';
import { retryWhileBusy } from './retry-busy.js';

const BLOCK_BYTES = 1024 * 1024;

/** The journal beside an open database, which has the last commits. */
export interface Journal {
  /** Brings it to the disk. A thread waits for that. */
  sync(): Promise<void>;
  /**
   * Writes it once more, with the same bytes, and syncs it. An earlier process may have died of a failed sync, which leaves
   * pages that are read here but are not on disk, and that no later sync would write.
   */
  renew(db: Database, timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens the journal of an open database. SQLite removes it only with the last connection, so the handle stays valid. */
export async function openJournal(databasePath: string): Promise<Journal> {
  const file = await open(`${databasePath}-wal`, 'r+');
  return {
    sync: () => file.datasync(),
    renew: async (db, timeoutMs) => {
      // No other process writes meanwhile.
      await retryWhileBusy(() => db.exec('BEGIN IMMEDIATE'), timeoutMs);
      try {
        const block = Buffer.alloc(BLOCK_BYTES);
        for (let at = 0; ; ) {
          const { bytesRead } = await file.read(block, 0, block.length, at);
          if (bytesRead === 0) break;
          await file.write(block, 0, bytesRead, at);
          at += bytesRead;
        }
        await file.datasync();
      } finally {
        db.exec('ROLLBACK');
      }
    },
    close: () => file.close(),
  };
}
