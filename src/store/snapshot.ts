import { DatabaseSync } from '@photostructure/sqlite';
import { openDatabase } from './database.js';
import { NEEDED_DOCUMENTS } from './jobs.js';
import { retryWhileBusy } from './retry-busy.js';
import type { Store } from './store.js';

export interface Snapshot {
  /** Documents that unfinished jobs need: how many, and which of them are files and not in the copy. */
  documents: number;
  neededFiles: string[];
  /** How many organisations, jobs and requests are in it. */
  counts: { organisations: number; jobs: number; requests: number };
}

/**
 * Copies the store as it is at one moment to a new file, durably, while others read and write it (SQLite's VACUUM INTO), and
 * reads the copy through once.
 * @throws Error that says what is wrong with the copy; SQLite's own
 */
export function takeSnapshot(store: Store, path: string): Snapshot {
  store.read.run('VACUUM INTO ?', path);
  const copy = new DatabaseSync(path, { readOnly: true });
  try {
    const [check] = copy.prepare('PRAGMA quick_check').all() as Array<{ quick_check: string }>;
    if (check?.quick_check !== 'ok') throw new Error(`the copy is damaged: ${check?.quick_check}`);
    const count = (table: string) => (copy.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
    const needed = copy.prepare(NEEDED_DOCUMENTS).all() as Array<{ id: string }>;
    const isInStore = copy.prepare('SELECT 1 FROM blob WHERE id = ?');
    return {
      documents: needed.length,
      neededFiles: needed.map(({ id }) => id).filter((id) => isInStore.get(id) === undefined),
      counts: { organisations: count('organisation'), jobs: count('job'), requests: count('request') },
    };
  } finally {
    copy.close();
  }
}

/** Lets nobody write the store at `path` until what is returned is called; writers wait for it. */
export async function holdWriters(path: string, timeoutMs: number): Promise<() => void> {
  const holder = openDatabase(path);
  try {
    await retryWhileBusy(() => holder.exec('BEGIN IMMEDIATE'), timeoutMs);
  } catch (error) {
    holder.close();
    throw error;
  }
  return () => {
    holder.exec('ROLLBACK');
    holder.close();
  };
}
