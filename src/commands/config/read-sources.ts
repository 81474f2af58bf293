import type { Context } from '../../context.js';
import type { SettingsSources } from '../../settings/resolve-settings.js';
import { readSettingsFile } from '../../settings/settings-file.js';

/** Reads every source of settings. @throws OcrError CONFIG_INVALID */
export async function readSources({
  flags,
  env,
  directories,
}: Context): Promise<SettingsSources & { configDir: string }> {
  const { configDir } = await directories();
  return { flags, env, stored: await readSettingsFile(configDir), configDir };
}
