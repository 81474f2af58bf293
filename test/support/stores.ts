import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openClock } from '../../dist/store/postgres/clock.js';
import { migrate } from '../../dist/store/postgres/migrate.js';
import { openStore as openPostgres } from '../../dist/store/postgres/open-store.js';
import { openPool } from '../../dist/store/postgres/pool.js';
import { openStore as openSqlite } from '../../dist/store/sqlite/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { NO_POSTGRES, POSTGRES_PROGRAMS, startPostgres, type TestPostgres } from './postgres.js';

/** Opens a new store; closing it removes it. */
type OpenNewStore = () => Promise<Store>;

/** Runs a suite on SQLite and on PostgreSQL, each test on a store of its own. Without PostgreSQL that half is skipped. */
export function describeEachStore(suite: (engine: string, open: OpenNewStore) => void): void {
  suite('SQLite', openNewFile);
  describe.skipIf(POSTGRES_PROGRAMS === undefined)(POSTGRES_PROGRAMS === undefined ? NO_POSTGRES : '', () => {
    let server: TestPostgres;
    let template: string;
    beforeAll(async () => {
      server = await startPostgres();
      template = await createTables(server);
    });
    afterAll(() => server.close());
    suite('PostgreSQL', async () => openPostgres({ ...POOL, url: await server.createDatabase(template) }));
  });
}

const POOL = { maxConnections: 10, applicationName: 'ocr-test' };

async function openNewFile(): Promise<Store> {
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

/** Creates a database with the tables of the service; returns its address. */
async function createTables(server: TestPostgres): Promise<string> {
  const url = await server.createDatabase();
  const pool = await openPool({ ...POOL, url });
  const clock = await openClock(pool);
  await migrate(pool, clock);
  clock.stop();
  await pool.end();
  return url;
}
