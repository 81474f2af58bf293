import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createOrganisation } from '../../dist/store/access.js';
import { createQueue } from '../../dist/store/create-queue.js';
import { insertPlan, listPlans } from '../../dist/store/plans.js';
import { describeEachStore } from '../support/stores.js';
import { describeAccess } from './access-suite.js';
import { describeEvents } from './events-suite.js';
import { describeIdempotency } from './idempotency-suite.js';
import { describeJobs } from './jobs-suite.js';
import { describePages } from './pages-suite.js';
import { describeQueue } from './queue-suite.js';
import { describeRequestLog } from './request-log-suite.js';
import { describeUsageDays } from './usage-days-suite.js';
import { describeWebhooks } from './webhooks-suite.js';

describeEachStore((engine, openStore) => {
  describeQueue(engine, async () => {
    const store = await openStore();
    return {
      queue: createQueue(store),
      organisationId: await createOrganisation(store, 'Test'),
      addOrganisation: async (weight = 1) => {
        const plan = `WEIGHT_${weight}`;
        const starter = (await listPlans(store)).find(({ name }) => name === 'STARTER');
        if (starter !== undefined) await insertPlan(store, { ...starter, name: plan, weight }, starter.name);
        return await createOrganisation(store, 'Another', { plan });
      },
      close: () => store.close(),
    };
  });

  describeJobs(engine, openStore);
  describeUsageDays(engine, openStore);
  describeIdempotency(engine, openStore);
  describeRequestLog(engine, openStore);
  describePages(engine, openStore);
  describeEvents(engine, openStore);
  describeWebhooks(engine, openStore);
  describeAccess(engine, openStore);
});

/** Files with SQL of SQLite alone, besides those of its folder; another engine has its own versions, and its own folder. */
const SQLITE = [
  // A column that counts is declared otherwise by each engine.
  'migrations/013-events.ts',
  'migrations/014-event-removals.ts',
  'migrations/015-shared-store.ts',
  'migrations/019-request-days.ts',
  'request-lines.ts',
];
const ONLY_SQLITE =
  /\b(?:PRAGMA|AUTOINCREMENT|ROWID|GLOB|IFNULL|STRFTIME|JULIANDAY|JSON_EXTRACT|GROUP_CONCAT|VACUUM|ATTACH|WITHOUT ROWID|INSERT OR (?:IGNORE|REPLACE)|BEGIN IMMEDIATE|BEGIN EXCLUSIVE)\b|sqlite_\w+|\bdatetime\(/i;

test('SQL of the store → valid for PostgreSQL too', () => {
  const directory = fileURLToPath(new URL('../../src/store', import.meta.url));
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  expect(files).toEqual(expect.arrayContaining(SQLITE));
  for (const name of files.filter((file) => !SQLITE.includes(file) && !/^(?:sqlite|postgres)\//.test(file))) {
    const code = readFileSync(join(directory, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    expect(ONLY_SQLITE.exec(code)?.[0], name).toBeUndefined();
  }
});
