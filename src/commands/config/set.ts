import type { Context } from '../../context.js';
import { checkProfileName, PROFILE_SETTINGS, parseSettingName, TOOL_SETTING } from '../../settings/known-settings.js';
import { LOCAL_PROFILE, profileValues } from '../../settings/resolve-settings.js';
import { changeSettings } from '../../settings/settings-store.js';
import { chooseTarget, openTarget, setAddress } from '../../settings/target-profile.js';
import { readSources } from './read-sources.js';

export interface SetOptions {
  name: string;
  value: string;
}

/** Sets a setting of the active profile, or chooses the active profile. @throws OcrError for an invalid value */
export async function set(context: Context, options: SetOptions): Promise<void> {
  const { output } = context;
  const name = parseSettingName(options.name);
  const { configDir, ...sources } = await readSources(context);
  if (name === TOOL_SETTING) {
    const profile = checkProfileName(options.value);
    profileValues({ value: profile }, sources.stored);
    await changeSettings(configDir, (stored) => {
      stored.profile = profile;
    });
    if (output.isJson) await output.json({ name, value: profile });
    return;
  }
  const setting = PROFILE_SETTINGS[name];
  const value = setting.check(options.value, name);
  const remark = await setting.examine?.(value);
  const target = chooseTarget(sources, { isAddress: name === 'base-url' });
  let isKeyDropped = false;
  await changeSettings(configDir, (stored) => {
    const values = openTarget(stored, target);
    if (name === 'base-url') isKeyDropped = setAddress(values, value);
    else values[name] = value;
  });
  if (target.isChosenNow) {
    output.note(
      `The profile "${target.name}" is used from now on; back to this machine: ocr config set profile ${LOCAL_PROFILE}`,
    );
  }
  if (remark !== undefined) output.note(remark);
  if (isKeyDropped) output.note('The key belonged to another address and was removed; keep a new one: ocr auth login');
  if (output.isJson) await output.json({ name, value, profile: target.name });
}
