import { hashApiKey, mintApiKey } from '../contract/api-key.js';
import { createId } from '../contract/identifiers.js';
import { PORTAL_KEY } from '../contract/portal.js';
import type { Subscription } from '../contract/subscription.js';
import { audit } from './audit.js';
import { checkPlanExists } from './organisations.js';
import { LIMIT_COLUMNS, type Plan, type PlanRow, readPlan } from './plans.js';
import type { Store } from './store.js';
import { ids, now, one, run, type Unit } from './unit.js';

/** The key of a call and its organisation, as logs name them. */
export interface Caller {
  organisationId: string;
  keyId: string;
  keyLastFour: string;
}

/** The key of any call; a support key has no organisation. */
export type CallingKey = Omit<Caller, 'organisationId'> & { organisationId: string | undefined };

/** A key with its organisation and plan: everything that admission decides on. Times are Unix milliseconds. */
export interface Access extends Caller {
  keyExpiresAtMs: number | null;
  keyLastUsedAtMs: number | null;
  /** The functions that the key is limited to; undefined when only the plan limits it. */
  keyFunctions: readonly string[] | undefined;
  /** The stored state: an expired trial is still `trialing` there. */
  subscription: Subscription;
  trialStartedAtMs: number | null;
  trialEndsAtMs: number | null;
  plan: Plan;
}

/** A key that reads the requests and jobs of all organisations, and belongs to none. */
export interface SupportAccess extends CallingKey {
  organisationId: undefined;
  keyExpiresAtMs: number | null;
  keyLastUsedAtMs: number | null;
}

type OrganisationAccess = Pick<
  Access,
  'organisationId' | 'subscription' | 'trialStartedAtMs' | 'trialEndsAtMs' | 'plan'
>;
type OrganisationRow = Omit<OrganisationAccess, 'plan'> & PlanRow;
type AccessRow = Omit<Access, 'keyFunctions' | 'plan'> & PlanRow & { keyFunctions: string | null };

const ORGANISATION_COLUMNS = `organisation.id AS "organisationId", subscription, trial_started_at AS "trialStartedAtMs",
  trial_ends_at AS "trialEndsAtMs", ${LIMIT_COLUMNS}`;

/** Finds a support key that is not revoked. It may have expired, too. */
export async function findSupportAccess(store: Store, keyHash: string): Promise<SupportAccess | undefined> {
  const row = await store.read(
    one<Omit<SupportAccess, 'organisationId'>>(
      `SELECT id AS "keyId", last_four AS "keyLastFour", expires_at AS "keyExpiresAtMs", last_used_at AS "keyLastUsedAtMs"
     FROM api_key WHERE hash = :keyHash AND revoked_at IS NULL AND organisation_id IS NULL`,
      { keyHash },
    ),
  );
  return row && { ...row, organisationId: undefined };
}

/** Finds an organisation's key that is not revoked. It may have expired: the caller compares `keyExpiresAtMs` with its own clock. */
export async function findAccess(store: Store, keyHash: string): Promise<Access | undefined> {
  const row = await store.read(
    one<AccessRow>(
      `SELECT api_key.id AS "keyId", last_four AS "keyLastFour", expires_at AS "keyExpiresAtMs",
       last_used_at AS "keyLastUsedAtMs", api_key.functions AS "keyFunctions", ${ORGANISATION_COLUMNS}
     FROM api_key JOIN organisation ON organisation.id = api_key.organisation_id JOIN plan ON plan.name = organisation.plan
     WHERE hash = :keyHash AND revoked_at IS NULL`,
      { keyHash },
    ),
  );
  if (row === undefined) return undefined;
  const { keyId, keyLastFour, keyExpiresAtMs, keyLastUsedAtMs } = row;
  return {
    ...toOrganisationAccess(row),
    keyId,
    keyLastFour,
    keyExpiresAtMs,
    keyLastUsedAtMs,
    keyFunctions: readNames(row.keyFunctions),
  };
}

/** Finds what an organisation may do, for somebody with a session of the portal: the plan alone limits it. */
export async function findPortalAccess(store: Store, organisationId: string): Promise<Access | undefined> {
  const row = await store.read(
    one<OrganisationRow>(
      `SELECT ${ORGANISATION_COLUMNS} FROM organisation JOIN plan ON plan.name = organisation.plan
     WHERE organisation.id = :organisationId`,
      { organisationId },
    ),
  );
  if (row === undefined) return undefined;
  return {
    ...toOrganisationAccess(row),
    keyId: PORTAL_KEY,
    keyLastFour: PORTAL_KEY,
    keyExpiresAtMs: null,
    keyLastUsedAtMs: null,
    keyFunctions: undefined,
  };
}

function toOrganisationAccess(row: OrganisationRow): OrganisationAccess {
  const { organisationId, subscription, trialStartedAtMs, trialEndsAtMs } = row;
  return { organisationId, subscription, trialStartedAtMs, trialEndsAtMs, plan: readPlan(row) };
}

/** Reads a stored list of function ids: NULL is every function. */
export function readNames(text: string | null): readonly string[] | undefined {
  return text === null ? undefined : (JSON.parse(text) as string[]);
}

/** Records the last use of a key, unless another call recorded one within `minIntervalMs`. */
export async function recordKeyUse(store: Store, keyId: string, nowMs: number, minIntervalMs: number): Promise<void> {
  await store.write(() =>
    run(
      'UPDATE api_key SET last_used_at = :nowMs WHERE id = :keyId AND (last_used_at IS NULL OR last_used_at <= :untilMs)',
      { keyId, nowMs, untilMs: nowMs - minIntervalMs },
    ),
  );
}

export interface NewOrganisation {
  id?: string;
  plan?: string;
  subscription?: Subscription;
  trial?: { startedAtMs: number; endsAtMs: number };
  /** True for the organisation whose key this machine's own commands use. */
  isLocal?: boolean;
}

/** Returns the id of the new organisation, which has no limits by default. */
export async function createOrganisation(store: Store, name: string, options: NewOrganisation = {}): Promise<string> {
  const { id = createId('org') } = options;
  const plan = options.plan ?? 'ENTERPRISE';
  await store.write(function* () {
    yield* checkPlanExists(plan);
    yield* run(
      `INSERT INTO organisation (id, name, created_at, plan, subscription, trial_started_at, trial_ends_at, is_local)
       VALUES (:id, :name, :nowMs, :plan, :subscription, :trialStartedAtMs, :trialEndsAtMs, :isLocal)`,
      {
        id,
        name,
        nowMs: store.clock.now(),
        plan,
        subscription: options.subscription ?? 'active',
        trialStartedAtMs: options.trial?.startedAtMs ?? null,
        trialEndsAtMs: options.trial?.endsAtMs ?? null,
        isLocal: options.isLocal === true ? 1 : 0,
      },
    );
    yield* audit(store, { action: 'organisation.create', organisationId: id, subjectId: id, detail: { name, plan } });
  });
  return id;
}

/** Returns the id of this machine's own organisation; undefined before the first start of its service. */
export async function findLocalOrganisation(store: Store): Promise<string | undefined> {
  const [id] = await store.read(ids('SELECT id FROM organisation WHERE is_local = 1 ORDER BY created_at, id LIMIT 1'));
  return id;
}

export interface NewApiKey {
  id?: string;
  environment?: 'live' | 'test';
  expiresAtMs?: number;
  functions?: readonly string[];
  /** The name of who makes it. */
  madeBy?: string;
}

/**
 * Returns the new raw key. Only its hash is stored, so nothing can return it again. Without an organisation it is a support
 * key.
 */
export async function createApiKey(
  store: Store,
  organisationId: string | null,
  name: string,
  { id = createId('key'), ...options }: NewApiKey = {},
): Promise<string> {
  return await store.write(function* () {
    const key = yield* insertApiKey(organisationId, name, { id, ...options });
    yield* audit(store, { action: 'key.create', organisationId, subjectId: id, detail: { name } });
    return key;
  });
}

/** Writes a key, as createApiKey does. Part of a transaction. */
export function* insertApiKey(
  organisationId: string | null,
  name: string,
  { id = createId('key'), environment = 'live', expiresAtMs, functions, madeBy }: NewApiKey = {},
): Unit<string> {
  const key = mintApiKey(environment);
  yield* run(
    `INSERT INTO api_key (id, organisation_id, name, hash, prefix, last_four, created_at, expires_at, functions, made_by)
     VALUES (:id, :organisationId, :name, :hash, :prefix, :lastFour, :nowMs, :expiresAtMs, :functions, :madeBy)`,
    {
      id,
      organisationId,
      name,
      hash: hashApiKey(key),
      prefix: key.slice(0, key.lastIndexOf('_') + 1),
      lastFour: key.slice(-4),
      nowMs: yield* now(),
      expiresAtMs: expiresAtMs ?? null,
      functions: functions === undefined ? null : JSON.stringify(functions),
      madeBy: madeBy ?? null,
    },
  );
  return key;
}
