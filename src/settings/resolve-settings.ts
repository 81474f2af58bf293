import { parseDurationMs } from '../contract/duration.js';
import { OcrError } from '../contract/ocr-error.js';
import { suggest } from '../contract/suggest.js';
import { parseApiKey, parseBaseUrl } from './parse-server.js';
import type { StoredSettings } from './settings-file.js';

/** The profile that is always there: the service on this machine, found or started when it is needed. */
export const LOCAL_PROFILE = 'local';

/** Where a value came from, in falling precedence. */
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
  waitTimeoutMs: Setting<number>;
  /** Of one request, without progress. */
  timeoutMs: Setting<number>;
}

export interface SettingsSources {
  flags: { profile?: string | undefined; baseUrl?: string | undefined; timeoutMs?: number | undefined };
  env: NodeJS.ProcessEnv;
  stored: StoredSettings;
}

const BUILT_IN = { function: 'TEXT_EXTRACTION', format: 'text', waitTimeoutMs: 300_000, timeoutMs: 120_000 };

/**
 * Flag > environment > profile > built-in, for each value apart. An empty variable counts as unset.
 * @throws OcrError CONFIG_INVALID
 */
export function resolveSettings({ flags, env, stored }: SettingsSources): Settings {
  const profile = first<string>(
    ['flag', flags.profile],
    ['environment', env.OCR_PROFILE || undefined],
    ['profile', stored.profile],
  ) ?? { value: LOCAL_PROFILE, origin: 'built-in' as const };
  const values = profileValues(profile.value, stored);
  return {
    profile,
    server: resolveServer(flags.baseUrl, env, profile, values),
    function: stringSetting(values, 'function', BUILT_IN.function),
    format: stringSetting(values, 'format', BUILT_IN.format),
    waitTimeoutMs: durationSetting(values, 'wait-timeout', profile.value, BUILT_IN.waitTimeoutMs),
    timeoutMs:
      flags.timeoutMs === undefined
        ? durationSetting(values, 'timeout', profile.value, BUILT_IN.timeoutMs)
        : { value: flags.timeoutMs, origin: 'flag' },
  };
}

function profileValues(name: string, stored: StoredSettings): Record<string, string> {
  if (Object.hasOwn(stored.profiles, name)) return stored.profiles[name] ?? {};
  if (name === LOCAL_PROFILE) return {};
  const near = suggest(name, [LOCAL_PROFILE, ...Object.keys(stored.profiles)]);
  throw new OcrError('CONFIG_INVALID', `There is no profile "${name}"`, {
    hint: near === undefined ? 'Profiles are kept in the settings file.' : `Did you mean ${near}?`,
  });
}

function resolveServer(
  flag: string | undefined,
  env: NodeJS.ProcessEnv,
  profile: Setting<string>,
  values: Record<string, string>,
): Setting<ServerSetting> {
  const address = first<string>(
    ['flag', flag],
    ['environment', env.OCR_BASE_URL || undefined],
    ['profile', values['base-url']],
  );
  if (address === undefined) {
    if (profile.value === LOCAL_PROFILE) return { value: { kind: 'local' }, origin: 'built-in' };
    throw new OcrError('CONFIG_INVALID', `The profile "${profile.value}" has no base-url`, {
      hint: 'Set OCR_BASE_URL, or use --base-url.',
    });
  }
  const names = { flag: '--base-url', environment: 'OCR_BASE_URL', profile: `base-url of profile ${profile.value}` };
  const baseUrl = parseBaseUrl(address.value, names[address.origin as keyof typeof names]);
  // A profile's key goes to that profile's server and nowhere else, whatever a flag or a variable says about the address.
  const ownUrl = values['base-url'] === undefined ? undefined : parseBaseUrl(values['base-url'], names.profile);
  const key = first<string>(
    ['environment', env.OCR_API_KEY?.trim() || undefined],
    ['profile', ownUrl === baseUrl ? values['api-key'] : undefined],
  );
  const apiKey = key === undefined ? undefined : { ...key, value: parseApiKey(key.value) };
  return { value: { kind: 'remote', baseUrl, apiKey }, origin: address.origin };
}

function stringSetting(values: Record<string, string>, name: string, builtIn: string): Setting<string> {
  const value = values[name];
  return value === undefined ? { value: builtIn, origin: 'built-in' } : { value, origin: 'profile' };
}

function durationSetting(
  values: Record<string, string>,
  name: string,
  profile: string,
  builtIn: number,
): Setting<number> {
  const text = values[name];
  if (text === undefined) return { value: builtIn, origin: 'built-in' };
  const value = parseDurationMs(text);
  if (value !== undefined) return { value, origin: 'profile' };
  throw new OcrError('CONFIG_INVALID', `${name} of profile "${profile}" is no duration: ${text}`, {
    hint: 'Durations look like 300s, 5m or 1h.',
  });
}

function first<T>(...candidates: Array<[Origin, T | undefined]>): Setting<T> | undefined {
  for (const [origin, value] of candidates) if (value !== undefined) return { value, origin };
  return undefined;
}
