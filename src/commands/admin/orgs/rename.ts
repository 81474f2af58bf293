import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { renameOrganisation, warnOfNamesakes } from '../../../service/administration/organisations.js';

export interface RenameOptions extends ServiceLocation {
  /** Its id or its name. */
  orgId: string;
  name: string;
}

/** Gives an organisation another name. @throws OcrError NOT_FOUND, USAGE */
export async function rename({ env, output }: Context, options: RenameOptions): Promise<void> {
  const { changed, warning } = await withAdministration(options, env, async ({ store }) => {
    const organisation = await renameOrganisation(store, options.orgId, options.name);
    return { changed: organisation, warning: await warnOfNamesakes(store, organisation) };
  });
  if (warning !== undefined) output.note(warning);
  if (output.isJson) return await output.json(changed);
  await output.table(['', ''], [[changed.orgId, { prose: changed.name }]]);
}
