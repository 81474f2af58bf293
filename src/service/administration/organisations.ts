import { countOf } from '../../contract/count-of.js';
import { OcrError } from '../../contract/ocr-error.js';
import { SUBSCRIPTIONS, type Subscription } from '../../contract/subscription.js';
import { suggest } from '../../contract/suggest.js';
import { formatTime, formatTimeOrNull } from '../../contract/time.js';
import { createOrganisation as insertOrganisation } from '../../store/access.js';
import {
  deleteOrganisation,
  listActiveKeys,
  listLargeResults,
  listStoredDocuments,
} from '../../store/delete-organisation.js';
import {
  findOrganisation,
  listOrganisations as listStored,
  NO_OWN_LIMITS,
  type Organisation,
  type OwnLimits,
  updateOrganisation,
} from '../../store/organisations.js';
import type { Store } from '../../store/store.js';
import { findUsage } from '../../store/usage.js';
import { openBlobs } from '../data-directory/open-blobs.js';
import { beginTrial, periodOf, stateOf } from '../intake/subscription.js';
import { checkName } from './check-name.js';
import type { Administration } from './open.js';
import { type PlanChange, type PlanView, parseOwnLimits, requirePlan, viewLimits } from './plans.js';

/** Time within which the sweep of a bucket has removed the document of an ended job. */
const ENDED_WITHIN_MS = 2 * 3_600_000;

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
  /** Limits that apply. */
  limits: Omit<PlanView, 'plan'>;
  /** Those of them that are its own, and not its plan's. */
  ownLimits: Array<keyof OwnLimits>;
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
  const nowMs = store.clock.now();
  return (await listStored(store)).map((organisation) => view(organisation, nowMs));
}

export interface NewOrganisation {
  id?: string;
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
  const id = options.id === undefined ? {} : { id: options.id };
  const more =
    plan === 'TRIAL'
      ? { ...id, plan, subscription: 'trialing' as const, trial: beginTrial(store.clock.now()) }
      : { ...id, plan, subscription: 'active' as const };
  return view(await requireOrganisation(store, await insertOrganisation(store, name, more)), store.clock.now());
}

/** Returns an organisation with its usage in the present period. @throws OcrError NOT_FOUND */
export async function getOrganisation(store: Store, id: string): Promise<OrganisationView & { usage: UsageView }> {
  const found = await requireOrganisation(store, id);
  const { name: period, endsAtMs } = periodOf(found, store.clock.now());
  const { documentsPerPeriod } = found.limits;
  const documents = await findUsage(store, found.id, period);
  return {
    ...view(found, store.clock.now()),
    usage: { period, documents, limit: documentsPerPeriod ?? null, endsAt: formatTime(endsAtMs) },
  };
}

export interface OrganisationChange {
  plan?: string | undefined;
  subscription?: string | undefined;
  /** Limits as typed; `plan` returns to the plan's. */
  limits: PlanChange;
  /** True to return to the plan's limits before `limits` are set. */
  resetsLimits: boolean;
}

/**
 * Changes an organisation's plan, its subscription or its own limits. `trialing` continues a trial that still runs, and
 * otherwise starts one of 30 days. @throws OcrError NOT_FOUND, USAGE
 */
export async function changeOrganisation(
  store: Store,
  idOrName: string,
  change: OrganisationChange,
): Promise<OrganisationView> {
  const ownLimits = { ...(change.resetsLimits ? NO_OWN_LIMITS : {}), ...parseOwnLimits(change.limits) };
  if (change.plan === undefined && change.subscription === undefined && Object.keys(ownLimits).length === 0)
    throw new OcrError('USAGE', 'Nothing to change', {
      hint: 'Give --plan, --subscription or a limit: ocr admin orgs update --help',
    });
  const { id } = await requireOrganisation(store, idOrName);
  const plan = change.plan === undefined ? undefined : (await requirePlan(store, change.plan)).name;
  const subscription = change.subscription === undefined ? undefined : checkSubscription(change.subscription);
  const newTrial = beginTrial(store.clock.now());
  const changed = await updateOrganisation(store, id, { plan, subscription, ownLimits, newTrial });
  if (changed === undefined) throw noSuchOrganisation(idOrName);
  return view(changed, store.clock.now());
}

/** @throws OcrError NOT_FOUND, USAGE */
export async function renameOrganisation(store: Store, idOrName: string, typed: string): Promise<OrganisationView> {
  const name = checkName(typed, "An organisation's");
  const { id } = await requireOrganisation(store, idOrName);
  const changed = await updateOrganisation(store, id, { name });
  if (changed === undefined) throw noSuchOrganisation(idOrName);
  return view(changed, store.clock.now());
}

/**
 * Removes an organisation with its documents, results, endpoints and revoked keys. Its lines in the request log stay until they
 * expire.
 * @throws OcrError NOT_FOUND; USAGE while a key of it still works, or without `isConfirmed`
 */
export async function removeOrganisation(
  { store, config }: Pick<Administration, 'store' | 'config'>,
  idOrName: string,
  isConfirmed: boolean,
): Promise<OrganisationView> {
  const found = await requireOrganisation(store, idOrName);
  const { id, name } = found;
  const keys = await listActiveKeys(store, id, store.clock.now());
  if (keys.length > 0)
    throw new OcrError('USAGE', `${name} (${id}) has ${countOf(keys.length, 'active key')}: ${keys.join(', ')}`, {
      hint: keys.map((key) => `ocr admin keys revoke ${key}`).join('\n'),
    });
  if (!isConfirmed)
    throw new OcrError(
      'USAGE',
      `This would remove ${name} (${id}) with its documents, results and endpoints for good`,
      {
        hint: `ocr admin orgs delete ${id} --yes`,
      },
    );
  const documents = await listStoredDocuments(store, id, store.clock.now() - ENDED_WITHIN_MS);
  const large = await listLargeResults(store, id);
  const { blobs, results, close } = await openBlobs(config, store);
  try {
    await deleteOrganisation(store, id);
    for (const document of documents) await blobs.remove(document);
    for (const result of large) await results?.remove(result);
  } finally {
    await close();
  }
  return view(found, store.clock.now());
}

/**
 * Finds an organisation by its id, or its name in any case. @throws OcrError NOT_FOUND, USAGE for a name that several have
 */
export async function requireOrganisation(store: Store, idOrName: string): Promise<Organisation> {
  const exact = await findOrganisation(store, idOrName);
  if (exact !== undefined) return exact;
  const organisations = await listStored(store);
  const named = organisations.filter(({ name }) => name === idOrName);
  const alike = named.length > 0 ? named : organisations.filter(({ name }) => isAlike(name, idOrName));
  const [one, ...others] = alike;
  if (one !== undefined && others.length === 0) return one;
  if (one !== undefined)
    throw new OcrError(
      'USAGE',
      `Several organisations are called ${idOrName}: ${alike.map(({ id }) => id).join(', ')}`,
      {
        hint: 'Give the id: ocr admin orgs list',
      },
    );
  throw noSuchOrganisation(idOrName);
}

/** Replaces the organisation of a filter, as it was typed, by its id. @throws as requireOrganisation */
export async function nameOrganisation<F extends { organisationId?: string }>(store: Store, filter: F): Promise<F> {
  if (filter.organisationId === undefined) return filter;
  return { ...filter, organisationId: (await requireOrganisation(store, filter.organisationId)).id };
}

/** Warns of other organisations with the same name in any case, because commands take names; undefined when there are none. */
export async function warnOfNamesakes(store: Store, { orgId, name }: OrganisationView): Promise<string | undefined> {
  const others = (await listStored(store)).filter((one) => one.id !== orgId && isAlike(one.name, name));
  if (others.length === 0) return undefined;
  const ids = [orgId, ...others.map(({ id }) => id)].join(', ');
  return `${others.length + 1} organisations are called ${name} now, so commands need their ids: ${ids}`;
}

function isAlike(name: string, text: string): boolean {
  return name.localeCompare(text, 'en', { sensitivity: 'accent' }) === 0;
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

function view(organisation: Organisation, nowMs: number): OrganisationView {
  const { id, name, plan, trialEndsAtMs, isLocal, createdAtMs, ownLimits } = organisation;
  return {
    orgId: id,
    name,
    plan,
    subscription: stateOf(organisation, nowMs),
    trialEndsAt: formatTimeOrNull(trialEndsAtMs),
    local: isLocal,
    createdAt: formatTime(createdAtMs),
    limits: viewLimits(organisation.limits),
    ownLimits: (Object.keys(ownLimits) as Array<keyof OwnLimits>).filter((key) => ownLimits[key] !== null),
  };
}
