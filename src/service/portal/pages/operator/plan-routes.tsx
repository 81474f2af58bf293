import { OcrError } from '../../../../contract/ocr-error.js';
import { listPlans, type Plan } from '../../../../store/plans.js';
import { createPlan, removePlan, setPlan } from '../../../administration/plans.js';
import { answerPage, answerRedirect, type PortalAnswer, PortalNotFound } from '../../answers.js';
import { hrefOf } from '../../components/frame.js';
import type { PortalCall, PortalRoute } from '../../portal-call.js';
import { OPERATORS, STAFF } from '../../roles.js';
import { forgetAccess } from '../forget-access.js';
import { PLANS_PATH } from './paths.js';
import { NewPlanForm, PlanForm, RemovePlanPage, type TypedNewPlan } from './plan-form.js';
import { PlansPage } from './plans-page.js';
import { readPlanForm, toChange, typeOut } from './read-plan.js';

export const OPERATOR_PLAN_ROUTES: readonly PortalRoute[] = [
  { method: 'GET', path: PLANS_PATH, roles: STAFF, answer: answerList },
  { method: 'GET', path: `${PLANS_PATH}/new`, roles: OPERATORS, answer: answerNewForm },
  { method: 'POST', path: `${PLANS_PATH}/new`, roles: OPERATORS, answer: create },
  { method: 'GET', path: `${PLANS_PATH}/:plan`, roles: OPERATORS, answer: answerForm },
  { method: 'POST', path: `${PLANS_PATH}/:plan`, roles: OPERATORS, answer: change },
  { method: 'GET', path: `${PLANS_PATH}/:plan/remove`, roles: OPERATORS, answer: askToRemove },
  { method: 'POST', path: `${PLANS_PATH}/:plan/remove`, roles: OPERATORS, answer: remove },
];

async function answerList({ frame, store }: PortalCall): Promise<PortalAnswer> {
  return answerPage(<PlansPage frame={frame} plans={await listPlans(store)} />);
}

async function answerNewForm(call: PortalCall): Promise<PortalAnswer> {
  return await showNewForm(call, { name: '', from: 'STARTER', errors: [] });
}

async function showNewForm({ frame, store }: PortalCall, typed: TypedNewPlan, status = 200): Promise<PortalAnswer> {
  const plans = (await listPlans(store)).map(({ name }) => name);
  return answerPage(<NewPlanForm frame={frame} typed={typed} plans={plans} />, status);
}

async function create(call: PortalCall): Promise<PortalAnswer> {
  const { form, store, frame } = call;
  const [name, from] = [(form.get('name') ?? '').trim(), form.get('from') ?? ''];
  const plans = await listPlans(store);
  const isKnown = plans.some((plan) => plan.name === from);
  const wrong = isKnown ? undefined : { field: 'from', message: 'Choose one of these plans' };
  const refused = wrong ?? (await refusalOf('name', () => createPlan(store, name, from, {})));
  if (refused !== undefined) return await showNewForm(call, { name, from, errors: [refused] }, 422);
  return answerRedirect(hrefOf(frame, `${PLANS_PATH}/${name.toUpperCase()}`));
}

/** Finds the plan of the address. @throws PortalNotFound */
async function requireOne({ store, params }: PortalCall): Promise<Plan> {
  const plan = (await listPlans(store)).find(({ name }) => name === params.plan);
  if (plan === undefined) throw new PortalNotFound();
  return plan;
}

async function answerForm(call: PortalCall): Promise<PortalAnswer> {
  const plan = await requireOne(call);
  return answerPage(<PlanForm frame={call.frame} name={plan.name} typed={typeOut(plan)} />);
}

async function change(call: PortalCall): Promise<PortalAnswer> {
  const { form, store, frame } = call;
  const { name } = await requireOne(call);
  const typed = readPlanForm(form);
  if (typed.errors.length > 0) return answerPage(<PlanForm frame={frame} name={name} typed={typed} />, 422);
  await setPlan(store, name, toChange(typed));
  forgetAccess(call);
  return answerRedirect(hrefOf(frame, PLANS_PATH));
}

async function askToRemove(call: PortalCall): Promise<PortalAnswer> {
  const { name } = await requireOne(call);
  return answerPage(<RemovePlanPage frame={call.frame} name={name} />);
}

async function remove(call: PortalCall): Promise<PortalAnswer> {
  const { store, frame } = call;
  const { name } = await requireOne(call);
  const refused = await refusalOf('none', () => removePlan(store, name));
  if (refused !== undefined)
    return answerPage(<RemovePlanPage frame={frame} name={name} refusal={refused.message} />, 409);
  return answerRedirect(hrefOf(frame, PLANS_PATH));
}

/** Runs a change; returns why it is refused, as the error of a field. */
async function refusalOf(field: string, work: () => Promise<unknown>) {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof OcrError)) throw error;
    return { field, message: error.message };
  }
}
