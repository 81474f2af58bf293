import { readNames } from './access.js';
import type { Store } from './store.js';
import { all, one, run } from './unit.js';

/** A stored key. Times are Unix milliseconds. */
export interface ApiKey {
  id: string;
  /** Null for a support key. */
  organisationId: string | null;
  name: string;
  /** `ocr_live_` or `ocr_test_`. */
  prefix: string;
  lastFour: string;
  /** Undefined: every function of the plan. */
  functions: readonly string[] | undefined;
  createdAtMs: number;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
  lastUsedAtMs: number | null;
}

type Row = Omit<ApiKey, 'functions'> & { functions: string | null };

const SELECT = `SELECT id, organisation_id AS "organisationId", name, prefix, last_four AS "lastFour", functions,
  created_at AS "createdAtMs", expires_at AS "expiresAtMs", revoked_at AS "revokedAtMs", last_used_at AS "lastUsedAtMs" FROM api_key`;

/** Lists every key, or those of one organisation; oldest first. */
export async function listApiKeys(store: Store, organisationId?: string): Promise<ApiKey[]> {
  const rows =
    organisationId === undefined
      ? await store.read(all<Row>(`${SELECT} ORDER BY created_at, id`))
      : await store.read(
          all<Row>(`${SELECT} WHERE organisation_id = :organisationId ORDER BY created_at, id`, {
            organisationId,
          }),
        );
  return rows.map(read);
}

export async function findApiKey(store: Store, id: string): Promise<ApiKey | undefined> {
  const row = await store.read(one<Row>(`${SELECT} WHERE id = :id`, { id }));
  return row && read(row);
}

/** Finds a key, revoked ones included. */
export async function findApiKeyByHash(store: Store, hash: string): Promise<ApiKey | undefined> {
  const row = await store.read(one<Row>(`${SELECT} WHERE hash = :hash`, { hash }));
  return row && read(row);
}

/** Revokes a key. An earlier revocation keeps its time. */
export async function revokeApiKey(store: Store, id: string, nowMs: number): Promise<void> {
  await store.write(() =>
    run('UPDATE api_key SET revoked_at = coalesce(revoked_at, :nowMs) WHERE id = :id', { id, nowMs }),
  );
}

function read(row: Row): ApiKey {
  return { ...row, functions: readNames(row.functions) };
}
