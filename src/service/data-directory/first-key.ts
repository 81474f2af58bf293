import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashApiKey } from '../../contract/api-key.js';
import { FIRST_KEY_FILE_NAME } from '../../contract/service-file.js';
import { createApiKey, createOrganisation, findAccess, findLocalOrganisation } from '../../store/access.js';
import type { Store } from '../../store/store.js';
import { writeFileAtomically } from '../../system/write-file-atomically.js';

/**
 * Ensures that this machine's own organisation has a key, in a file that only this user can read. After a kill between the two
 * steps, or a loss of the file, the next start mints another key for the same organisation. Keys of organisations that an
 * operator created are never written there.
 */
export async function ensureFirstKey(store: Store, dataDir: string): Promise<void> {
  const path = join(dataDir, FIRST_KEY_FILE_NAME);
  const kept = (await readFile(path, 'utf8').catch(() => '')).trim();
  const known = await findLocalOrganisation(store);
  if (known !== undefined && (await isValid(store, kept))) return;
  const owner = known ?? (await createOrganisation(store, 'This machine', { isLocal: true }));
  await writeKey(path, await createApiKey(store, owner, 'first key'));
}

/** True for a key of this store. The file may hold the key of an earlier store, or an edited one. */
async function isValid(store: Store, key: string): Promise<boolean> {
  const access = key === '' ? undefined : await findAccess(store, hashApiKey(key));
  return access !== undefined && (access.keyExpiresAtMs === null || access.keyExpiresAtMs > store.clock.now());
}

async function writeKey(path: string, key: string): Promise<void> {
  await writeFileAtomically(path, `${key}\n`);
}
