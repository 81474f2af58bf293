import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { classifySqliteError } from './database.js';

export interface DirectoryLock {
  release(): void;
}

/**
 * Takes the directory for this process, or returns undefined when another one holds it. The lock is an exclusive SQLite
 * transaction that is never ended: the system releases it when its holder dies, however it dies, and there is no stale
 * file to judge.
 */
export function lockDirectory(directory: string): DirectoryLock | undefined {
  const connection = new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 });
  try {
    // Nothing is ever written, so there is nothing to roll back and no journal to leave behind.
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
