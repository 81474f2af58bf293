import type { Database } from './database.js';
import { first } from './migrations/001-first.js';
import { organisations } from './migrations/002-organisations.js';
import { webhooks } from './migrations/003-webhooks.js';
import { requestLog } from './migrations/004-request-log.js';
import { idempotencyHashes } from './migrations/005-idempotency-hashes.js';
import { deferredJobs } from './migrations/006-deferred-jobs.js';
import { blobs } from './migrations/007-blobs.js';
import { turns } from './migrations/008-turns.js';
import { confidence } from './migrations/009-confidence.js';
import { deletedJobs } from './migrations/010-deleted-jobs.js';
import { support } from './migrations/011-support.js';
import { lanes } from './migrations/012-lanes.js';
import { events } from './migrations/013-events.js';
import { eventRemovals } from './migrations/014-event-removals.js';

/** Migrations in order, as SQL or as functions. A released migration never changes: each later change is a new one. */
const MIGRATIONS: ReadonlyArray<string | ((db: Database) => void)> = [
  first,
  organisations,
  webhooks,
  requestLog,
  idempotencyHashes,
  deferredJobs,
  blobs,
  turns,
  confidence,
  deletedJobs,
  support,
  lanes,
  events,
  eventRemovals,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Thrown for a store that a newer version of the tool has written. */
export class StoreTooNewError extends Error {
  override readonly name = 'StoreTooNewError';
}

/** Brings the schema to this version. Each migration and its version number are one transaction. */
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
      db.run('INSERT INTO schema_migration (version, applied_at) VALUES (:version, :nowMs)', {
        version,
        nowMs: Date.now(),
      });
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  }
}

/** Returns the schema version; 0 for a store without tables. */
export function readVersion(db: Database): number {
  if (db.get(`SELECT 1 AS found FROM sqlite_master WHERE name = 'schema_migration'`) === undefined) return 0;
  return db.get<{ version: number | null }>('SELECT max(version) AS version FROM schema_migration')?.version ?? 0;
}
