import type { Context } from '../../context.js';
import { parseSettingName, TOOL_SETTING } from '../../settings/known-settings.js';
import { changeSettings } from '../../settings/settings-store.js';
import { chooseTarget, openTarget, setAddress } from '../../settings/target-profile.js';
import { readSources } from './read-sources.js';

export interface UnsetOptions {
  name: string;
}

/** Resets a setting of the active profile to its built-in value. An unset setting stays as it is. */
export async function unset(context: Context, options: UnsetOptions): Promise<void> {
  const { output } = context;
  const name = parseSettingName(options.name);
  const { configDir, ...sources } = await readSources(context);
  const isTool = name === TOOL_SETTING;
  const target = isTool ? undefined : chooseTarget(sources, { isAddress: false });
  const before = target === undefined ? sources.stored : (sources.stored.profiles[target.name] ?? {});
  if (Object.hasOwn(before, name)) {
    let isKeyDropped = false;
    await changeSettings(configDir, (stored) => {
      if (target === undefined) {
        delete stored.profile;
        return;
      }
      const values = openTarget(stored, target);
      if (name === 'base-url') isKeyDropped = setAddress(values, undefined);
      else delete values[name];
    });
    if (isKeyDropped) output.note('The key belonged to that address and was removed too.');
  }
  if (output.isJson)
    await output.json({ name, value: null, ...(target === undefined ? {} : { profile: target.name }) });
}
