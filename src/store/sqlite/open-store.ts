import { existsSync } from 'node:fs';
import { SILENT_BELL } from '../bell.js';
import type { Store } from '../store.js';
import { type Clock, run, Undone } from '../unit.js';
import { type Database, openDatabase } from './database.js';
import { openJournal } from './journal.js';
import { migrate, readVersion } from './migrate.js';
import { retryWhileBusy } from './retry-busy.js';
import { runUnit } from './run-unit.js';
import { steadyNow } from './steady-clock.js';
import type { StoreFailedError } from './store-failure.js';
import { createWriteQueue } from './write-queue.js';

const OPEN_TIMEOUT_MS = 10_000;

const CLOCK: Clock = { now: () => Date.now(), steadyNow };

export interface OpenOptions {
  /** True for the holder of the directory: it makes durable what an earlier process left in the journal. */
  isHolder?: boolean;
}

/** Stores that have failed, kept from the garbage collector: it would close them, and closing moves the journal. */
const abandoned = new Set<Database>();

/**
 * Opens the store at `path` and creates or upgrades its tables. A unit that only reads runs in the same turn of the event loop;
 * writes go through the queue. After a failure the files stay as they are until the process ends.
 * @throws StoreTooNewError, or SQLite's own error
 */
export async function openStore(path: string, { isHolder = false }: OpenOptions = {}): Promise<Store> {
  const db = await retryWhileBusy(() => {
    const opened = openDatabase(path);
    try {
      migrate(opened, CLOCK);
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
  const write: Store['write'] = async (work, options) => {
    try {
      return await queue.write(() => runUnit(db, CLOCK, work()), options);
    } catch (error) {
      if (error instanceof Undone) return error.value as never;
      throw error;
    }
  };
  return {
    clock: CLOCK,
    bell: SILENT_BELL,
    isShared: false,
    read: async (unit) => {
      // A read may see what is not on disk, and no answer may be made of that.
      if (queue.failure !== undefined) throw queue.failure;
      return runUnit(db, CLOCK, unit);
    },
    write,
    // A full disk fails writes alone.
    probe: async () => {
      await write(() => run('UPDATE schema_migration SET applied_at = applied_at WHERE version = 1'));
    },
    synced: queue.synced,
    // sqlite.org/pragma.html#pragma_data_version
    readDataVersion: async () => db.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0,
    failed,
    close: async () => {
      await queue.finish();
      await journal.close();
      if (queue.failure === undefined) db.close();
      else abandoned.add(db);
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
