import { PROFILE_SETTING_NAMES, PROFILE_SETTINGS, type ProfileSetting, TOOL_SETTING } from './known-settings.js';
import {
  type Origin,
  profileValues,
  resolveAddress,
  resolveProfile,
  resolveText,
  type Setting,
  type SettingsSources,
} from './resolve-settings.js';

/** A setting as `ocr config` shows it. */
export interface SettingView {
  name: string;
  /** The value as it is typed; null where nothing is set. */
  value: string | null;
  origin: Origin;
  /** The exact source: `--timeout`, `OCR_BASE_URL`, `profile work`. */
  source: string;
}

/** Every setting in use, also where together they name no service. @throws OcrError CONFIG_INVALID */
export function describeSettings(sources: SettingsSources): SettingView[] {
  const { flags, env, stored } = sources;
  const profile = resolveProfile(sources);
  const values = profileValues(profile, stored);
  const describe = (name: ProfileSetting): SettingView => {
    const known = PROFILE_SETTINGS[name];
    const setting = resolveOne(name);
    const source = {
      flag: known.flag,
      environment: known.variable,
      profile: `profile ${profile.value}`,
      'built-in': undefined,
    }[setting.origin];
    return {
      name,
      value: setting.value === '' ? null : setting.value,
      origin: setting.origin,
      source: source ?? 'built-in',
    };
  };
  const resolveOne = (name: ProfileSetting): Setting<string> => {
    if (name === 'base-url') {
      const address = resolveAddress({ flag: flags.baseUrl, env, profile, values });
      return address ?? { value: '', origin: 'built-in' };
    }
    if (name === 'timeout' && flags.timeoutMs !== undefined) {
      return { value: formatMs(flags.timeoutMs), origin: 'flag' };
    }
    return resolveText(name, profile.value, values);
  };
  const source = { flag: '--profile', environment: 'OCR_PROFILE', profile: 'settings file', 'built-in': 'built-in' };
  return [{ name: TOOL_SETTING, ...profile, source: source[profile.origin] }, ...PROFILE_SETTING_NAMES.map(describe)];
}

function formatMs(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
