import type { ServiceLocation } from '../../contract/command-words.js';
import { OcrError } from '../../contract/ocr-error.js';
import { migrate } from '../../store/postgres/migrate.js';
import { openPool } from '../../store/postgres/pool.js';
import { loadServiceConfig } from '../config/service-config.js';
import { explainDatabase } from '../data-directory/open-shared.js';

/** Time to connect. A large table takes as long as it takes. */
const TIMEOUTS_MS = { connect: 10_000, statement: 0 };

/** Outcome of a migration: the numbers of the schema before and after, 0 for a database without tables. */
export interface MigrationView {
  from: number;
  to: number;
}

/** Brings the tables of a shared database to this version. @throws OcrError USAGE, DATABASE_UNUSABLE */
export async function migrateDatabase(
  { dataDir, databaseUrl: flag, configFile }: ServiceLocation,
  env: NodeJS.ProcessEnv,
): Promise<MigrationView> {
  const { config } = loadServiceConfig({ flags: { dataDir, databaseUrl: flag }, env, configFile });
  const { databaseUrl, databaseListenUrl: url = databaseUrl } = config;
  if (url === undefined)
    throw new OcrError(
      'USAGE',
      'No database is named: the store of a data directory is upgraded when its service starts',
      {
        hint: 'ocr admin migrate --database-url postgres://<user>@<host>/<database>',
      },
    );
  const pool = await openPool({
    url,
    maxConnections: 4,
    applicationName: 'ocr admin migrate',
    timeoutsMs: TIMEOUTS_MS,
  });
  try {
    return await migrate(pool);
  } catch (error) {
    throw explainDatabase(config, error);
  } finally {
    await pool.end();
  }
}
