import type { ApiClient } from '../api/client.js';
import type { ServiceFlags } from '../contract/command-words.js';
import { keyTagOf, type SubmissionRecord } from '../ledger/record.js';
import type { Directories } from '../settings/directories.js';
import { resolveSettings, type Settings } from '../settings/resolve-settings.js';
import { readSettingsFile, type StoredSettings } from '../settings/settings-file.js';

/** The settings of a command, and clients of the services that they name. */
interface Services {
  flags: ServiceFlags;
  env: NodeJS.ProcessEnv;
  directories(): Promise<Directories>;
  settings(): Promise<Settings>;
  serverId(settings?: Settings): Promise<string>;
  api(settings?: Settings): Promise<ApiClient>;
}

export interface FindApiOptions {
  /** True when the key of the environment may go to another address than that of the service in use. */
  reachesEveryService?: boolean;
}

/**
 * Finds the client of a record's service, with the key that sent it if that key is still known: another key of the same
 * service may be another organisation's, which has no such job. A profile that a flag names is used all the same.
 * Undefined where no key for that service is known.
 */
export async function findApi(
  services: Services,
  record: SubmissionRecord,
  { reachesEveryService = false }: FindApiOptions = {},
): Promise<ApiClient | undefined> {
  const settings = await services.settings();
  const isActive = (await services.serverId()) === record.serverId;
  const isNamed = services.flags.profile !== undefined || settings.profile.value === record.profile;
  if (isActive && isNamed) return await services.api();
  const { configDir } = await services.directories();
  const stored = await readSettingsFile(configDir);
  const sender =
    findProfileByKey(record, services, stored) ??
    (reachesEveryService ? addressWithKey(record, settings, services.env) : undefined) ??
    resolveProfile(record.profile, services, stored);
  if (sender !== undefined && (await services.serverId(sender).catch(() => undefined)) === record.serverId)
    return await services.api(sender);
  return isActive ? await services.api() : undefined;
}

/** Finds a profile of the record's service with the very key that sent it. It may have another name now. */
function findProfileByKey(
  { serverId, profile, keyTag }: SubmissionRecord,
  { flags }: Pick<Services, 'flags'>,
  stored: StoredSettings,
): Settings | undefined {
  for (const name of [profile, ...Object.keys(stored.profiles)]) {
    const own = resolveProfile(name, { flags: { ...flags, baseUrl: undefined }, env: {} }, stored);
    if (own?.server.value.kind !== 'remote' || own.server.value.baseUrl !== serverId) continue;
    const { apiKey } = own.server.value;
    if (apiKey !== undefined && keyTagOf(apiKey.value) === keyTag) return own;
  }
  return undefined;
}

/**
 * Returns settings with the record's address and the key of the environment, if that is the very key that sent it: the
 * service has had it before, so that nothing is given away.
 */
function addressWithKey(
  { serverId, keyTag }: SubmissionRecord,
  active: Settings,
  env: NodeJS.ProcessEnv,
): Settings | undefined {
  const key = env.OCR_API_KEY?.trim();
  if (!key || keyTagOf(key) !== keyTag) return undefined;
  const apiKey = { value: key, origin: 'environment' as const };
  return { ...active, server: { value: { kind: 'remote', baseUrl: serverId, apiKey }, origin: 'environment' } };
}

/** Resolves the settings of a profile; undefined where it is gone or says nothing usable. */
function resolveProfile(
  profile: string,
  { flags, env }: Pick<Services, 'flags' | 'env'>,
  stored: StoredSettings,
): Settings | undefined {
  try {
    return resolveSettings({ flags: { ...flags, profile }, env, stored });
  } catch {
    return undefined;
  }
}
