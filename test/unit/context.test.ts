import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Context } from '../../src/context.js';
import { resolveSettings, type Settings } from '../../src/settings/resolve-settings.js';
import { readSettingsFile } from '../../src/settings/settings-file.js';
import { fakeContext } from '../support/fake-context.js';

/** Writes a settings file with several profiles, of which `work` is active. */
async function storeProfiles(context: Context): Promise<void> {
  const { configDir } = await context.directories();
  mkdirSync(configDir, { recursive: true });
  const profiles = {
    work: { 'base-url': 'https://work.example/ocr', 'api-key': 'ocr_live_work' },
    home: { 'base-url': 'http://home.example', 'api-key': 'ocr_live_home' },
    alias: { 'base-url': 'http://home.example', 'api-key': 'ocr_live_other' },
    keyless: { 'base-url': 'https://keyless.example' },
  };
  writeFileSync(join(configDir, 'config.json'), JSON.stringify({ profile: 'work', profiles }));
}

/** Returns the settings of a stored profile. */
async function settingsOf(context: Context, profile: string): Promise<Settings> {
  const { configDir } = await context.directories();
  return resolveSettings({ flags: { profile }, env: {}, stored: await readSettingsFile(configDir) });
}

test('no settings → the service on this machine, not named', async () => {
  const { context } = fakeContext('pipe');
  const { dataDir } = await context.directories();
  const serverId = await context.serverId();
  expect(serverId).toMatch(/^local:/);
  expect((await context.settings()).server.value).toEqual({ kind: 'local' });
  expect(await context.activeService()).toEqual({ serverId, isNamed: false });
  expect(dataDir).toContain('data');
});

test('a stored profile → its service is active; another profile’s is known by its settings', async () => {
  const { context } = fakeContext('pipe');
  await storeProfiles(context);
  expect(await context.serverId()).toBe('https://work.example/ocr');
  expect(await context.serverId(await settingsOf(context, 'home'))).toBe('http://home.example');
  expect(await context.activeService()).toEqual({ serverId: 'https://work.example/ocr', isNamed: false });
});

test.each<[string, object, object]>([
  ['--profile', { profile: 'home' }, { serverId: 'http://home.example', isNamed: true, profile: 'home' }],
  ['--base-url', { baseUrl: 'https://flag.example' }, { serverId: 'https://flag.example', isNamed: true }],
])('%s → the service that it names', async (_, flags, expected) => {
  const { context } = fakeContext('pipe', { flags });
  await storeProfiles(context);
  expect(await context.activeService()).toEqual(expected);
});

test('settings that cannot be read → no active service, and every other use is refused', async () => {
  const { context } = fakeContext('pipe');
  const { configDir } = await context.directories();
  mkdirSync(configDir);
  writeFileSync(join(configDir, 'config.json'), '{');
  expect(await context.activeService()).toEqual({ serverId: undefined, isNamed: false });
  await expect(context.settings()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  await expect(context.api()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
});

test('a profile without a key → NO_API_KEY with the command that stores one', async () => {
  const { context } = fakeContext('pipe');
  await storeProfiles(context);
  await expect(context.api(await settingsOf(context, 'keyless'))).rejects.toMatchObject({
    code: 'NO_API_KEY',
    hint: expect.stringContaining('ocr auth login --profile keyless'),
  });
});

test('one client for each profile; plain HTTP → one warning for each address', async () => {
  const fake = fakeContext('pipe');
  const { context } = fake;
  await storeProfiles(context);
  const other = await settingsOf(context, 'home');
  const [first, again, home] = [context.api(), context.api(), context.api(other)];
  expect(await context.api(await settingsOf(context, 'home'))).toBe(await home);
  expect(await first).toBe(await again);
  expect(await (await home).endpoint()).toMatchObject({ baseUrl: 'http://home.example', apiKey: 'ocr_live_home' });
  await context.api(await settingsOf(context, 'alias'));
  expect(await (await first).endpoint()).toMatchObject({ serverId: 'https://work.example/ocr' });
  expect(fake.stderr.match(/home\.example/g)).toHaveLength(1);
});
