import { parseDurationMs } from '../contract/duration.js';
import { OcrError } from '../contract/ocr-error.js';
import { suggest } from '../contract/suggest.js';
import { PROFILE_SETTING_NAMES, PROFILE_SETTINGS, type ProfileSetting } from './known-settings.js';
import { parseApiKey, parseBaseUrl } from './parse-server.js';
import type { StoredSettings } from './settings-file.js';

/** The profile that is always there: the service on this machine, found or started when it is needed. */
export const LOCAL_PROFILE = 'local';

/** Source of a value, in falling precedence. */
export type Origin = 'flag' | 'environment' | 'profile' | 'built-in';

export interface Setting<T> {
  value: T;
  origin: Origin;
}

export type ServerSetting =
  | { kind: 'local' }
  /** `baseUrl` without a trailing slash. */
  | { kind: 'remote'; baseUrl: string; apiKey: Setting<string> | undefined };

export interface Settings {
  profile: Setting<string>;
  server: Setting<ServerSetting>;
  function: Setting<string>;
  format: Setting<string>;
  /** Languages of the documents, as typed; empty when there are none. */
  languages: Setting<string>;
  /** Documents that are sent at once. */
  concurrency: Setting<number>;
  waitTimeoutMs: Setting<number>;
  /** Limit for one request without progress. */
  timeoutMs: Setting<number>;
  /** True when an interrupted command cancels its unfinished jobs. */
  cancelsOnInterrupt: Setting<boolean>;
}

export interface SettingsSources {
  flags: { profile?: string | undefined; baseUrl?: string | undefined; timeoutMs?: number | undefined };
  env: NodeJS.ProcessEnv;
  stored: StoredSettings;
}

/**
 * Flag > environment > profile > built-in, for each value apart. An empty variable counts as unset. `--profile local`
 * is a flag that names a service: the one on this machine.
 * @throws OcrError CONFIG_INVALID
 */
export function resolveSettings({ flags, env, stored }: SettingsSources): Settings {
  const profile = resolveProfile({ flags, env, stored });
  const values = profileValues(profile, stored);
  const text = (name: ProfileSetting) => resolveText(name, profile.value, values);
  const milliseconds = (name: ProfileSetting) => mapSetting(text(name), (value) => parseDurationMs(value) ?? 0);
  return {
    profile,
    server: resolveServer(flags.baseUrl, env, profile, values),
    function: text('function'),
    format: text('format'),
    languages: text('languages'),
    concurrency: mapSetting(text('concurrency'), Number),
    waitTimeoutMs: milliseconds('wait-timeout'),
    cancelsOnInterrupt: mapSetting(text('cancel-on-interrupt'), (value) => value === 'true'),
    timeoutMs: flags.timeoutMs === undefined ? milliseconds('timeout') : { value: flags.timeoutMs, origin: 'flag' },
  };
}

/** Returns the profile in use, without a check that it exists. */
export function resolveProfile({ flags, env, stored }: SettingsSources): Setting<string> {
  return (
    firstSetting<string>(
      ['flag', flags.profile],
      ['environment', env.OCR_PROFILE || undefined],
      ['profile', stored.profile],
    ) ?? { value: LOCAL_PROFILE, origin: 'built-in' }
  );
}

/** Ends of the hint about a missing profile: other ways out than making it, by the source of its name. */
const ALTERNATIVES: Partial<Record<Origin, string>> = {
  environment: '; or unset OCR_PROFILE',
  profile: '; or use another: ocr config set profile local',
};

export function listProfiles({ profiles }: StoredSettings): string[] {
  return [...new Set([LOCAL_PROFILE, ...Object.keys(profiles)])];
}

/** Returns the values of a profile. @throws OcrError CONFIG_INVALID for an unknown profile, or one with an unknown setting */
export function profileValues(
  { value: name, origin }: { value: string; origin?: Origin },
  stored: StoredSettings,
): Record<string, string> {
  if (Object.hasOwn(stored.profiles, name)) return refuseUnknown(name, stored.profiles[name] ?? {});
  if (name === LOCAL_PROFILE) return {};
  const known = listProfiles(stored);
  const near = suggest(name, known);
  const otherwise = origin === undefined ? '' : (ALTERNATIVES[origin] ?? '');
  throw new OcrError('CONFIG_INVALID', `There is no profile "${name}"`, {
    hint:
      near === undefined
        ? `There are: ${known.join(', ')}. Make it: ocr config set base-url <url> --profile ${name}${otherwise}`
        : `Did you mean ${near}?`,
  });
}

/** A slip of somebody who edits the file would otherwise change nothing, without a word. */
function refuseUnknown(profile: string, values: Record<string, string>): Record<string, string> {
  const names = [...PROFILE_SETTING_NAMES, 'api-key'];
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown === undefined) return values;
  const near = suggest(unknown, names);
  throw new OcrError('CONFIG_INVALID', `The profile "${profile}" has a setting that does not exist: ${unknown}`, {
    hint: `${near === undefined ? `Settings: ${names.join(', ')}` : `Did you mean ${near}?`}\nThe file: ocr config path`,
  });
}

/** Returns the profile's value, or the built-in one. @throws OcrError CONFIG_INVALID for a value that `ocr config set` would not have taken */
export function resolveText(name: ProfileSetting, profile: string, values: Record<string, string>): Setting<string> {
  const value = values[name];
  if (value === undefined) return { value: PROFILE_SETTINGS[name].builtIn ?? '', origin: 'built-in' };
  return { value: PROFILE_SETTINGS[name].check(value, `${name} of profile "${profile}"`), origin: 'profile' };
}

function resolveServer(
  flag: string | undefined,
  env: NodeJS.ProcessEnv,
  profile: Setting<string>,
  values: Record<string, string>,
): Setting<ServerSetting> {
  const address = resolveAddress({ flag, env, profile, values });
  if (address === undefined) {
    if (profile.value === LOCAL_PROFILE) return { value: { kind: 'local' }, origin: 'built-in' };
    throw new OcrError('CONFIG_INVALID', `The profile "${profile.value}" has no base-url`, {
      hint: `ocr config set base-url <url> --profile ${profile.value}`,
    });
  }
  const baseUrl = address.value;
  // A profile's key goes to that profile's server and nowhere else, whatever a flag or a variable says about the address.
  const isOwn = values['base-url'] !== undefined && parseBaseUrl(values['base-url'], 'base-url') === baseUrl;
  const key = firstSetting<string>(
    ['environment', env.OCR_API_KEY?.trim() || undefined],
    ['profile', isOwn ? values['api-key'] : undefined],
  );
  const apiKey = key === undefined ? undefined : { ...key, value: parseApiKey(key.value) };
  return { value: { kind: 'remote', baseUrl, apiKey }, origin: address.origin };
}

export interface AddressSources {
  flag: string | undefined;
  env: NodeJS.ProcessEnv;
  profile: { value: string; origin?: Origin };
  values: Record<string, string>;
}

/** The service's address; undefined where it is the service on this machine, or none is set. @throws OcrError CONFIG_INVALID */
export function resolveAddress({ flag, env, profile, values }: AddressSources): Setting<string> | undefined {
  const own = values['base-url'];
  const isLocal = profile.value === LOCAL_PROFILE;
  if (own !== undefined && isLocal) {
    // Documents for this machine must not reach another server.
    throw new OcrError(
      'CONFIG_INVALID',
      'The profile "local" has a base-url, but it is always the service on this machine',
      {
        hint: 'ocr config unset base-url --profile local',
      },
    );
  }
  // `--profile local` says where to, as an address would, and a flag overrides the environment.
  const isLocalByFlag = isLocal && profile.origin === 'flag';
  const address = firstSetting<string>(
    ['flag', flag],
    ['environment', isLocalByFlag ? undefined : env.OCR_BASE_URL || undefined],
    ['profile', own],
  );
  if (address === undefined) return undefined;
  const names = { flag: '--base-url', environment: 'OCR_BASE_URL', profile: `base-url of profile "${profile.value}"` };
  return mapSetting(address, (value) => parseBaseUrl(value, names[address.origin as keyof typeof names]));
}

function mapSetting<T, U>({ value, origin }: Setting<T>, map: (value: T) => U): Setting<U> {
  return { value: map(value), origin };
}

function firstSetting<T>(...candidates: Array<[Origin, T | undefined]>): Setting<T> | undefined {
  for (const [origin, value] of candidates) if (value !== undefined) return { value, origin };
  return undefined;
}
