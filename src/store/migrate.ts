import type { Database } from './database.js';
import { first } from './migrations/001-first.js';
import { organisations } from './migrations/002-organisations.js';
import { webhooks } from './migrations/003-webhooks.js';
import { requestLog } from './migrations/004-request-log.js';
import { idempotencyHashes } from './migrations/005-idempotency-hashes.js';
import { deferredJobs } from './migrations/006-deferred-jobs.js';
import { blobs } from './migrations/007-blobs.js';

/** In order, as SQL or what runs it; a migration that was released is never changed, the next change is a new one. */
const MIGRATIONS: ReadonlyArray<string | ((db: Database) => void)> = [
  first,
  organisations,
  webhooks,
  requestLog,
  idempotencyHashes,
  deferredJobs,
  blobs,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** The store was written by a newer version of the tool. */
export class StoreTooNewError extends Error {
  override readonly name = 'StoreTooNewError';
}

/** Brings the schema to this version, each migration in a transaction of its own together with the number it leaves behind. */
export function migrate(db: Database): void {
  db.exec('CREATE TABLE IF NOT EXISTS schema_migration (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)');
  const current = readVersion(db);
  if (current > SCHEMA_VERSION)
    throw new StoreTooNewError(`the store has schema ${current}, this version knows ${SCHEMA_VERSION}`);
  for (let version = current + 1; version <= SCHEMA_VERSION; version++) {
    db.exec('BEGIN IMMEDIATE');
    try {
      const migration = MIGRATIONS[version - 1];
      if (typeof migration === 'function') migration(db);
      else db.exec(migration as string);
      db.run('INSERT INTO schema_migration (version, applied_at) VALUES (?, ?)', version, Date.now());
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  }
}

/** 0 for a store that has no tables yet. */
export function readVersion(db: Database): number {
  if (db.get(`SELECT 1 AS found FROM sqlite_master WHERE name = 'schema_migration'`) === undefined) return 0;
  return db.get<{ version: number | null }>('SELECT max(version) AS version FROM schema_migration')?.version ?? 0;
}
