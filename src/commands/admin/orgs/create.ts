import type { Context } from '../../../context.js';
import { type ServiceLocation, withLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { createOrganisation, warnOfNamesakes } from '../../../service/administration/organisations.js';

export interface CreateOptions extends ServiceLocation {
  name: string;
  plan?: string;
}

/** Creates an organisation and prints its id. @throws OcrError USAGE, NOT_FOUND for the plan */
export async function create({ env, output }: Context, options: CreateOptions): Promise<void> {
  const { created, warning } = await withAdministration(
    options,
    env,
    async ({ store, config, isNew }) => {
      const organisation = await createOrganisation(store, { name: options.name, plan: options.plan });
      const warning = await warnOfNamesakes(store, organisation);
      if (isNew) output.note(`There was no service data directory at ${config.dataDir}: a new one was made.`);
      return { created: organisation, warning };
    },
    // It works before the first start of the service, too.
    { mayCreate: true },
  );
  if (warning !== undefined) output.note(warning);
  if (output.isJson) return await output.json(created);
  const { orgId, name, plan, trialEndsAt } = created;
  const state = trialEndsAt === null ? 'active' : `a trial that ends ${trialEndsAt}`;
  const next = withLocation(`A key for it: ocr admin keys create --org ${orgId}`, options);
  output.note(`${name} has the plan ${plan}, ${state}. ${next}`);
  await output.text(`${orgId}\n`);
}
