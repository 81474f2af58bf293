import { OcrError } from '../../contract/ocr-error.js';
import { suggest } from '../../contract/suggest.js';
import { listPlans as listStored, type Plan, updatePlan } from '../../store/plans.js';
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
}

/** @throws OcrError NOT_FOUND, USAGE */
export async function setPlan(store: Store, name: string, change: PlanChange): Promise<PlanView> {
  const { requestsPerWindow, documentsPerPeriod, pageCap, functions, webhooks } = change;
  if (Object.values(change).every((value) => value === undefined))
    throw new OcrError('USAGE', 'Nothing to change', { hint: 'The limits of a plan: ocr admin plans set --help' });
  const known = await requirePlan(store, name);
  const changed = await updatePlan(store, known.name, {
    ...(requestsPerWindow === undefined ? {} : { requestsPerWindow: parseCeiling(requestsPerWindow) }),
    ...(documentsPerPeriod === undefined
      ? {}
      : { documentsPerPeriod: parseLimit(documentsPerPeriod, '--documents-per-period', 0) }),
    ...(pageCap === undefined ? {} : { pageCap: parseLimit(pageCap, '--page-cap', 1) }),
    ...(functions === undefined ? {} : { functions: parseFunctions(functions) }),
    ...(webhooks === undefined ? {} : { hasWebhooks: webhooks }),
  });
  return view(changed ?? known);
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

const MOST = 1_000_000_000;

/** The limit is mandatory, because RateLimit-Limit of every answer names it. */
function parseCeiling(text: string): number {
  return parseNumber(text, 1) ?? refuse('--requests-per-window', text, `a whole number from 1 to ${MOST}`);
}

function parseLimit(text: string, flag: string, least: number): number | undefined {
  if (text === 'none') return undefined;
  return parseNumber(text, least) ?? refuse(flag, text, `a whole number from ${least}, or none for no limit`);
}

function parseNumber(text: string, least: number): number | undefined {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  return number >= least && number <= MOST ? number : undefined;
}

function refuse(flag: string, text: string, expected: string): never {
  throw new OcrError('USAGE', `${flag} must be ${expected}, not "${text}"`);
}

function view({ name, hasWebhooks, requestsPerWindow, ...limits }: Plan): PlanView {
  return {
    plan: name,
    functions: limits.functions ?? null,
    pageCap: limits.pageCap ?? null,
    documentsPerPeriod: limits.documentsPerPeriod ?? null,
    requestsPerWindow,
    webhooks: hasWebhooks,
  };
}
