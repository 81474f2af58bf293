import { OcrError } from '../../contract/ocr-error.js';
import { SUBSCRIPTIONS, type Subscription } from '../../contract/subscription.js';
import { suggest } from '../../contract/suggest.js';
import { formatTime, formatTimeOrNull } from '../../contract/time.js';
import { createOrganisation as insertOrganisation } from '../../store/access.js';
import {
  findOrganisation,
  listOrganisations as listStored,
  type Organisation,
  updateOrganisation,
} from '../../store/organisations.js';
import type { Store } from '../../store/store.js';
import { findUsage } from '../../store/usage.js';
import { beginTrial, periodOf, stateOf } from '../intake/subscription.js';
import { checkName } from './check-name.js';
import { requirePlan } from './plans.js';

/** An organisation as `ocr admin orgs` prints it. Times are RFC 3339 UTC. */
export interface OrganisationView {
  orgId: string;
  name: string;
  plan: string;
  /** The present state: a trial past its end is `expired`. */
  subscription: Subscription;
  trialEndsAt: string | null;
  /** True for this machine's own organisation, which `ocr extract` uses when no other service is configured. */
  local: boolean;
  createdAt: string;
}

export interface UsageView {
  /** `2026-11` or `trial:<start>`. */
  period: string;
  documents: number;
  /** Null for a plan without this limit. */
  limit: number | null;
  endsAt: string;
}

export async function listOrganisations(store: Store): Promise<OrganisationView[]> {
  return (await listStored(store)).map(view);
}

export interface NewOrganisation {
  name: string;
  /** The default is TRIAL. */
  plan?: string | undefined;
}

/**
 * Creates an organisation. TRIAL starts a trial of 30 days, every other plan is active at once. @throws OcrError USAGE,
 * NOT_FOUND for the plan
 */
export async function createOrganisation(store: Store, options: NewOrganisation): Promise<OrganisationView> {
  const name = checkName(options.name, "An organisation's");
  const { name: plan } = await requirePlan(store, options.plan ?? 'TRIAL');
  const more =
    plan === 'TRIAL'
      ? { plan, subscription: 'trialing' as const, trial: beginTrial(Date.now()) }
      : { plan, subscription: 'active' as const };
  return view(await requireOrganisation(store, await insertOrganisation(store, name, more)));
}

/** Returns an organisation with its usage in the present period. @throws OcrError NOT_FOUND */
export async function getOrganisation(store: Store, id: string): Promise<OrganisationView & { usage: UsageView }> {
  const found = await requireOrganisation(store, id);
  const { name: period, endsAtMs } = periodOf(found, Date.now());
  const { documentsPerPeriod } = await requirePlan(store, found.plan);
  const documents = await findUsage(store, id, period);
  return {
    ...view(found),
    usage: { period, documents, limit: documentsPerPeriod ?? null, endsAt: formatTime(endsAtMs) },
  };
}

export interface OrganisationChange {
  plan?: string | undefined;
  subscription?: string | undefined;
}

/**
 * Changes an organisation's plan, its subscription, or both. `trialing` continues a trial that still runs, and otherwise starts
 * one of 30 days. @throws OcrError NOT_FOUND, USAGE
 */
export async function changeOrganisation(
  store: Store,
  id: string,
  change: OrganisationChange,
): Promise<OrganisationView> {
  if (change.plan === undefined && change.subscription === undefined)
    throw new OcrError('USAGE', 'Nothing to change', { hint: 'Give --plan, --subscription or both.' });
  const plan = change.plan === undefined ? undefined : (await requirePlan(store, change.plan)).name;
  const subscription = change.subscription === undefined ? undefined : checkSubscription(change.subscription);
  const changed = await updateOrganisation(store, id, { plan, subscription, newTrial: beginTrial(Date.now()) });
  if (changed === undefined) throw noSuchOrganisation(id);
  return view(changed);
}

/** @throws OcrError NOT_FOUND */
export async function requireOrganisation(store: Store, id: string): Promise<Organisation> {
  const found = await findOrganisation(store, id);
  if (found === undefined) throw noSuchOrganisation(id);
  return found;
}

function noSuchOrganisation(id: string): OcrError {
  return new OcrError('NOT_FOUND', `There is no organisation ${id}`, {
    status: 404,
    hint: 'List them: ocr admin orgs list',
  });
}

function checkSubscription(text: string): Subscription {
  const known = SUBSCRIPTIONS.find((one) => one === text.toLowerCase());
  if (known !== undefined) return known;
  const near = suggest(text, SUBSCRIPTIONS);
  throw new OcrError('USAGE', `There is no subscription state "${text}"`, {
    hint: near === undefined ? `States: ${SUBSCRIPTIONS.join(', ')}` : `Did you mean ${near}?`,
  });
}

function view(organisation: Organisation): OrganisationView {
  const { id, name, plan, trialEndsAtMs, isLocal, createdAtMs } = organisation;
  return {
    orgId: id,
    name,
    plan,
    subscription: stateOf(organisation, Date.now()),
    trialEndsAt: formatTimeOrNull(trialEndsAtMs),
    local: isLocal,
    createdAt: formatTime(createdAtMs),
  };
}
