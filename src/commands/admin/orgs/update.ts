import type { Context } from '../../../context.js';
import { type ServiceLocation, withLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { changeOrganisation } from '../../../service/administration/organisations.js';
import type { PlanChange } from '../../../service/administration/plans.js';
import { describeOwnLimits } from './own-limits.js';

export interface UpdateOptions extends ServiceLocation {
  orgId: string;
  plan?: string;
  subscription?: string;
  limits: PlanChange;
  resetsLimits: boolean;
}

/** Changes an organisation's plan, its subscription or its own limits. @throws OcrError NOT_FOUND, USAGE */
export async function update({ env, output }: Context, options: UpdateOptions): Promise<void> {
  const { orgId, ...change } = options;
  const { changed, seenWithinMs } = await withAdministration(options, env, async ({ store, config }) => ({
    changed: await changeOrganisation(store, orgId, { plan: undefined, subscription: undefined, ...change }),
    seenWithinMs: config.keyCacheMs,
  }));
  if (output.isJson) return await output.json(changed);
  const own = describeOwnLimits(changed);
  await output.table(['', '', '', ''], [[changed.orgId, changed.plan, changed.subscription, { prose: own }]]);
  if (changed.subscription === 'trialing')
    output.note(
      withLocation(
        `It is on trial until ${changed.trialEndsAt}; to end the trial: ocr admin orgs update ${changed.orgId} --subscription active`,
        options,
      ),
    );
  output.note(`A running service picks this up within ${seenWithinMs / 1000} s.`);
}
