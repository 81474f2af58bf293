import type { Context } from '../../context.js';
import { describeSettings } from '../../settings/describe-settings.js';
import { readSources } from './read-sources.js';

export interface ListOptions {
  showsOrigin: boolean;
}

/** Every setting in use; with its origin, where each came from. The key is none of them. */
export async function list(context: Context, { showsOrigin }: ListOptions): Promise<void> {
  const settings = describeSettings(await readSources(context));
  if (context.output.isJson) return await context.output.json(settings);
  const rows = settings.map(({ name, value, source }) => [name, value ?? '', ...(showsOrigin ? [source] : [])]);
  await context.output.table(['Setting', 'Value', ...(showsOrigin ? ['From'] : [])], rows);
}
