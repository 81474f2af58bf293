import type { Context } from '../../../context.js';
import { type ServiceLocation, withLocation } from '../../../contract/command-words.js';
import { listKeys } from '../../../service/administration/keys.js';
import { withAdministration } from '../../../service/administration/open.js';

export interface ListOptions extends ServiceLocation {
  orgId?: string;
}

/** The keys of a service or of one organisation, oldest first, by their last four characters. @throws OcrError NOT_FOUND */
export async function list({ env, output }: Context, options: ListOptions): Promise<void> {
  const keys = await withAdministration(options, env, async ({ store }) => await listKeys(store, options.orgId));
  if (output.isJson) return await output.json(keys);
  if (keys.length === 0)
    return output.note(withLocation('No keys. Create one: ocr admin keys create --org <orgId>', options));
  await output.table(
    ['Key', 'Shown', 'Status', 'Organisation', 'Name', 'Functions', 'Expires', 'Last used'],
    keys.map((key) => [
      key.keyId,
      `${key.prefix}…${key.lastFour}`,
      key.status,
      key.orgId,
      key.name,
      key.functions?.join(', ') ?? 'all',
      key.expiresAt ?? 'never',
      key.lastUsedAt ?? 'never',
    ]),
  );
}
