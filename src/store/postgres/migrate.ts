import type { Pool, PoolClient } from 'pg';
import { migrationTo, SCHEMA_VERSION, StoreTooNewError } from '../schema.js';
import type { Engine } from '../unit.js';
import { openClock } from './clock.js';
import { withClient } from './pool.js';
import { runUnit } from './run-unit.js';

/** Key of the lock that one migration at a time holds; any number that no other program of the database uses. */
const LOCK = 0x6f6372;

/** Brings the schema to this version, while other processes wait for it. @throws StoreTooNewError */
export async function migrate(pool: Pool): Promise<{ from: number; to: number }> {
  const clock = await openClock(pool);
  return await withClient(pool, async (client) => {
    const from = await readVersion(client);
    if (from > SCHEMA_VERSION)
      throw new StoreTooNewError(`the store has schema ${from}, this version knows ${SCHEMA_VERSION}`);
    for (let version = from + 1; version <= SCHEMA_VERSION; version++) await apply(client, clock, version);
    return { from, to: SCHEMA_VERSION };
  }).finally(clock.stop);
}

/** Applies one migration and notes its number, in one transaction; nothing when another process was first. */
async function apply(client: PoolClient, engine: Engine, version: number): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migration (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)',
    );
    const { rowCount } = await client.query('SELECT 1 FROM schema_migration WHERE version = $1', [version]);
    if (rowCount === 0) {
      const migration = migrationTo(version, 'postgres');
      if (typeof migration === 'function')
        await runUnit((text, values) => client.query(text, values), engine, migration());
      else await client.query(migration);
      await client.query('INSERT INTO schema_migration (version, applied_at) VALUES ($1, $2)', [version, engine.now()]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Returns the schema version; 0 for a database without tables. */
export async function readVersion(client: Pick<PoolClient, 'query'>): Promise<number> {
  const { rows } = await client.query<{ found: string | null }>(`SELECT to_regclass('schema_migration') AS found`);
  if ((rows[0]?.found ?? null) === null) return 0;
  const versions = await client.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM schema_migration',
  );
  return versions.rows[0]?.version ?? 0;
}
