import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { migrate } from '../../dist/store/postgres/migrate.js';
import { openStore as openPostgres } from '../../dist/store/postgres/open-store.js';
import { openPool } from '../../dist/store/postgres/pool.js';
import { openStore as openSqlite } from '../../dist/store/sqlite/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { describeWithPostgres, startPostgres, type TestPostgres } from './postgres.js';

/** Opens a store for a test, which closes it. */
type OpenNewStore = () => Promise<Store>;

/**
 * Runs a suite on SQLite and on PostgreSQL, each test on an empty store. Without PostgreSQL that half is skipped. All of its
 * tests share a store there, since each connection is a process of the server.
 */
export function describeEachStore(suite: (engine: string, open: OpenNewStore) => void): void {
  suite('SQLite', openNewFile);
  describePostgres((empty, open) => {
    let shared: Promise<Store> | undefined;
    afterAll(async () => (await shared)?.close());
    suite('PostgreSQL', async () => {
      await empty();
      shared ??= open();
      return { ...(await shared), close: async () => {} };
    });
  });
}

/**
 * Runs a suite on a database of its own, which `empty` empties and `open` opens for one of the processes that share it. Without
 * PostgreSQL it is skipped.
 */
export function describePostgres(
  suite: (empty: () => Promise<void>, open: OpenNewStore, urlOf: () => string) => void,
): void {
  describeWithPostgres('', () => {
    let server: TestPostgres;
    let url: string;
    let pool: Pool;
    beforeAll(async () => {
      server = await startPostgres();
      url = await server.createDatabase();
      await createTables(url);
      pool = await openPool({ ...POOL, url });
    });
    afterAll(async () => {
      await pool.end();
      await server.close();
    });
    suite(
      () => emptyTables(pool),
      () => openPostgres({ ...POOL, url }),
      () => url,
    );
  });
}

/** More than a busy machine takes, where dozens of connections begin at once. */
const TIMEOUTS_MS = { connect: 30_000, statement: 30_000 };
const POOL = { maxConnections: 10, applicationName: 'ocr-test', timeoutsMs: TIMEOUTS_MS };

/** Opens a store of SQLite in a directory of its own. */
export async function openNewFile(): Promise<Store> {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-store-test-'));
  const store = await openSqlite(join(directory, 'ocr.db'));
  return {
    ...store,
    close: async () => {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Creates the tables of the service, and keeps a copy of what they hold at first. */
export async function createTables(url: string): Promise<void> {
  const pool = await openPool({ ...POOL, url });
  await migrate(pool);
  await pool.query('CREATE SCHEMA saved; CREATE TABLE saved.plan AS TABLE plan');
  await pool.end();
}

/** Empties the tables: some hundredths of the time that a new database takes. */
async function emptyTables(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migration'`,
  );
  const days = rows.filter(({ name }) => /^request_\d/.test(name));
  if (days.length > 0) await pool.query(`DROP TABLE ${days.map(({ name }) => name).join(', ')}`);
  const kept = rows.filter((row) => !days.includes(row));
  // The triggers are those of foreign keys, and the one that notes removals of events.
  const steps = ['BEGIN', 'SET LOCAL session_replication_role = replica'];
  steps.push(...kept.map(({ name }) => `DELETE FROM ${name}`), 'INSERT INTO plan TABLE saved.plan');
  steps.push('ALTER TABLE event ALTER COLUMN number RESTART', 'COMMIT');
  await pool.query(steps.join('; '));
}
