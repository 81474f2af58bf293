import { DatabaseSync } from '@photostructure/sqlite';
import { openDatabase } from './database.js';
import { NEEDED_DOCUMENTS } from './jobs.js';
import { retryWhileBusy } from './retry-busy.js';
import type { Store } from './store.js';

/** Documents that unfinished jobs need and that are files, not rows. */
const NEEDED_FILES = `SELECT id FROM (${NEEDED_DOCUMENTS}) AS needed WHERE NOT EXISTS (SELECT 1 FROM blob WHERE blob.id = needed.id)`;

export interface Snapshot {
  /** Documents that unfinished jobs need: how many, and which of them are files and not in the copy. */
  documents: number;
  neededFiles: string[];
  /** How many organisations, jobs and requests are in it. */
  counts: { organisations: number; jobs: number; requests: number };
}

export function listNeededFiles(store: Store): string[] {
  return store.read.all<{ id: string }>(NEEDED_FILES).map(({ id }) => id);
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
    const neededFiles = copy.prepare(NEEDED_FILES).all() as Array<{ id: string }>;
    return {
      documents: copy.prepare(NEEDED_DOCUMENTS).all().length,
      neededFiles: neededFiles.map(({ id }) => id),
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
