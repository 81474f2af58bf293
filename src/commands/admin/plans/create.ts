import type { Context } from '../../../context.js';
import { type ServiceLocation, withLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { createPlan, type PlanChange } from '../../../service/administration/plans.js';
import { PLAN_COLUMNS, planRow } from './rows.js';

export interface CreateOptions extends ServiceLocation {
  plan: string;
  /** The plan whose limits it has. */
  from: string;
  change: PlanChange;
}

/** Creates a plan. @throws OcrError NOT_FOUND for the plan that it is made from, USAGE */
export async function create({ env, output }: Context, options: CreateOptions): Promise<void> {
  const plan = await withAdministration(
    options,
    env,
    async ({ store }) => await createPlan(store, options.plan, options.from, options.change),
  );
  if (output.isJson) return await output.json(plan);
  await output.table(PLAN_COLUMNS, [planRow(plan)]);
  output.note(withLocation(`Give it to an organisation: ocr admin orgs update <org> --plan ${plan.plan}`, options));
}
