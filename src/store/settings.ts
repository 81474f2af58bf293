import type { Store } from './store.js';
import { one, run } from './unit.js';

/** Reads a fact that all processes of the store agree on. */
export async function readSetting(store: Store, name: string): Promise<string | undefined> {
  return (await store.read(one<{ value: string }>('SELECT value FROM setting WHERE name = :name', { name })))?.value;
}

/** Writes a fact, unless another process was first; returns the one that holds. */
export async function settle(store: Store, name: string, value: string): Promise<string> {
  await store.write(() =>
    run('INSERT INTO setting (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING', { name, value }),
  );
  return (await readSetting(store, name)) ?? value;
}
