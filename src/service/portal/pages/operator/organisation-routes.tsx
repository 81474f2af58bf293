import { SUBSCRIPTIONS } from '../../../../contract/subscription.js';
import { countUpTo } from '../../../../store/bounded-count.js';
import { readOrganisationPage } from '../../../../store/organisation-pages.js';
import { findOrganisation, type Organisation } from '../../../../store/organisations.js';
import { listPlans } from '../../../../store/plans.js';
import { findUsage } from '../../../../store/usage.js';
import { changeOrganisation, createOrganisation, renameOrganisation } from '../../../administration/organisations.js';
import { monthOf, periodOf, stateOf } from '../../../intake/subscription.js';
import { answerPage, answerRedirect, type PortalAnswer, PortalNotFound } from '../../answers.js';
import { hrefOf } from '../../components/frame.js';
import { mintNonce, NONCE_FIELD, readNonce } from '../../doors/form-nonces.js';
import type { PortalCall, PortalRoute } from '../../portal-call.js';
import { OPERATORS, STAFF } from '../../roles.js';
import { errorsOfName } from '../errors-of-name.js';
import { forgetAccess } from '../forget-access.js';
import { OrganisationForm, type TypedOrganisation } from './organisation-form.js';
import { OrganisationPage } from './organisation-page.js';
import { OrganisationsPage, readOrganisationsFilter } from './organisations-page.js';
import { OPERATOR_PATH, ORGANISATIONS_PATH } from './paths.js';

const ONE = `${ORGANISATIONS_PATH}/:organisationId`;

export const OPERATOR_ORGANISATION_ROUTES: readonly PortalRoute[] = [
  { method: 'GET', path: OPERATOR_PATH, roles: STAFF, answer: answerList },
  { method: 'GET', path: `${ORGANISATIONS_PATH}/new`, roles: OPERATORS, answer: answerForm },
  { method: 'POST', path: `${ORGANISATIONS_PATH}/new`, roles: OPERATORS, answer: create },
  { method: 'GET', path: ONE, roles: STAFF, answer: answerOne },
  { method: 'GET', path: `${ONE}/change`, roles: OPERATORS, answer: answerChangeForm },
  { method: 'POST', path: `${ONE}/change`, roles: OPERATORS, answer: change },
];

async function answerList({ frame, store, url }: PortalCall): Promise<PortalAnswer> {
  const read = readOrganisationsFilter(url.searchParams);
  const nowMs = store.clock.now();
  const part =
    read.errors.length > 0
      ? { rows: [], olderThan: undefined }
      : await store.read(readOrganisationPage(read.filter, { nowMs, month: monthOf(nowMs).name }));
  return answerPage(<OrganisationsPage frame={frame} read={read} part={part} plans={await namesOfPlans(store)} />);
}

async function namesOfPlans(store: PortalCall['store']): Promise<string[]> {
  return (await listPlans(store)).map(({ name }) => name);
}

async function answerOne(call: PortalCall): Promise<PortalAnswer> {
  const { store, frame, components } = call;
  const organisation = await requireOne(call);
  const { id } = organisation;
  const nowMs = store.clock.now();
  const period = periodOf(organisation, nowMs);
  const jobs = (status: string) =>
    store.read(countUpTo('FROM job WHERE organisation_id = :id AND status = :status', { id, status }));
  return answerPage(
    <OrganisationPage
      frame={frame}
      organisation={organisation}
      used={await findUsage(store, id, period.name)}
      period={period}
      rateWindowMs={components.config.rateWindowMs}
      nowMs={nowMs}
      running={await jobs('processing')}
      waiting={await jobs('queued')}
    />,
  );
}

/** Finds the organisation of the address. @throws PortalNotFound */
async function requireOne({ store, params }: PortalCall): Promise<Organisation> {
  const organisation = await findOrganisation(store, params.organisationId ?? '');
  if (organisation === undefined) throw new PortalNotFound();
  return organisation;
}

async function answerForm(call: PortalCall): Promise<PortalAnswer> {
  return await showForm(call, { name: '', plan: 'TRIAL', errors: [] });
}

async function showForm(call: PortalCall, typed: TypedOrganisation, status = 200): Promise<PortalAnswer> {
  const { frame, store } = call;
  const nonce = mintNonce(placeOf(call), store.clock.now());
  return answerPage(
    <OrganisationForm frame={frame} typed={typed} plans={await namesOfPlans(store)} nonce={nonce} />,
    status,
  );
}

async function create(call: PortalCall): Promise<PortalAnswer> {
  const { form, store, frame } = call;
  const id = readNonce(placeOf(call), form.get(NONCE_FIELD));
  const typed = readOrganisation(form, await namesOfPlans(store));
  if (id === undefined || typed.errors.length > 0) return await showForm(call, typed, 422);
  const { name, plan } = typed;
  const isKnown = async () => (await findOrganisation(store, id)) !== undefined;
  if (!(await isKnown())) {
    try {
      await createOrganisation(store, { id, name, plan });
    } catch (error) {
      // The same form may have been sent twice at once.
      if (!(await isKnown())) throw error;
    }
  }
  return answerRedirect(hrefOf(frame, `${ORGANISATIONS_PATH}/${id}`));
}

function placeOf({ session }: PortalCall) {
  return { token: session.token, organisationId: '', prefix: 'org' as const };
}

async function answerChangeForm(call: PortalCall): Promise<PortalAnswer> {
  const organisation = await requireOne(call);
  const subscription = stateOf(organisation, call.store.clock.now());
  return await showChange(call, organisation, { ...organisation, subscription, errors: [] });
}

async function showChange(
  { frame, store }: PortalCall,
  { id, name }: Organisation,
  typed: TypedOrganisation,
  status = 200,
): Promise<PortalAnswer> {
  const plans = await namesOfPlans(store);
  return answerPage(<OrganisationForm frame={frame} typed={typed} plans={plans} known={{ id, name }} />, status);
}

async function change(call: PortalCall): Promise<PortalAnswer> {
  const { form, store, frame } = call;
  const known = await requireOne(call);
  const { id } = known;
  const state = stateOf(known, store.clock.now());
  const typed = { subscription: state, ...readOrganisation(form, await namesOfPlans(store)) };
  if (typed.errors.length > 0) return await showChange(call, known, typed, 422);
  if (typed.name.trim() !== known.name) await renameOrganisation(store, id, typed.name);
  const plan = typed.plan === known.plan ? undefined : typed.plan;
  const subscription = typed.subscription === state ? undefined : typed.subscription;
  if (plan !== undefined || subscription !== undefined)
    await changeOrganisation(store, id, { plan, subscription, limits: {}, resetsLimits: false });
  forgetAccess(call);
  return answerRedirect(hrefOf(frame, `${ORGANISATIONS_PATH}/${id}`));
}

/** Reads the form of an organisation. */
function readOrganisation(form: URLSearchParams, plans: readonly string[]): TypedOrganisation {
  const [name, plan, subscription] = [form.get('name') ?? '', form.get('plan') ?? '', form.get('subscription')];
  const errors = [...errorsOfName(name, 'An organisation’s')];
  if (!plans.includes(plan)) errors.push({ field: 'plan', message: 'Choose one of these plans' });
  if (subscription !== null && !SUBSCRIPTIONS.some((known) => known === subscription))
    errors.push({ field: 'subscription', message: 'Choose one of these states' });
  return { name, plan, ...(subscription === null ? {} : { subscription }), errors };
}
