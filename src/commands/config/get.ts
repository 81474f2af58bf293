import type { Context } from '../../context.js';
import { describeSettings } from '../../settings/describe-settings.js';
import { parseSettingName } from '../../settings/known-settings.js';
import { readSources } from './read-sources.js';

export interface GetOptions {
  name: string;
}

/** Prints the value in use; an empty line when there is none. */
export async function get(context: Context, options: GetOptions): Promise<void> {
  const name = parseSettingName(options.name);
  const setting = describeSettings(await readSources(context)).find((known) => known.name === name);
  if (context.output.isJson) return await context.output.json(setting);
  await context.output.text(`${setting?.value ?? ''}\n`);
}
