import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DatabaseUnavailableError } from '../../dist/store/postgres/failure.js';
import { openStore } from '../../dist/store/postgres/open-store.js';
import { openPool } from '../../dist/store/postgres/pool.js';
import { one, run } from '../../dist/store/unit.js';
import { describeWithPostgres, startPostgres, type TestPostgres } from '../support/postgres.js';
import { createTables } from '../support/stores.js';

describeWithPostgres('a connection that the database ends', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.close());

  test('while it is lent, and nobody listens to it → its next statement fails, and the process goes on', async () => {
    const pool = await openPool({ url: await postgres.createDatabase(), maxConnections: 2, applicationName: 'test' });
    const lent = await pool.connect();
    const ended = new Promise((resolve) => lent.once('end', resolve));
    const { rows } = await lent.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await expect(lent.query('SELECT 1')).rejects.toThrow();
    lent.release(true);
    expect((await pool.query<{ two: number }>('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
    await pool.end();
  });
});

/** A way to a database that can be cut: nothing passes then, and neither end hears of it. */
async function openLink(postgres: TestPostgres, url: string): Promise<{ url: string; cut(): void }> {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-link-'));
  const sockets: Socket[] = [];
  const link = createServer((from) => {
    const to = connect(join(postgres.directory, SOCKET_NAME));
    sockets.push(from, to);
    for (const socket of [from, to]) socket.on('error', () => {});
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((resolve) => link.listen(join(directory, SOCKET_NAME), resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    link.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const cut = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  return { url: url.replace(encodeURIComponent(postgres.directory), encodeURIComponent(directory)), cut };
}
const SOCKET_NAME = '.s.PGSQL.5432';

describeWithPostgres('a link to the database that is cut in a transaction', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.close());

  test('its rows are free soon, without the change', async () => {
    const url = await postgres.createDatabase();
    await createTables(url);
    await postgres.query(url, 'CREATE TABLE counter AS SELECT 0 AS n');
    const link = await openLink(postgres, url);
    const severed = await openStore({ url: link.url, maxConnections: 2, applicationName: 'test' });
    const lost = severed
      .write(function* () {
        yield* run('UPDATE counter SET n = n + 100');
        link.cut();
        yield* run('UPDATE counter SET n = n + 100');
      })
      .catch((error: unknown) => error);
    const locked = `SELECT 1 FROM pg_locks WHERE relation = 'counter'::regclass AND mode = 'RowExclusiveLock'`;
    await expect.poll(async () => (await postgres.query(url, locked)).length).toBe(1);
    // The lock of a transaction that is not ended outlasts this.
    const timeoutsMs = { connect: 30_000, statement: 30_000 };
    const store = await openStore({ url, maxConnections: 2, applicationName: 'test', timeoutsMs });
    await store.write(() => run('UPDATE counter SET n = n + 1'));
    expect(await postgres.query(url, 'SELECT n FROM counter')).toEqual([{ n: 1 }]);
    await Promise.all([store.close(), severed.close()]);
    expect(await lost).toBeInstanceOf(DatabaseUnavailableError);
  });
});

describeWithPostgres('a database that refuses a write as a standby does', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.close());

  test('the next write on the same connection → done', async () => {
    const url = await postgres.createDatabase();
    await createTables(url);
    await postgres.query(url, 'CREATE TABLE counter AS SELECT 0 AS n');
    const store = await openStore({ url, maxConnections: 1, applicationName: 'test' });
    const refused = store.write(function* () {
      yield* run('SET TRANSACTION READ ONLY');
      yield* run('UPDATE counter SET n = n + 100');
    });
    await expect(refused).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await store.write(() => run('UPDATE counter SET n = n + 1'));
    expect(await postgres.query(url, 'SELECT n FROM counter')).toEqual([{ n: 1 }]);
    await store.close();
  });
});

/** Each transaction that inserts into this table stands still in its COMMIT. */
const SLOW_COMMITS = `
  CREATE TABLE slow (n INTEGER);
  CREATE FUNCTION wait_long() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(600); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION wait_long()`;

describeWithPostgres('a database that crashes in a COMMIT', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    // The log is written by commits alone, so that the id of a lost transaction is given again.
    postgres = await startPostgres({ isDurable: true, settings: { wal_writer_delay: '10s' } });
  });
  afterAll(() => postgres.close());

  test('and gives the id of the lost transaction to another one → the write is not acknowledged', async () => {
    const url = await postgres.createDatabase();
    await createTables(url);
    await postgres.query(url, SLOW_COMMITS);
    const store = await openStore({ url, maxConnections: 4, applicationName: 'test' });
    let lostId = 0;
    const written = store
      .write(function* () {
        const row = yield* one<{ id: string }>('INSERT INTO slow VALUES (1) RETURNING pg_current_xact_id() AS id');
        lostId = Number(row?.id);
      })
      .catch((error: unknown) => error);
    const sleeping = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
    await expect.poll(async () => (await postgres.query(url, sleeping)).length).toBe(1);
    await postgres.stop('SIGKILL');
    await postgres.start();
    let id = 0;
    const ids: number[] = [];
    while (id < lostId) {
      id = Number((await postgres.query(url, 'SELECT pg_current_xact_id() AS id'))[0]?.id);
      ids.push(id);
    }
    expect(ids).toContain(lostId);
    expect(await written).toBeInstanceOf(DatabaseUnavailableError);
    expect(await postgres.query(url, 'SELECT * FROM slow')).toEqual([]);
    await store.close();
  });
});
