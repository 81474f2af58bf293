import { countOf } from '../../contract/count-of.js';
import type { OcrFunction } from '../../functions/function.js';
import type { Access } from '../../store/access.js';
import type { Plan } from '../../store/plans.js';
import type { Store } from '../../store/store.js';
import { type Allowance, findUsage } from '../../store/usage.js';
import { ServiceError } from '../http/service-error.js';
import { ownerAtStart } from '../limit-owner.js';
import { describeExcessPages } from '../page-counts/page-cap.js';
import type { RateCounter, RateUse } from './rates.js';
import { periodOf, stateOf } from './subscription.js';

const STATES = {
  expired: 'has expired',
  canceled: 'is canceled',
  suspended: 'is suspended',
} as const;

/** @throws ServiceError PAYMENT_REQUIRED */
export function checkSubscription(access: Access, nowMs: number): void {
  const state = stateOf(access, nowMs);
  if (state === 'active' || state === 'trialing') return;
  throw new ServiceError('PAYMENT_REQUIRED', `The subscription of this organisation ${STATES[state]}`);
}

/** True when the key and its plan include the function. */
export function isIncluded({ plan, keyFunctions }: Access, functionId: string): boolean {
  return includes(plan.functions, functionId) && includes(keyFunctions, functionId);
}

/** @throws ServiceError FORBIDDEN, saying whether the plan or the key leaves it out */
export function checkFunction(access: Access, functionId: string): void {
  if (isIncluded(access, functionId)) return;
  const { plan, keyFunctions } = access;
  throw new ServiceError(
    'FORBIDDEN',
    includes(plan.functions, functionId)
      ? `This key may not call ${functionId}: it is limited to ${keyFunctions?.join(', ')}`
      : `${ownerAtStart(plan, 'functions')} does not include ${functionId}`,
  );
}

function includes(functions: readonly string[] | undefined, functionId: string): boolean {
  return functions === undefined || functions.includes(functionId);
}

/** Count of a call in its organisation's rate. */
export interface Rate {
  limit: number;
  use: RateUse;
}

/** Counts the call. */
export async function countCall(rates: RateCounter, access: Access): Promise<Rate> {
  return { limit: access.plan.requestsPerWindow, use: await rates.count(access.organisationId) };
}

/** @throws ServiceError RATE_LIMITED */
export function checkRate({ limit, use }: Rate, plan: Plan, windowMs: number): void {
  if (use.count <= limit) return;
  const retryAfterS = Math.max(1, toSeconds(use.remainingMs()));
  throw new ServiceError(
    'RATE_LIMITED',
    `${ownerAtStart(plan, 'requestsPerWindow')} allows ${countOf(limit, 'call')} in ${windowMs / 1000} s: try again in ${retryAfterS} s`,
    { headers: { 'retry-after': String(retryAfterS) } },
  );
}

/** `RateLimit-*` of an answer to a call that was counted. */
export function describeRate({ limit, use }: Rate): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(Math.max(0, limit - use.count)),
    'ratelimit-reset': String(toSeconds(use.remainingMs())),
  };
}

/** The period that the document of a call counts in. */
export interface Quota extends Allowance {
  endsAtMs: number;
}

/**
 * Refuses a call with a used-up allowance before its body is read. The document counts when it is accepted, so concurrent calls
 * may use up the rest meanwhile.
 * @throws ServiceError QUOTA_EXCEEDED
 */
export async function checkQuota(store: Store, access: Access, nowMs: number): Promise<Quota> {
  const { name: period, endsAtMs } = periodOf(access, nowMs);
  const limit = access.plan.documentsPerPeriod;
  const quota = { period, endsAtMs, limit };
  if (limit !== undefined && (await findUsage(store, access.organisationId, period)) >= limit)
    throw quotaExceeded(quota, access.plan, nowMs);
  return quota;
}

export function quotaExceeded({ limit, endsAtMs }: Quota, plan: Plan, nowMs: number): ServiceError {
  return new ServiceError(
    'QUOTA_EXCEEDED',
    `${ownerAtStart(plan, 'documentsPerPeriod')} allows ${countOf(limit ?? 0, 'document')} in the period that ends ${new Date(endsAtMs).toISOString()}`,
    { headers: { 'retry-after': String(Math.max(1, toSeconds(endsAtMs - nowMs))) } },
  );
}

/**
 * Checks the lower cap of the function and the plan. @throws ServiceError PAGE_LIMIT_EXCEEDED, which names the owner of the cap
 */
export function checkPageCap(pageCount: number, target: OcrFunction, plan: Plan): void {
  const excess = describeExcessPages(pageCount, target, plan);
  if (excess !== undefined) throw new ServiceError('PAGE_LIMIT_EXCEEDED', excess);
}

function toSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
