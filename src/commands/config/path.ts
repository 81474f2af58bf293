import { join } from 'node:path';
import type { Context } from '../../context.js';
import { SETTINGS_FILE_NAME } from '../../settings/settings-file.js';

/** Prints the path of the settings file, even when the file does not exist or cannot be read. */
export async function path(context: Context): Promise<void> {
  const file = join((await context.directories()).configDir, SETTINGS_FILE_NAME);
  if (context.output.isJson) return await context.output.json({ path: file });
  await context.output.text(`${file}\n`);
}
