import type { Context } from '../../context.js';
import type { ServiceLocation } from '../../contract/command-words.js';
import { withAdministration } from '../../service/administration/open.js';
import { createPortalLink, type LinkRequest } from '../../service/administration/portal-links.js';

/** Makes a link that lets one browser into the portal, and prints it. @throws OcrError NOT_FOUND, USAGE */
export async function portal({ env, output }: Context, options: LinkRequest & ServiceLocation): Promise<void> {
  const link = await withAdministration(options, env, async (administration) => {
    return await createPortalLink(administration, options);
  });
  if (output.isJson) return await output.json(link);
  output.note(`Works once, until ${link.expiresAt}. Whoever has it enters as ${options.role}.`);
  await output.text(`${link.url}\n`);
}
