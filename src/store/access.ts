import { hashApiKey, mintApiKey } from '../contract/api-key.js';
import { createId } from '../contract/identifiers.js';
import type { Store } from './store.js';

/** Whom a key belongs to, as far as a call needs to know. */
export interface Caller {
  organisationId: string;
  keyId: string;
  keyLastFour: string;
}

/** The owner of a key that is known, not revoked and not expired at `nowMs`. */
export async function findCaller(store: Store, keyHash: string, nowMs: number): Promise<Caller | undefined> {
  return store.read.get<Caller & Record<string, string>>(
    `SELECT organisation_id AS "organisationId", id AS "keyId", last_four AS "keyLastFour" FROM api_key
     WHERE hash = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
    keyHash,
    nowMs,
  );
}

export async function hasOrganisations(store: Store): Promise<boolean> {
  return store.read.get('SELECT 1 AS found FROM organisation LIMIT 1') !== undefined;
}

export async function createOrganisation(store: Store, name: string): Promise<string> {
  const id = createId('org');
  await store.write((db) =>
    db.run('INSERT INTO organisation (id, name, created_at) VALUES (?, ?, ?)', id, name, Date.now()),
  );
  return id;
}

/** Mints a key; the raw key is returned this once and only its hash is kept. */
export async function createApiKey(store: Store, organisationId: string, name: string): Promise<string> {
  const key = mintApiKey('live');
  const prefix = key.slice(0, key.lastIndexOf('_') + 1);
  await store.write((db) =>
    db.run(
      'INSERT INTO api_key (id, organisation_id, name, hash, prefix, last_four, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      createId('key'),
      organisationId,
      name,
      hashApiKey(key),
      prefix,
      key.slice(-4),
      Date.now(),
    ),
  );
  return key;
}
