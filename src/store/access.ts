import { hashApiKey, mintApiKey } from '../contract/api-key.js';
import { createId } from '../contract/identifiers.js';
import type { Subscription } from '../contract/subscription.js';
import { PLAN_COLUMNS, type Plan, type PlanRow, readPlan } from './plans.js';
import type { Store } from './store.js';

/** Whom a key belongs to, as far as a log needs to know. */
export interface Caller {
  organisationId: string;
  keyId: string;
  keyLastFour: string;
}

/** A key with its organisation and plan: all that decides whether a call is let in. Times are Unix milliseconds. */
export interface Access extends Caller {
  keyExpiresAtMs: number | null;
  keyLastUsedAtMs: number | null;
  /** The functions that the key is limited to; undefined: none but the plan's limits. */
  keyFunctions: readonly string[] | undefined;
  /** As it stands in the store: a trial that is over still says `trialing` there. */
  subscription: Subscription;
  trialStartedAtMs: number | null;
  trialEndsAtMs: number | null;
  plan: Plan;
}

type AccessRow = Omit<Access, 'keyFunctions' | 'plan'> & PlanRow & { keyFunctions: string | null };

/** The key that is not revoked, expired or not: whether it is past its time is for who asks, at the moment of asking. */
export async function findAccess(store: Store, keyHash: string): Promise<Access | undefined> {
  const row = store.read.get<AccessRow>(
    `SELECT api_key.organisation_id AS "organisationId", api_key.id AS "keyId", last_four AS "keyLastFour",
       expires_at AS "keyExpiresAtMs", last_used_at AS "keyLastUsedAtMs", api_key.functions AS "keyFunctions", subscription,
       trial_started_at AS "trialStartedAtMs", trial_ends_at AS "trialEndsAtMs", ${PLAN_COLUMNS}
     FROM api_key JOIN organisation ON organisation.id = api_key.organisation_id JOIN plan ON plan.name = organisation.plan
     WHERE hash = ? AND revoked_at IS NULL`,
    keyHash,
  );
  if (row === undefined) return undefined;
  const { organisationId, keyId, keyLastFour, keyExpiresAtMs, keyLastUsedAtMs, subscription } = row;
  return {
    organisationId,
    keyId,
    keyLastFour,
    keyExpiresAtMs,
    keyLastUsedAtMs,
    keyFunctions: readNames(row.keyFunctions),
    subscription,
    trialStartedAtMs: row.trialStartedAtMs,
    trialEndsAtMs: row.trialEndsAtMs,
    plan: readPlan(row),
  };
}

/** A list of function ids as it is stored: NULL is every function. */
export function readNames(text: string | null): readonly string[] | undefined {
  return text === null ? undefined : (JSON.parse(text) as string[]);
}

/** Says when a key was last used, unless another call said it within `leastApartMs`. */
export async function recordKeyUse(store: Store, keyId: string, nowMs: number, leastApartMs: number): Promise<void> {
  await store.write((db) =>
    db.run(
      'UPDATE api_key SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)',
      nowMs,
      keyId,
      nowMs - leastApartMs,
    ),
  );
}

export interface NewOrganisation {
  plan?: string;
  subscription?: Subscription;
  trial?: { startedAtMs: number; endsAtMs: number };
  /** Its key is the one that this machine's own commands use. */
  isLocal?: boolean;
}

/** Without more, an organisation without limits. Returns its id. */
export async function createOrganisation(store: Store, name: string, more: NewOrganisation = {}): Promise<string> {
  const id = createId('org');
  await store.write((db) =>
    db.run(
      `INSERT INTO organisation (id, name, created_at, plan, subscription, trial_started_at, trial_ends_at, is_local)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      name,
      Date.now(),
      more.plan ?? 'ENTERPRISE',
      more.subscription ?? 'active',
      more.trial?.startedAtMs ?? null,
      more.trial?.endsAtMs ?? null,
      more.isLocal === true ? 1 : 0,
    ),
  );
  return id;
}

/** The organisation of this machine itself; undefined before the first start of its service. */
export async function findLocalOrganisation(store: Store): Promise<string | undefined> {
  return store.read.get<{ id: string }>(
    'SELECT id FROM organisation WHERE is_local = 1 ORDER BY created_at, id LIMIT 1',
  )?.id;
}

export interface NewApiKey {
  id?: string;
  environment?: 'live' | 'test';
  expiresAtMs?: number;
  functions?: readonly string[];
}

/** Mints a key; the raw key is returned this once and only its hash is kept. */
export async function createApiKey(
  store: Store,
  organisationId: string,
  name: string,
  { id = createId('key'), environment = 'live', expiresAtMs, functions }: NewApiKey = {},
): Promise<string> {
  const key = mintApiKey(environment);
  const prefix = key.slice(0, key.lastIndexOf('_') + 1);
  await store.write((db) =>
    db.run(
      `INSERT INTO api_key (id, organisation_id, name, hash, prefix, last_four, created_at, expires_at, functions)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      organisationId,
      name,
      hashApiKey(key),
      prefix,
      key.slice(-4),
      Date.now(),
      expiresAtMs ?? null,
      functions === undefined ? null : JSON.stringify(functions),
    ),
  );
  return key;
}
