import { migrationTo, SCHEMA_VERSION, StoreTooNewError } from '../schema.js';
import type { Clock } from '../unit.js';
import type { Database } from './database.js';
import { runUnit } from './run-unit.js';

/** Brings the schema to this version. Each migration and its version number are one transaction. */
export function migrate(db: Database, clock: Clock): void {
  db.exec('CREATE TABLE IF NOT EXISTS schema_migration (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)');
  const current = readVersion(db);
  if (current > SCHEMA_VERSION)
    throw new StoreTooNewError(`the store has schema ${current}, this version knows ${SCHEMA_VERSION}`);
  for (let version = current + 1; version <= SCHEMA_VERSION; version++) {
    db.exec('BEGIN IMMEDIATE');
    try {
      const migration = migrationTo(version, 'sqlite');
      if (typeof migration === 'function') runUnit(db, clock, migration());
      else db.exec(migration);
      db.run('INSERT INTO schema_migration (version, applied_at) VALUES (:version, :nowMs)', {
        version,
        nowMs: clock.now(),
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
