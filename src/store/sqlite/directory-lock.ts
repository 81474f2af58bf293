import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { classifySqliteError } from './database.js';

export const LOCK_FILE_NAME = 'lock.db';

export interface DirectoryLock {
  release(): void;
}

/**
 * Takes the directory for this process; undefined when another process holds it. The lock is an exclusive SQLite transaction
 * that stays open. The system releases it when its holder dies in any way, so no lock file can be stale.
 */
export function lockDirectory(directory: string): DirectoryLock | undefined {
  const connection = new DatabaseSync(join(directory, LOCK_FILE_NAME), { timeout: 0 });
  try {
    // The transaction writes nothing, so it needs no journal on disk.
    connection.exec('PRAGMA journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (classifySqliteError(error) === 'busy') return undefined;
    throw error;
  }
  return {
    release: () => {
      if (connection.isOpen) connection.close();
    },
  };
}
