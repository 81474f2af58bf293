import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { getOrganisation } from '../../../service/administration/organisations.js';
import { describeOwnLimits } from './own-limits.js';

export interface GetOptions extends ServiceLocation {
  orgId: string;
}

/** Prints an organisation and its usage in the present period. @throws OcrError NOT_FOUND */
export async function get({ env, output }: Context, options: GetOptions): Promise<void> {
  const found = await withAdministration(
    options,
    env,
    async ({ store }) => await getOrganisation(store, options.orgId),
  );
  if (output.isJson) return await output.json(found);
  const { usage } = found;
  await output.properties([
    ['Organisation', found.orgId],
    ['Name', found.local ? `${found.name} (used by the commands on this machine)` : found.name],
    ['Plan', found.plan],
    ['Subscription', found.subscription],
    ['Trial ends', found.trialEndsAt],
    ['Documents', `${usage.documents} of ${usage.limit ?? 'as many as come'}`],
    ['Period', `${usage.period.startsWith('trial:') ? 'the trial' : usage.period}, ends ${usage.endsAt}`],
    ['Own limits', { prose: describeOwnLimits(found) || null }],
    ['Created', found.createdAt],
  ]);
}
