import type { ServiceFlags } from '../contract/command-words.js';
import { LOCAL_PROFILE, type Settings } from './resolve-settings.js';

/**
 * The flags that the next command needs to reach the service that something was sent to: none that it would reach anyway.
 * What a flag of this command chose does not hold for the next. Without settings everything is named.
 */
export function findServiceFlags(
  { profile, serverId }: { profile: string; serverId: string },
  settings: Settings | undefined,
): ServiceFlags {
  const isActive = settings?.profile.value === profile && settings.profile.origin !== 'flag';
  const server = settings?.server;
  const isOfEnvironment =
    server?.origin === 'environment' && server.value.kind === 'remote' && server.value.baseUrl === serverId;
  // That profile has no address of its own: a flag gave it.
  const isOfFlag = profile === LOCAL_PROFILE && /^https?:/.test(serverId) && !isOfEnvironment;
  return { profile: isActive ? undefined : profile, baseUrl: isOfFlag ? serverId : undefined };
}
