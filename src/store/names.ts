import type { Store } from './store.js';

/** Names of organisations and keys by their ids, each read once; null where there is none, or none any more. */
export interface Names {
  organisation(id: string | null): string | null;
  key(id: string | null): string | null;
}

export function createNames(store: Store): Names {
  const known = new Map<string, string | null>();
  const find = (table: 'organisation' | 'api_key', id: string | null): string | null => {
    if (id === null) return null;
    const name = known.get(id);
    if (name !== undefined) return name;
    const found = store.read.get<{ name: string }>(`SELECT name FROM ${table} WHERE id = :id`, { id })?.name ?? null;
    known.set(id, found);
    return found;
  };
  return { organisation: (id) => find('organisation', id), key: (id) => find('api_key', id) };
}
