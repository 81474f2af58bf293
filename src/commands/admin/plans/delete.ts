import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { removePlan } from '../../../service/administration/plans.js';

export interface DeleteOptions extends ServiceLocation {
  plan: string;
}

/** Removes a plan that no organisation has. @throws OcrError NOT_FOUND, USAGE */
export async function remove({ env, output }: Context, options: DeleteOptions): Promise<void> {
  const { plan } = await withAdministration(options, env, ({ store }) => removePlan(store, options.plan));
  if (output.isJson) return await output.json({ plan, deleted: true });
  output.note(`Removed the plan ${plan}.`);
}
