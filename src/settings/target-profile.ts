import { OcrError } from '../contract/ocr-error.js';
import { checkProfileName } from './known-settings.js';
import { LOCAL_PROFILE, profileValues, resolveProfile, type SettingsSources } from './resolve-settings.js';
import type { StoredSettings } from './settings-file.js';

/** The profile that stands in for `local` when an address is set and no profile was chosen. */
const DEFAULT_PROFILE = 'default';

export interface TargetProfile {
  name: string;
  /** True when it becomes the profile in use: it was made because none was chosen. */
  isChosenNow: boolean;
}

/**
 * Chooses the profile that a change goes to: the active one. An address and its key never go to `local`, which is always this
 * machine: where no other profile was chosen, to one of the name `default`, which is used from then on.
 * @throws OcrError USAGE, CONFIG_INVALID
 */
export function chooseTarget(sources: SettingsSources, { isAddress }: { isAddress: boolean }): TargetProfile {
  const profile = resolveProfile(sources);
  const { value: name, origin } = profile;
  if (!isAddress) {
    profileValues(profile, sources.stored);
    return { name, isChosenNow: false };
  }
  if (name !== LOCAL_PROFILE) return { name: checkProfileName(name), isChosenNow: false };
  if (origin === 'flag' || origin === 'environment') {
    throw new OcrError('USAGE', 'The profile "local" is always the service on this machine', {
      hint: 'Name another profile: --profile work',
    });
  }
  return { name: DEFAULT_PROFILE, isChosenNow: true };
}

/** The settings of a target, made where it is not there. One that stands in for `local` takes over what was set there. */
export function openTarget(stored: StoredSettings, { name, isChosenNow }: TargetProfile): Record<string, string> {
  const inherited = isChosenNow ? (stored.profiles[LOCAL_PROFILE] ?? {}) : {};
  const values = Object.hasOwn(stored.profiles, name) ? stored.profiles[name] : undefined;
  const opened = { ...inherited, ...values };
  stored.profiles[name] = opened;
  if (isChosenNow) stored.profile = name;
  return opened;
}

/** Sets the address of a profile; a key for another address goes, for it must not be sent there. Whether one did. */
export function setAddress(values: Record<string, string>, baseUrl: string | undefined): boolean {
  const isOther = values['base-url'] !== baseUrl;
  const isKeyDropped = isOther && values['api-key'] !== undefined;
  if (isOther) delete values['api-key'];
  if (baseUrl === undefined) delete values['base-url'];
  else values['base-url'] = baseUrl;
  return isKeyDropped;
}
