import { DatabaseSync } from '@photostructure/sqlite';
import { NEEDED_DOCUMENTS } from '../jobs.js';
import type { Store } from '../store.js';
import { ids, run } from '../unit.js';
import { openDatabase } from './database.js';
import { retryWhileBusy } from './retry-busy.js';

/** Selects the documents that unfinished jobs need and that are files, not rows. */
const NEEDED_FILES = `SELECT id FROM (${NEEDED_DOCUMENTS}) AS needed WHERE NOT EXISTS (SELECT 1 FROM blob WHERE blob.id = needed.id)`;

export interface Snapshot {
  /** Count of the documents that unfinished jobs need, and the ids of those that are files, which the copy lacks. */
  documents: number;
  neededFiles: string[];
  /** Row counts of the copy. */
  counts: { organisations: number; jobs: number; requests: number };
}

export async function listNeededFiles(store: Store): Promise<string[]> {
  return await store.read(ids(NEEDED_FILES));
}

/**
 * Copies one consistent state of the store to a new file, durably, while others read and write it (SQLite's VACUUM INTO), and
 * checks the whole copy once.
 * @throws Error for a damaged copy; SQLite's own
 */
export async function takeSnapshot(store: Store, path: string): Promise<Snapshot> {
  await store.read(run('VACUUM INTO :path', { path }));
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

/** Blocks writers of the store at `path`; they wait until the returned function is called. */
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
