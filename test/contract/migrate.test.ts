import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOrganisation, findAccess } from '../../dist/store/access.js';
import { MigrationBlockedError, migrate } from '../../dist/store/postgres/migrate.js';
import { openStore } from '../../dist/store/postgres/open-store.js';
import { openPool } from '../../dist/store/postgres/pool.js';
import { runUnit } from '../../dist/store/postgres/run-unit.js';
import { migrationTo, SCHEMA_VERSION, StoreTooNewError } from '../../dist/store/schema.js';
import { describeWithPostgres, startPostgres, type TestPostgres } from '../support/postgres.js';

const LIMITS = { lockTimeoutMs: 200, attempts: 200, pauseMs: 200, turnMs: 60_000 };
const CLOCK = { now: Date.now, steadyNow: Date.now };

describeWithPostgres('migrations beside other processes', () => {
  let postgres: TestPostgres;
  let url: string;
  let pool: Pool;
  /** A connection of somebody else, with a transaction that stands still. */
  let holder: Pool;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.close());
  beforeEach(async () => {
    url = await postgres.createDatabase();
    pool = await openPool({ url, maxConnections: 8, applicationName: 'test' });
    holder = await openPool({ url, maxConnections: 1, applicationName: 'a long report' });
  });
  afterEach(async () => {
    await holder.end();
    await pool.end();
  });

  /** Creates the tables of an earlier version. */
  async function createTablesOf(version: number): Promise<void> {
    await pool.query('CREATE TABLE schema_migration (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)');
    for (let number = 1; number <= version; number++) {
      const migration = migrationTo(number, 'postgres');
      if (typeof migration === 'string') await pool.query(migration);
      if (typeof migration === 'function')
        await runUnit((text, values) => pool.query(text, values), CLOCK, migration());
      await pool.query('INSERT INTO schema_migration VALUES ($1, 0)', [number]);
    }
  }

  const countRows = async (sql: string) =>
    (await pool.query<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)).rows[0]?.n;
  const isWaiting = () => countRows(`pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`);

  test('a table that a long transaction uses → calls go on, and it is changed at last', async () => {
    await createTablesOf(14);
    await holder.query('BEGIN; SELECT * FROM job');
    const migrated = migrate(pool, LIMITS);
    for (let call = 0; call < 5; call++) {
      await expect.poll(isWaiting).toBe(1);
      // It queues behind the change that waits, and would until the end of the long transaction.
      await pool.query('SELECT * FROM job');
    }
    await holder.query('COMMIT');
    expect(await migrated).toEqual({ from: 14, to: SCHEMA_VERSION });
  });

  test('a table that stays in use → the command says by whom, and changes nothing', async () => {
    await createTablesOf(14);
    await holder.query('BEGIN; SELECT id FROM job LIMIT 7');
    const failure = await migrate(pool, { ...LIMITS, attempts: 2 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MigrationBlockedError);
    expect((failure as Error).message).toMatch(
      /2 attempts .*: process \d+ \(a long report, role ocr, .*\) has had a transaction for \d+ s, last with "BEGIN; SELECT id FROM job LIMIT 7"/,
    );
    expect(await countRows('schema_migration')).toBe(14);
    await holder.query('COMMIT');
    expect(await migrate(pool, LIMITS)).toEqual({ from: 14, to: SCHEMA_VERSION });
  });

  test('an index on a table that is written to → writers do not wait for it', async () => {
    await createTablesOf(17);
    await holder.query('BEGIN; UPDATE webhook_delivery SET attempts = 0');
    const migrated = migrate(pool, LIMITS);
    await expect.poll(isWaiting).toBe(1);
    await pool.query('UPDATE webhook_delivery SET attempts = 0');
    expect(await countRows('schema_migration')).toBe(17);
    await holder.query('COMMIT');
    await migrated;
    expect(await countRows(`pg_index WHERE indexrelid = 'webhook_delivery_under_way'::regclass AND indisvalid`)).toBe(
      1,
    );
  });

  test('an index that was cut off → made again', async () => {
    await createTablesOf(17);
    await holder.query('BEGIN; UPDATE webhook_delivery SET attempts = 0');
    const cutOff = migrate(pool, LIMITS).catch((error: unknown) => error);
    await expect.poll(isWaiting).toBe(1);
    await pool.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%'`,
    );
    expect(await cutOff).toBeInstanceOf(Error);
    await holder.query('COMMIT');
    expect(await countRows('pg_index WHERE NOT indisvalid')).toBe(1);
    await migrate(pool, LIMITS);
    expect(await countRows('pg_index WHERE NOT indisvalid')).toBe(0);
  });

  test('lines of before → kept, and numbered on', async () => {
    await createTablesOf(18);
    const insert = (id: string) =>
      pool.query(`INSERT INTO request (id, function, cached, created_at) VALUES ($1, '', 0, 1)`, [id]);
    for (const id of ['req_1', 'req_2']) await insert(id);
    await migrate(pool, LIMITS);
    await insert('req_3');
    const { rows } = await pool.query('SELECT id, rowid, method FROM request ORDER BY rowid');
    expect(rows).toEqual(['req_1', 'req_2', 'req_3'].map((id, i) => ({ id, rowid: i + 1, method: 'POST' })));
    await expect(insert('req_2')).rejects.toMatchObject({ code: '23505' });
  });

  test('two migrations at once → one does the work, and the other one finds it done', async () => {
    const ends = await Promise.all([migrate(pool, LIMITS), migrate(pool, LIMITS)]);
    expect(ends).toEqual(
      expect.arrayContaining([
        { from: 0, to: SCHEMA_VERSION },
        { from: SCHEMA_VERSION, to: SCHEMA_VERSION },
      ]),
    );
  });

  test('a migration that does not end → the other one says whose it is', async () => {
    await holder.query(`BEGIN; SELECT pg_advisory_xact_lock(${0x6f6372})`);
    await expect(migrate(pool, { ...LIMITS, turnMs: 0 })).rejects.toThrow(/another migration .*\(a long report/);
    await holder.query('COMMIT');
  });

  test('tables of the next version → used; those of the version after → refused', async () => {
    await migrate(pool, LIMITS);
    await pool.query('INSERT INTO schema_migration VALUES ($1, 0)', [SCHEMA_VERSION + 1]);
    const store = await openStore({ url, maxConnections: 2, applicationName: 'test' });
    await createOrganisation(store, 'Test');
    expect(await findAccess(store, 'x')).toBeUndefined();
    await store.probe();
    await store.close();
    await pool.query('INSERT INTO schema_migration VALUES ($1, 0)', [SCHEMA_VERSION + 2]);
    const opened = openStore({ url, maxConnections: 2, applicationName: 'test' });
    await expect(opened).rejects.toThrow(StoreTooNewError);
  });
});
