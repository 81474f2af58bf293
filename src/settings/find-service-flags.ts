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
  const isRemote = /^https?:/.test(serverId);
  const isOfProfile = settings?.profile.value === profile;
  const server = settings?.server;
  const isUsed = server?.value.kind === 'remote' && server.value.baseUrl === serverId;
  // The local service has to be named where the environment chooses another server.
  const isReached = isRemote || server?.value.kind === 'local';
  const isActive = isOfProfile && settings.profile.origin !== 'flag' && isReached;
  // The profile of this machine has no address of its own: a flag gave it, or a variable, which still does.
  const isOfEnvironment = isActive && isUsed && server?.origin === 'environment';
  const isOfFlag = isOfProfile && isUsed && server?.origin === 'flag';
  const needsAddress = profile === LOCAL_PROFILE ? isRemote && !isOfEnvironment : isOfFlag;
  return { profile: isActive ? undefined : profile, baseUrl: needsAddress ? serverId : undefined };
}
