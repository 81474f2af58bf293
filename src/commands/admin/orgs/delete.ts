import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { removeOrganisation } from '../../../service/administration/organisations.js';

export interface DeleteOptions extends ServiceLocation {
  /** Its id or its name. */
  orgId: string;
  isConfirmed: boolean;
}

/** Removes an organisation for good. @throws OcrError NOT_FOUND, USAGE */
export async function remove({ env, output }: Context, options: DeleteOptions): Promise<void> {
  const { orgId, name } = await withAdministration(
    options,
    env,
    async (administration) => await removeOrganisation(administration, options.orgId, options.isConfirmed),
  );
  if (output.isJson) return await output.json({ orgId, name, deleted: true });
  output.note(`Removed ${name} (${orgId}). Its lines in the request log stay until they expire.`);
}
