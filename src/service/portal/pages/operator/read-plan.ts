import { catalog } from '../../../../functions/catalog.js';
import type { Plan } from '../../../../store/plans.js';
import { describeWrongLimit, type PlanChange } from '../../../administration/plans.js';
import type { FieldError } from '../../components/fields.js';

/** Limits of a plan that are numbers, with their labels and what they bound, in the order of the form. */
export const NUMBERS = [
  { name: 'requestsPerWindow', label: 'Calls', hint: 'In each window of the rate.' },
  { name: 'documentsPerPeriod', label: 'Documents', hint: 'In a month, or in the trial; none for no limit.' },
  { name: 'pageCap', label: 'Pages', hint: 'Of one document; none for no limit.' },
  { name: 'weight', label: 'Weight', hint: 'Share of workers that are all taken, beside other plans.' },
] as const;

/** The form of a plan, as it was typed. */
export interface TypedPlan {
  numbers: Record<(typeof NUMBERS)[number]['name'], string>;
  functions: readonly string[];
  webhooks: string;
  errors: readonly FieldError[];
}

/** Returns the form of a plan as it is. */
export function typeOut({ functions, hasWebhooks, ...plan }: Plan): TypedPlan {
  const numbers = {
    requestsPerWindow: String(plan.requestsPerWindow),
    documentsPerPeriod: String(plan.documentsPerPeriod ?? 'none'),
    pageCap: String(plan.pageCap ?? 'none'),
    weight: String(plan.weight),
  };
  return { numbers, functions: functions ?? [], webhooks: hasWebhooks ? 'yes' : 'no', errors: [] };
}

/** Reads the form of a plan. */
export function readPlanForm(form: URLSearchParams): TypedPlan {
  const entries = NUMBERS.map(({ name }) => [name, (form.get(name) ?? '').trim()] as const);
  const functions = form.getAll('functions');
  const webhooks = form.get('webhooks') ?? '';
  const errors = NUMBERS.flatMap(({ name, label }) => {
    const expected = describeWrongLimit(name, (form.get(name) ?? '').trim());
    return expected === undefined ? [] : [{ field: name as string, message: `${label} must be ${expected}` }];
  });
  if (!functions.every((id) => catalog.some((known) => known.id === id)))
    errors.push({ field: 'functions', message: 'Choose among these functions' });
  if (webhooks !== 'yes' && webhooks !== 'no') errors.push({ field: 'webhooks', message: 'Choose yes or no' });
  return { numbers: Object.fromEntries(entries) as TypedPlan['numbers'], functions, webhooks, errors };
}

/** Returns the change that a form without errors asks for. No function ticked: every function. */
export function toChange({ numbers, functions, webhooks }: TypedPlan): PlanChange {
  return {
    ...numbers,
    functions: functions.length === 0 ? 'all' : functions.join(','),
    webhooks: webhooks === 'yes',
  };
}
