import type { Context } from '../../context.js';
import { LOCAL_PROFILE, profileValues, resolveProfile } from '../../settings/resolve-settings.js';
import { readSettingsFile } from '../../settings/settings-file.js';
import { changeSettings } from '../../settings/settings-store.js';

/** Removes the key of the active profile. Its address and other settings stay; the service does not learn of it. */
export async function logout(context: Context): Promise<void> {
  const { flags, env, output } = context;
  const { configDir } = await context.directories();
  const stored = await readSettingsFile(configDir);
  const active = resolveProfile({ flags, env, stored });
  const { value: profile } = active;
  const removed = profileValues(active, stored)['api-key'] !== undefined;
  if (removed) {
    await changeSettings(configDir, (settings) => {
      delete settings.profiles[profile]?.['api-key'];
    });
  }
  if (output.isJson) return await output.json({ profile, removed });
  const isLocal = profile === LOCAL_PROFILE;
  output.note(
    removed
      ? `The key of the profile "${profile}" was removed.`
      : isLocal
        ? 'The service on this machine has its own key; none is stored here.'
        : `The profile "${profile}" has no key.`,
  );
  if (env.OCR_API_KEY?.trim()) output.note('OCR_API_KEY is set and still used.');
}
