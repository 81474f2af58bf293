import { createId } from '../contract/identifiers.js';
import { insertApiKey, readNames } from './access.js';
import { audit } from './audit.js';
import { type Page, type PageBounds, type PagedTable, readPage } from './page.js';
import type { Store } from './store.js';
import { all, exists, one, run, type Unit } from './unit.js';

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
  /** Null for a key of before that was noted. */
  madeBy: string | null;
}

type Row = Omit<ApiKey, 'functions'> & { functions: string | null };

const COLUMNS = `id, organisation_id AS "organisationId", name, prefix, last_four AS "lastFour", functions,
  created_at AS "createdAtMs", expires_at AS "expiresAtMs", revoked_at AS "revokedAtMs", last_used_at AS "lastUsedAtMs",
  made_by AS "madeBy"`;
const SELECT = `SELECT ${COLUMNS} FROM api_key`;

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
  await store.write(function* () {
    const [key] = yield* all<{ organisationId: string | null }>(
      `UPDATE api_key SET revoked_at = :nowMs WHERE id = :id AND revoked_at IS NULL
       RETURNING organisation_id AS "organisationId"`,
      { id, nowMs },
    );
    if (key !== undefined)
      yield* audit(store, { action: 'key.revoke', organisationId: key.organisationId, subjectId: id });
  });
}

/** Revokes a key of an organisation; false for that of another. Part of a transaction. */
export function* revokeKeyOf(organisationId: string, id: string, nowMs: number): Unit<boolean> {
  const sql = `UPDATE api_key SET revoked_at = coalesce(revoked_at, :nowMs)
    WHERE organisation_id = :organisationId AND id = :id`;
  return (yield* run(sql, { organisationId, id, nowMs })) === 1;
}

/** Finds a key of an organisation; undefined for that of another. */
export function* readKeyOf(organisationId: string, id: string): Unit<ApiKey | undefined> {
  const row = yield* one<Row>(`${SELECT} WHERE organisation_id = :organisationId AND id = :id`, { organisationId, id });
  return row && read(row);
}

const PAGED: PagedTable = {
  name: 'api_key',
  prefix: 'key',
  select: (from) => `SELECT ${COLUMNS} FROM ${from}`,
  id: 'id',
};

const STATES = {
  active: 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :nowMs)',
  expired: 'revoked_at IS NULL AND expires_at <= :nowMs',
  revoked: 'revoked_at IS NOT NULL',
} as const;

/** Reads a page of an organisation's keys, newest first; those of one state at a time `nowMs`. */
export function* readKeyPage(
  organisationId: string,
  filter: PageBounds & { state?: keyof typeof STATES },
  nowMs: number,
): Unit<Page<ApiKey>> {
  const others = filter.state === undefined ? [] : [STATES[filter.state]];
  const { rows, olderThan } = yield* readPage<Row>(PAGED, organisationId, filter, {
    indexed: [],
    others,
    values: { nowMs },
  });
  return { rows: rows.map(read), olderThan };
}

/** Time that a key works on after it was rolled. */
const ROLL_MS = 24 * 60 * 60 * 1000;

/** A key that takes the place of another. */
export interface RolledKey {
  keyId: string;
  /** The raw key, which nothing can return again. */
  key: string;
  /** End of the old key. */
  oldEndsAtMs: number;
}

/**
 * Makes a key with the name, kind, functions and lifetime of an old one, which ends in a day at the latest. Undefined for a key
 * of another organisation, and for one that does not work any more: of two rolls at once each makes a key. Part of a transaction.
 */
export function* rollKey(
  organisationId: string,
  id: string,
  madeBy: string,
  nowMs: number,
  keyId = createId('key', nowMs),
): Unit<RolledKey | undefined> {
  const sql = `SELECT 1 AS found FROM api_key WHERE organisation_id = :organisationId AND id = :id FOR UPDATE`;
  if (!(yield* exists(sql, { organisationId, id }))) return undefined;
  const old = yield* readKeyOf(organisationId, id);
  if (old === undefined || old.revokedAtMs !== null || (old.expiresAtMs ?? Infinity) <= nowMs) return undefined;
  const { name, prefix, functions, expiresAtMs, createdAtMs } = old;
  const key = yield* insertApiKey(organisationId, name, {
    id: keyId,
    environment: prefix === 'ocr_test_' ? 'test' : 'live',
    madeBy,
    ...(functions === undefined ? {} : { functions }),
    ...(expiresAtMs === null ? {} : { expiresAtMs: nowMs + expiresAtMs - createdAtMs }),
  });
  const oldEndsAtMs = Math.min(expiresAtMs ?? Infinity, nowMs + ROLL_MS);
  yield* run('UPDATE api_key SET expires_at = :oldEndsAtMs WHERE organisation_id = :organisationId AND id = :id', {
    organisationId,
    id,
    oldEndsAtMs,
  });
  return { keyId, key, oldEndsAtMs };
}

function read(row: Row): ApiKey {
  return { ...row, functions: readNames(row.functions) };
}
