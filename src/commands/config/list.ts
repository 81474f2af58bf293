import type { Context } from '../../context.js';
import { describeSettings } from '../../settings/describe-settings.js';
import { readSources } from './read-sources.js';

export interface ListOptions {
  showsOrigin: boolean;
}

/** Lists every setting in use, with its origin if wanted. The API key is not among them. */
export async function list(context: Context, { showsOrigin }: ListOptions): Promise<void> {
  const settings = describeSettings(await readSources(context));
  if (context.output.isJson) return await context.output.json(settings);
  const rows = settings.map(({ name, value, source }) => [name, value ?? '', ...(showsOrigin ? [source] : [])]);
  await context.output.table(['Setting', 'Value', ...(showsOrigin ? ['From'] : [])], rows);
}
