import type { Store } from './store.js';

/** Returns a number that changes when another connection commits (sqlite.org/pragma.html#pragma_data_version). */
export function readDataVersion(store: Store): number {
  return store.read.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
}
