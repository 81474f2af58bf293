import type { ApiClient } from '../api/client.js';
import type { SubmissionRecord } from '../ledger/record.js';
import type { Settings } from '../settings/resolve-settings.js';

/** Clients of the services that the settings name. */
interface Services {
  settings(): Promise<Settings>;
  serverId(profile?: string): Promise<string>;
  api(profile?: string): Promise<ApiClient>;
}

/**
 * Finds the client of a record's service, with the key that sent it if that profile still exists: another key of the same
 * service may be another organisation's, which has no such job.
 */
export async function findApi(
  services: Services,
  { serverId, profile }: SubmissionRecord,
): Promise<ApiClient | undefined> {
  const settings = await services.settings();
  const isActive = (await services.serverId()) === serverId;
  if (isActive && settings.profile.value === profile) return await services.api();
  const profileServerId = await services.serverId(profile).catch(() => undefined);
  if (profileServerId === serverId) return await services.api(profile);
  return isActive ? await services.api() : undefined;
}
