import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashApiKey } from '../contract/api-key.js';
import { FIRST_KEY_FILE_NAME } from '../contract/service-file.js';
import { createApiKey, createOrganisation, findCaller, hasOrganisations } from '../store/access.js';
import type { Store } from '../store/store.js';
import { writeFileAtomically } from './write-file-atomically.js';

/**
 * On an empty store: an organisation with a key, written to a file that only this user can read. A service that was
 * killed between the two, or whose file was lost, mints another key for the same organisation at its next start.
 */
export async function ensureFirstKey(store: Store, dataDir: string): Promise<void> {
  const path = join(dataDir, FIRST_KEY_FILE_NAME);
  const kept = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (await hasOrganisations(store)) {
    if (await isKnown(store, kept)) return;
    const owner = store.read.get<{ id: string }>('SELECT id FROM organisation ORDER BY created_at, id LIMIT 1');
    if (owner !== undefined) await writeKey(path, await createApiKey(store, owner.id, 'first key'));
    return;
  }
  const organisationId = await createOrganisation(store, 'This machine');
  await writeKey(path, await createApiKey(store, organisationId, 'first key'));
}

/** A key of an earlier store, or one that was changed by hand, means nothing to this one. */
async function isKnown(store: Store, key: string): Promise<boolean> {
  return key !== '' && (await findCaller(store, hashApiKey(key), Date.now())) !== undefined;
}

async function writeKey(path: string, key: string): Promise<void> {
  await writeFileAtomically(path, `${key}\n`);
}
