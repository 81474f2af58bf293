import type { ServiceFlags } from '../contract/command-words.js';
import {
  resolveSettings,
  type ServerSetting,
  type Settings,
  type SettingsSources,
} from '../settings/resolve-settings.js';
import { readSettingsFile } from '../settings/settings-file.js';
import type { ActiveService } from '../submission-lifecycle/choose-record.js';

export interface SelectionSources extends Pick<SettingsSources, 'flags' | 'env'> {
  configDir: string;
}

/** Resolves the settings of the active profile. @throws OcrError CONFIG_INVALID */
export async function selectSettings({ flags, env, configDir }: SelectionSources): Promise<Settings> {
  return resolveSettings({ flags, env, stored: await readSettingsFile(configDir) });
}

/** Returns the id that the ledger has for a server, without looking for the server. */
export async function serverIdOf(server: ServerSetting, dataDir: string): Promise<string> {
  if (server.kind === 'remote') return server.baseUrl;
  const { localServerId } = await import('../local/service-locator.js');
  return localServerId(dataDir);
}

/** Settings that cannot be read hide the service, unless a flag names it. @throws OcrError CONFIG_INVALID about a flag */
export async function selectActiveService(
  { profile, baseUrl }: ServiceFlags,
  findServerId: () => Promise<string>,
): Promise<ActiveService> {
  if (profile !== undefined || baseUrl !== undefined) return { serverId: await findServerId(), isNamed: true, profile };
  return { serverId: await findServerId().catch(() => undefined), isNamed: false };
}
