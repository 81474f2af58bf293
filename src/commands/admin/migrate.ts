import type { Context } from '../../context.js';
import type { ServiceLocation } from '../../contract/command-words.js';
import { migrateDatabase } from '../../service/administration/migrate.js';

/**
 * Creates or upgrades the tables of a database that processes share. @throws OcrError USAGE without a database, DATABASE_UNUSABLE
 */
export async function migrate({ env, output }: Context, options: ServiceLocation): Promise<void> {
  const view = await migrateDatabase(options, env);
  if (output.isJson) return await output.json(view);
  await output.text(
    view.from === view.to
      ? `The tables are those of version ${view.to}\n`
      : `Tables: version ${view.from} → ${view.to}\n`,
  );
}
