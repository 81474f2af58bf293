import type { Store } from './store.js';
import { one, type Unit } from './unit.js';

/** Names of organisations and keys by their ids; null where there is none, or none any more. */
export interface Names {
  organisation(id: string | null): string | null;
  key(id: string | null): string | null;
}

type Ids = ReadonlyArray<string | null>;

/** Reads the names of organisations and keys, each once. */
export async function findNames(store: Store, organisationIds: Ids, keyIds: Ids = []): Promise<Names> {
  return await store.read(readNames(organisationIds, keyIds));
}

function* readNames(organisationIds: Ids, keyIds: Ids): Unit<Names> {
  const organisations = yield* readTable('organisation', organisationIds);
  const keys = yield* readTable('api_key', keyIds);
  return {
    organisation: (id) => (id === null ? null : (organisations.get(id) ?? null)),
    key: (id) => (id === null ? null : (keys.get(id) ?? null)),
  };
}

function* readTable(table: 'organisation' | 'api_key', ids: Ids): Unit<Map<string, string>> {
  const names = new Map<string, string>();
  for (const id of new Set(ids)) {
    if (id === null) continue;
    const row = yield* one<{ name: string }>(`SELECT name FROM ${table} WHERE id = :id`, { id });
    if (row !== undefined) names.set(id, row.name);
  }
  return names;
}
