import { join } from 'node:path';
import { createId } from '../../../dist/contract/identifiers.js';
import { createApiKey, createOrganisation, type NewApiKey, type NewOrganisation } from '../../../dist/store/access.js';
import { type Plan, updatePlan } from '../../../dist/store/plans.js';
import { openStore } from '../../../dist/store/sqlite/open-store.js';
import type { Store } from '../../../dist/store/store.js';
import type { SqlValues } from '../../../dist/store/unit.js';
import { one, run } from '../../../dist/store/unit.js';
import { createClient, type TestService } from './running-service.js';
import { openFleetStore } from './test-fleet.js';

export interface TestOrganisation extends Pick<TestService, 'submit' | 'get' | 'waitForJob'> {
  id: string;
  keyId: string;
  key: string;
  /** The plan of this organisation alone. */
  plan: string;
}

type Limits = Partial<Omit<Plan, 'name'>>;

/** Operator actions beside a running service, through a separate connection to the store. */
export interface Beside {
  store: Store;
  /** Adds an organisation with its own key and plan, which has only the given limits. */
  add(limits?: Limits, more?: { organisation?: NewOrganisation; key?: NewApiKey }): Promise<TestOrganisation>;
  run(sql: string, values?: SqlValues): Promise<number>;
  /** Counted documents of all periods. */
  countUsage(organisationId: string): Promise<number>;
  /** Rows of the organisation in a table. */
  countRows(table: string, organisationId: string): Promise<number>;
  close(): Promise<void>;
}

export async function openBeside({ url, dataDir }: Pick<TestService, 'url' | 'dataDir'>): Promise<Beside> {
  const store = (await openFleetStore(url)) ?? (await openStore(join(dataDir, 'ocr.db')));
  let count = 0;
  return {
    store,
    add: async (limits = {}, { organisation = {}, key: keyOptions = {} } = {}) => {
      const plan = `PLAN_${++count}`;
      await store.write(() =>
        run('INSERT INTO plan (name, position, requests_per_window, webhooks) VALUES (:plan, 9, 1000000, 0)', {
          plan,
        }),
      );
      await updatePlan(store, plan, limits);
      const id = await createOrganisation(store, plan, { plan, ...organisation });
      const keyId = createId('key');
      const key = await createApiKey(store, id, 'test', { id: keyId, ...keyOptions });
      return { ...createClient(url, key), id, keyId, key, plan };
    },
    run: (sql, values) => store.write(() => run(sql, values)),
    countUsage: async (organisationId) =>
      (
        await store.read(
          one<{ n: number | null }>('SELECT sum(documents) AS n FROM usage WHERE organisation_id = :organisationId', {
            organisationId,
          }),
        )
      )?.n ?? 0,
    countRows: async (table, organisationId) =>
      (
        await store.read(
          one<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE organisation_id = :organisationId`, {
            organisationId,
          }),
        )
      )?.n ?? 0,
    close: () => store.close(),
  };
}
