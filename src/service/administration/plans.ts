import { countOf } from '../../contract/count-of.js';
import { OcrError } from '../../contract/ocr-error.js';
import { suggest } from '../../contract/suggest.js';
import { findNames } from '../../store/names.js';
import type { OwnLimits } from '../../store/organisations.js';
import { deletePlan, insertPlan, listPlans as listStored, type Plan, updatePlan } from '../../store/plans.js';
import type { Store } from '../../store/store.js';
import { parseFunctions } from './parse-functions.js';

/** A plan as `ocr admin plans` prints it. Null is "no limit" or "every function". */
export interface PlanView {
  plan: string;
  functions: readonly string[] | null;
  pageCap: number | null;
  documentsPerPeriod: number | null;
  requestsPerWindow: number;
  webhooks: boolean;
  weight: number;
}

/** Lists plans, smallest first. */
export async function listPlans(store: Store): Promise<PlanView[]> {
  return (await listStored(store)).map(view);
}

/** @throws OcrError NOT_FOUND */
export async function getPlan(store: Store, name: string): Promise<PlanView> {
  return view(await requirePlan(store, name));
}

/** Changes as typed by the operator. Undefined fields stay unchanged. */
export interface PlanChange {
  requestsPerWindow?: string | undefined;
  /** A number or `none`. */
  documentsPerPeriod?: string | undefined;
  pageCap?: string | undefined;
  /** Function ids separated by commas, or `all`. */
  functions?: string | undefined;
  webhooks?: boolean | undefined;
  weight?: string | undefined;
}

/** @throws OcrError NOT_FOUND, USAGE */
export async function setPlan(store: Store, name: string, change: PlanChange): Promise<PlanView> {
  if (Object.values(change).every((value) => value === undefined))
    throw new OcrError('USAGE', 'Nothing to change', { hint: 'The limits of a plan: ocr admin plans set --help' });
  const known = await requirePlan(store, name);
  return view((await updatePlan(store, known.name, parseChange(change))) ?? known);
}

const PLAN_NAME = /^[A-Z][A-Z0-9_-]{0,39}$/;

/** Creates a plan with the limits of another and the given changes. @throws OcrError NOT_FOUND for the other one, USAGE */
export async function createPlan(store: Store, typed: string, from: string, change: PlanChange): Promise<PlanView> {
  const name = typed.toUpperCase();
  if (!PLAN_NAME.test(name))
    throw new OcrError('USAGE', `A plan cannot be called "${typed}"`, {
      hint: 'A name begins with a letter and has letters, digits, _ and -, at most 40: SCHOOLS, STARTER_PLUS',
    });
  const model = await requirePlan(store, from);
  const plan = { ...model, ...parseChange(change), name };
  if (!(await insertPlan(store, plan, model.name)))
    throw new OcrError('USAGE', `There is a plan ${name} already`, { hint: `Change it: ocr admin plans set ${name}` });
  return view(plan);
}

/** Plans that every store has from its first start. New organisations get two of them by default. */
const BUILT_IN = ['TRIAL', 'STARTER', 'BUSINESS', 'ENTERPRISE'];

/** True for a plan that can be changed, but not removed. */
export function isBuiltIn({ name }: Pick<Plan, 'name'>): boolean {
  return BUILT_IN.includes(name);
}

/** Removes a plan that no organisation has. @throws OcrError NOT_FOUND; USAGE with those that have it, or for a built-in plan */
export async function removePlan(store: Store, typed: string): Promise<PlanView> {
  const plan = await requirePlan(store, typed);
  const { name } = plan;
  if (isBuiltIn(plan))
    throw new OcrError('USAGE', `The plan ${name} is built in: it can be changed, not deleted`, {
      hint: `ocr admin plans set ${name} --help`,
    });
  const holders = await deletePlan(store, name);
  if (holders.length === 0) return view(plan);
  const names = await findNames(store, holders);
  const described = holders.map((id) => `${names.organisation(id)} (${id})`).join(', ');
  throw new OcrError('USAGE', `${countOf(holders.length, 'organisation')} on the plan ${name}: ${described}`, {
    hint: holders.map((id) => `ocr admin orgs update ${id} --plan STARTER`).join('\n'),
  });
}

function parseChange(change: PlanChange): Partial<Omit<Plan, 'name'>> {
  const { requestsPerWindow, documentsPerPeriod, pageCap, functions, webhooks, weight } = change;
  return {
    ...(requestsPerWindow === undefined
      ? {}
      : { requestsPerWindow: requireLimit('requestsPerWindow', requestsPerWindow) }),
    ...(documentsPerPeriod === undefined
      ? {}
      : { documentsPerPeriod: parseLimit('documentsPerPeriod', documentsPerPeriod) }),
    ...(pageCap === undefined ? {} : { pageCap: parseLimit('pageCap', pageCap) }),
    ...(functions === undefined ? {} : { functions: parseFunctions(functions) }),
    ...(webhooks === undefined ? {} : { hasWebhooks: webhooks }),
    ...(weight === undefined ? {} : { weight: requireLimit('weight', weight) }),
  };
}

/** The word for "as the plan has it" in a limit of one organisation. */
const AS_PLAN = 'plan';

/** Parses limits of one organisation. Undefined ones are absent from the result. @throws OcrError USAGE */
export function parseOwnLimits(change: PlanChange): Partial<OwnLimits> {
  const { functions, pageCap, documentsPerPeriod, requestsPerWindow, webhooks } = change;
  const parse = (text: string | undefined, name: keyof OwnLimits, read: (given: string) => number | string) =>
    text === undefined ? {} : { [name]: text === AS_PLAN ? null : read(text) };
  return {
    ...parse(functions, 'functions', (text) => {
      const ids = parseFunctions(text);
      return ids === undefined ? 'all' : JSON.stringify(ids);
    }),
    ...parse(pageCap, 'pageCap', (text) => parseLimit('pageCap', text) ?? -1),
    ...parse(documentsPerPeriod, 'documentsPerPeriod', (text) => parseLimit('documentsPerPeriod', text) ?? -1),
    ...parse(requestsPerWindow, 'requestsPerWindow', (text) => requireLimit('requestsPerWindow', text)),
    ...(webhooks === undefined ? {} : { webhooks: webhooks ? 1 : 0 }),
  };
}

/** Finds a plan by its name in any case. @throws OcrError NOT_FOUND, with a suggestion */
export async function requirePlan(store: Store, name: string): Promise<Plan> {
  const plans = await listStored(store);
  const found = plans.find((plan) => plan.name === name.toUpperCase());
  if (found !== undefined) return found;
  const names = plans.map((plan) => plan.name);
  const near = suggest(name, names);
  throw new OcrError('NOT_FOUND', `There is no plan ${name}`, {
    status: 404,
    hint: near === undefined ? `Plans: ${names.join(', ')}` : `Did you mean ${near}?`,
  });
}

const MAX_LIMIT = 1_000_000_000;

/** Limits that are numbers. Those that must be one: RateLimit-Limit of every answer names the first, turns the second. */
const LIMITS = {
  requestsPerWindow: { flag: '--requests-per-window', least: 1, most: MAX_LIMIT, mayBeNone: false },
  documentsPerPeriod: { flag: '--documents-per-period', least: 0, most: MAX_LIMIT, mayBeNone: true },
  pageCap: { flag: '--page-cap', least: 1, most: MAX_LIMIT, mayBeNone: true },
  weight: { flag: '--weight', least: 1, most: 1_000, mayBeNone: false },
} as const;
type LimitName = keyof typeof LIMITS;

/** Returns what a limit must be, where the text is none; undefined for one that is. */
export function describeWrongLimit(name: LimitName, text: string): string | undefined {
  const { least, most, mayBeNone } = LIMITS[name];
  const number = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if ((mayBeNone && text === 'none') || (number >= least && number <= most)) return undefined;
  return mayBeNone ? `a whole number from ${least}, or none for no limit` : `a whole number from ${least} to ${most}`;
}

/** Parses a limit; undefined is none. @throws OcrError USAGE */
function parseLimit(name: LimitName, text: string): number | undefined {
  const expected = describeWrongLimit(name, text);
  if (expected === undefined) return text === 'none' ? undefined : Number(text);
  throw new OcrError('USAGE', `${LIMITS[name].flag} must be ${expected}, not "${text}"`);
}

function requireLimit(name: 'requestsPerWindow' | 'weight', text: string): number {
  return parseLimit(name, text) as number;
}

/** Describes limits, a plan's or those that apply to an organisation. */
export function viewLimits(plan: Plan): Omit<PlanView, 'plan'> {
  const { plan: _, ...limits } = view(plan);
  return limits;
}

function view({ name, hasWebhooks, requestsPerWindow, weight, ...limits }: Plan): PlanView {
  return {
    plan: name,
    functions: limits.functions ?? null,
    pageCap: limits.pageCap ?? null,
    documentsPerPeriod: limits.documentsPerPeriod ?? null,
    requestsPerWindow,
    webhooks: hasWebhooks,
    weight,
  };
}
