import { audit } from './audit.js';
import type { Store } from './store.js';
import { all, ids, one, run } from './unit.js';

/** Limits of an organisation. Undefined is "no limit". */
export interface Plan {
  name: string;
  functions: readonly string[] | undefined;
  pageCap: number | undefined;
  documentsPerPeriod: number | undefined;
  requestsPerWindow: number;
  hasWebhooks: boolean;
  /** Its share of workers that are all taken, beside other plans: turns.ts. */
  weight: number;
  /** Limits that are the organisation's own, and not its plan's. */
  own?: readonly OwnLimit[];
}

/** Limits whose owner is named where they refuse a call. */
const OWN_LIMITS = ['functions', 'pageCap', 'documentsPerPeriod', 'requestsPerWindow'] as const;
export type OwnLimit = (typeof OWN_LIMITS)[number];

/** A row of PLAN_COLUMNS. */
export interface PlanRow {
  planName: string;
  planFunctions: string | null;
  pageCap: number | null;
  documentsPerPeriod: number | null;
  requestsPerWindow: number;
  webhooks: number;
  weight: number;
  /** The names of OWN_LIMITS that are the organisation's own, separated by spaces. */
  ownNames?: string;
}

const PLAN_COLUMNS = `plan.name AS "planName", plan.functions AS "planFunctions", plan.page_cap AS "pageCap",
  plan.documents_per_period AS "documentsPerPeriod", plan.requests_per_window AS "requestsPerWindow", plan.webhooks, plan.weight`;

/** The same columns for an organisation that is joined with its plan: its own limits come before those of the plan. */
export const LIMIT_COLUMNS = `plan.name AS "planName", nullif(coalesce(own_functions, plan.functions), 'all') AS "planFunctions",
  nullif(coalesce(own_page_cap, plan.page_cap), -1) AS "pageCap",
  nullif(coalesce(own_documents_per_period, plan.documents_per_period), -1) AS "documentsPerPeriod",
  coalesce(own_requests_per_window, plan.requests_per_window) AS "requestsPerWindow",
  coalesce(own_webhooks, plan.webhooks) AS webhooks, plan.weight,
  CASE WHEN own_functions IS NULL THEN '' ELSE 'functions ' END || CASE WHEN own_page_cap IS NULL THEN '' ELSE 'pageCap ' END ||
  CASE WHEN own_documents_per_period IS NULL THEN '' ELSE 'documentsPerPeriod ' END ||
  CASE WHEN own_requests_per_window IS NULL THEN '' ELSE 'requestsPerWindow' END AS "ownNames"`;

export function readPlan(row: PlanRow): Plan {
  const names = row.ownNames?.split(' ') ?? [];
  const own = OWN_LIMITS.filter((name) => names.includes(name));
  return {
    ...(own.length === 0 ? {} : { own }),
    name: row.planName,
    functions: row.planFunctions === null ? undefined : (JSON.parse(row.planFunctions) as string[]),
    pageCap: row.pageCap ?? undefined,
    documentsPerPeriod: row.documentsPerPeriod ?? undefined,
    requestsPerWindow: row.requestsPerWindow,
    hasWebhooks: row.webhooks === 1,
    weight: row.weight,
  };
}

/** Finds the plan of an organisation, with the organisation's own limits; undefined for an unknown one. */
export async function findPlanOf(store: Store, organisationId: string): Promise<Plan | undefined> {
  const row = await store.read(
    one<PlanRow>(
      `SELECT ${LIMIT_COLUMNS} FROM organisation JOIN plan ON plan.name = organisation.plan WHERE organisation.id = :organisationId`,
      { organisationId },
    ),
  );
  return row && readPlan(row);
}

/** Lists plans, smallest first. */
export async function listPlans(store: Store): Promise<Plan[]> {
  return (await store.read(all<PlanRow>(`SELECT ${PLAN_COLUMNS} FROM plan ORDER BY position, name`))).map(readPlan);
}

/** Adds a plan with the limits of another and places it beside that one; false when there is one of this name. */
export async function insertPlan(store: Store, { name, ...limits }: Plan, from: string): Promise<boolean> {
  return await store.write(function* () {
    const added = yield* run(
      `INSERT INTO plan (name, position, functions, page_cap, documents_per_period, requests_per_window, webhooks, weight)
       SELECT :name, position, :functions, :pageCap, :documentsPerPeriod, :requestsPerWindow, :webhooks, :weight FROM plan
       WHERE name = :from ON CONFLICT (name) DO NOTHING`,
      { name, from, ...toColumns(limits) },
    );
    if (added === 1)
      yield* audit(store, { action: 'plan.create', organisationId: null, subjectId: name, detail: limits });
    return added === 1;
  });
}

/** Removes a plan that no organisation has; otherwise returns the ids of those that have it. */
export async function deletePlan(store: Store, name: string): Promise<string[]> {
  return await store.write(function* () {
    yield* one('SELECT 1 AS found FROM plan WHERE name = :name FOR UPDATE', { name });
    const holders = yield* ids('SELECT id FROM organisation WHERE plan = :name ORDER BY created_at, id', { name });
    if (holders.length === 0 && (yield* run('DELETE FROM plan WHERE name = :name', { name })) > 0)
      yield* audit(store, { action: 'plan.delete', organisationId: null, subjectId: name });
    return holders;
  });
}

function toColumns(plan: Omit<Plan, 'name'>) {
  return {
    functions: plan.functions === undefined ? null : JSON.stringify(plan.functions),
    pageCap: plan.pageCap ?? null,
    documentsPerPeriod: plan.documentsPerPeriod ?? null,
    requestsPerWindow: plan.requestsPerWindow,
    webhooks: plan.hasWebhooks ? 1 : 0,
    weight: plan.weight,
  };
}

/** Changes a plan in one transaction; undefined when no plan has this name. */
export async function updatePlan(
  store: Store,
  name: string,
  change: Partial<Omit<Plan, 'name'>>,
): Promise<Plan | undefined> {
  return await store.write(function* () {
    const row = yield* one<PlanRow>(`SELECT ${PLAN_COLUMNS} FROM plan WHERE name = :name FOR UPDATE`, { name });
    if (row === undefined) return undefined;
    const plan = { ...readPlan(row), ...change };
    yield* run(
      `UPDATE plan SET functions = :functions, page_cap = :pageCap, documents_per_period = :documentsPerPeriod,
         requests_per_window = :requestsPerWindow, webhooks = :webhooks, weight = :weight WHERE name = :name`,
      { name, ...toColumns(plan) },
    );
    yield* audit(store, { action: 'plan.update', organisationId: null, subjectId: name, detail: change });
    return plan;
  });
}
