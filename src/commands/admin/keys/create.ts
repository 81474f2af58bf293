import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { createKey } from '../../../service/administration/keys.js';
import { withAdministration } from '../../../service/administration/open.js';

export interface CreateOptions extends ServiceLocation {
  orgId?: string;
  isSupport: boolean;
  name?: string;
  isTest: boolean;
  expires?: string;
  functions?: string;
}

/** Creates a key and prints it, only this once. @throws OcrError NOT_FOUND, USAGE */
export async function create({ env, output }: Context, options: CreateOptions): Promise<void> {
  const created = await withAdministration(options, env, async ({ store }) => await createKey(store, options));
  if (output.isJson) return await output.json(created);
  output.note(`The key ${created.keyId} is shown only now. If you lose it, create another.`);
  await output.text(`${created.key}\n`);
}
