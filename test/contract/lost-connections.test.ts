import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '../../dist/store/postgres/pool.js';
import { describeWithPostgres, startPostgres, type TestPostgres } from '../support/postgres.js';

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
