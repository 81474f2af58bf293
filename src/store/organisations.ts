import type { Subscription } from '../contract/subscription.js';
import { audit } from './audit.js';
import { LIMIT_COLUMNS, type Plan, type PlanRow, readPlan } from './plans.js';
import type { Store } from './store.js';
import { all, exists, one, run, type Unit } from './unit.js';

/** A stored organisation. Times are Unix milliseconds. */
export interface Organisation {
  id: string;
  name: string;
  plan: string;
  subscription: Subscription;
  trialStartedAtMs: number | null;
  trialEndsAtMs: number | null;
  isLocal: boolean;
  createdAtMs: number;
  /** Limits that apply: its own, and for the others those of its plan. */
  limits: Plan;
  ownLimits: OwnLimits;
}

/**
 * Limits of one organisation, in stored form; null is the plan's. A number is -1 for no limit, `functions` is a JSON array or
 * `all`, `webhooks` is 0 or 1.
 */
export interface OwnLimits {
  functions: string | null;
  pageCap: number | null;
  documentsPerPeriod: number | null;
  requestsPerWindow: number | null;
  webhooks: number | null;
}

export const NO_OWN_LIMITS: OwnLimits = {
  functions: null,
  pageCap: null,
  documentsPerPeriod: null,
  requestsPerWindow: null,
  webhooks: null,
};

type Row = Omit<Organisation, 'isLocal' | 'limits' | 'ownLimits'> &
  PlanRow & {
    local: number;
    ownFunctions: string | null;
    ownPageCap: number | null;
    ownDocumentsPerPeriod: number | null;
    ownRequestsPerWindow: number | null;
    ownWebhooks: number | null;
  };

const SELECT = `SELECT id, organisation.name AS name, organisation.plan AS plan, subscription,
  trial_started_at AS "trialStartedAtMs", trial_ends_at AS "trialEndsAtMs", is_local AS local, created_at AS "createdAtMs",
  own_functions AS "ownFunctions", own_page_cap AS "ownPageCap", own_documents_per_period AS "ownDocumentsPerPeriod",
  own_requests_per_window AS "ownRequestsPerWindow", own_webhooks AS "ownWebhooks", ${LIMIT_COLUMNS}
  FROM organisation JOIN plan ON plan.name = organisation.plan`;

/** Lists organisations, oldest first. */
export async function listOrganisations(store: Store): Promise<Organisation[]> {
  return (await store.read(all<Row>(`${SELECT} ORDER BY created_at, id`))).map(read);
}

export async function findOrganisation(store: Store, id: string): Promise<Organisation | undefined> {
  return await store.read(find(id));
}

function* find(id: string): Unit<Organisation | undefined> {
  const row = yield* one<Row>(`${SELECT} WHERE id = :id`, { id });
  return row && read(row);
}

export interface OrganisationChange {
  name?: string | undefined;
  plan?: string | undefined;
  subscription?: Subscription | undefined;
  ownLimits?: Partial<OwnLimits> | undefined;
  /** Trial that begins when the subscription becomes `trialing` and no earlier trial still runs. */
  newTrial?: { startedAtMs: number; endsAtMs: number } | undefined;
}

/**
 * Changes an organisation in one transaction; undefined when no organisation has this id. @throws Error for a plan that was
 * removed meanwhile
 */
export async function updateOrganisation(
  store: Store,
  id: string,
  { name, plan, subscription, ownLimits, newTrial }: OrganisationChange,
): Promise<Organisation | undefined> {
  return await store.write(function* () {
    yield* lockOrganisation(id);
    const known = yield* find(id);
    if (known === undefined) return undefined;
    yield* checkPlanExists(plan ?? known.plan);
    const trial =
      subscription === 'trialing' && newTrial !== undefined && (known.trialEndsAtMs ?? 0) <= newTrial.startedAtMs
        ? newTrial
        : { startedAtMs: known.trialStartedAtMs, endsAtMs: known.trialEndsAtMs };
    const own = { ...known.ownLimits, ...ownLimits };
    yield* run(
      `UPDATE organisation SET name = :name, plan = :plan, subscription = :subscription, trial_started_at = :startedAtMs,
         trial_ends_at = :endsAtMs, own_functions = :functions, own_page_cap = :pageCap,
         own_documents_per_period = :documentsPerPeriod, own_requests_per_window = :requestsPerWindow,
         own_webhooks = :webhooks WHERE id = :id`,
      {
        id,
        name: name ?? known.name,
        plan: plan ?? known.plan,
        subscription: subscription ?? known.subscription,
        startedAtMs: trial.startedAtMs,
        endsAtMs: trial.endsAtMs,
        ...own,
      },
    );
    const detail = { name, plan, subscription, ...ownLimits };
    yield* audit(store, { action: 'organisation.update', organisationId: id, subjectId: id, detail });
    return yield* find(id);
  });
}

/** Holds off other changes of an organisation's rows until the end of the transaction. */
export function* lockOrganisation(id: string): Unit<void> {
  yield* one('SELECT 1 AS found FROM organisation WHERE id = :id FOR NO KEY UPDATE', { id });
}

/** Holds off the removal of a plan by another process, which would leave the organisation without one. @throws Error */
export function* checkPlanExists(plan: string): Unit<void> {
  if (!(yield* exists('SELECT 1 AS found FROM plan WHERE name = :plan FOR SHARE', { plan })))
    throw new Error(`There is no plan ${plan} any more`);
}

function read(row: Row): Organisation {
  const { id, name, plan, subscription, trialStartedAtMs, trialEndsAtMs, createdAtMs } = row;
  return {
    id,
    name,
    plan,
    subscription,
    trialStartedAtMs,
    trialEndsAtMs,
    isLocal: row.local === 1,
    createdAtMs,
    limits: readPlan(row),
    ownLimits: {
      functions: row.ownFunctions,
      pageCap: row.ownPageCap,
      documentsPerPeriod: row.ownDocumentsPerPeriod,
      requestsPerWindow: row.ownRequestsPerWindow,
      webhooks: row.ownWebhooks,
    },
  };
}
