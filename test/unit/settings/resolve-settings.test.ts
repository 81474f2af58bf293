import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serviceFlags } from '../../../src/contract/command-words.js';
import { describeSettings } from '../../../src/settings/describe-settings.js';
import { findServiceFlags } from '../../../src/settings/find-service-flags.js';
import { resolveSettings, type SettingsSources } from '../../../src/settings/resolve-settings.js';
import { readSettingsFile } from '../../../src/settings/settings-file.js';

const stored = {
  profile: 'work',
  profiles: {
    work: { 'base-url': 'https://work.example/api/', 'api-key': 'work-key', function: 'F', 'wait-timeout': '5m' },
    other: { 'base-url': 'https://other.example', 'api-key': 'other-key' },
    bare: {},
  },
};

function resolve(sources: Partial<SettingsSources>) {
  return resolveSettings({ flags: {}, env: {}, stored: { profiles: {} }, ...sources });
}

test('no configuration → the service on this machine, and the built-in values', () => {
  const { profile, server, ...rest } = resolve({});
  expect(profile).toEqual({ value: 'local', origin: 'built-in' });
  expect(server.value).toEqual({ kind: 'local' });
  expect(rest).toEqual({
    function: { value: 'TEXT_EXTRACTION', origin: 'built-in' },
    format: { value: 'text', origin: 'built-in' },
    languages: { value: '', origin: 'built-in' },
    concurrency: { value: 4, origin: 'built-in' },
    waitTimeoutMs: { value: 300_000, origin: 'built-in' },
    timeoutMs: { value: 120_000, origin: 'built-in' },
    cancelsOnInterrupt: { value: false, origin: 'built-in' },
  });
});

test('each value → flag over environment over profile over built-in', () => {
  expect(resolve({ stored }).profile).toEqual({ value: 'work', origin: 'profile' });
  expect(resolve({ stored, env: { OCR_PROFILE: 'other' } }).profile).toEqual({ value: 'other', origin: 'environment' });
  const flags = { profile: 'other' };
  expect(resolve({ stored, flags, env: { OCR_PROFILE: 'work' } }).profile).toEqual({ value: 'other', origin: 'flag' });

  expect(resolve({ stored }).server).toMatchObject({
    value: { baseUrl: 'https://work.example/api' },
    origin: 'profile',
  });
  const env = { OCR_BASE_URL: 'http://env.example/' };
  expect(resolve({ stored, env }).server).toMatchObject({
    value: { baseUrl: 'http://env.example' },
    origin: 'environment',
  });
  expect(resolve({ stored, env, flags: { baseUrl: 'http://flag.example' } }).server).toMatchObject({
    value: { baseUrl: 'http://flag.example' },
    origin: 'flag',
  });
  expect(resolve({ stored }).function).toEqual({ value: 'F', origin: 'profile' });
  expect(resolve({ stored }).waitTimeoutMs).toEqual({ value: 300_000, origin: 'profile' });
  expect(resolve({ flags: { timeoutMs: 5 } }).timeoutMs).toEqual({ value: 5, origin: 'flag' });
});

test('--profile local → this machine, also with OCR_BASE_URL; with --base-url → that address', () => {
  const env = { OCR_BASE_URL: 'http://env.example', OCR_API_KEY: 'env-key' };
  const flags = { profile: 'local' };
  expect(resolve({ flags, env }).server).toEqual({ value: { kind: 'local' }, origin: 'built-in' });
  expect(describeSettings({ flags, env, stored: { profiles: {} } })).toContainEqual({
    name: 'base-url',
    value: null,
    origin: 'built-in',
    source: 'built-in',
  });
  const named = { value: { baseUrl: 'http://flag.example' }, origin: 'flag' };
  expect(resolve({ flags: { ...flags, baseUrl: 'http://flag.example' }, env }).server).toMatchObject(named);
  // The profile `local`, when no flag names it, means that nothing is set.
  for (const unnamed of [{ stored: { profile: 'local', profiles: {} } }, { env: { ...env, OCR_PROFILE: 'local' } }]) {
    expect(resolve({ env, ...unnamed }).server.origin).toBe('environment');
  }
});

test.each<[string, { profile: string; serverId: string }, Partial<SettingsSources>, string]>([
  [
    'what a flag named',
    { profile: 'local', serverId: 'http://h' },
    { flags: { baseUrl: 'http://h' } },
    '--base-url http://h',
  ],
  ['what a variable names', { profile: 'local', serverId: 'http://h' }, { env: { OCR_BASE_URL: 'http://h' } }, ''],
  [
    'what a variable names, with another profile',
    { profile: 'local', serverId: 'http://h' },
    { stored, env: { OCR_BASE_URL: 'http://h' } },
    '--profile local --base-url http://h',
  ],
  ['this machine', { profile: 'local', serverId: 'local:/data' }, {}, ''],
  [
    'this machine, with a variable that names another',
    { profile: 'local', serverId: 'local:/data' },
    { env: { OCR_BASE_URL: 'http://h' } },
    '--profile local',
  ],
  ['the profile in use', { profile: 'work', serverId: 'https://work.example/api' }, { stored }, ''],
  ['another profile', { profile: 'other', serverId: 'https://other.example' }, { stored }, '--profile other'],
  [
    'an address beside the profile in use',
    { profile: 'work', serverId: 'http://h' },
    { stored, flags: { baseUrl: 'http://h' } },
    '--base-url http://h',
  ],
])('flags for the next command to reach %s → "$3"', (_, record, sources, flags) => {
  expect(serviceFlags(findServiceFlags(record, resolve(sources))).trim()).toBe(flags);
});

describe('the key', () => {
  const keyOf = (sources: Partial<SettingsSources>) => {
    const { value } = resolve(sources).server;
    return value.kind === 'remote' ? value.apiKey?.value : 'local';
  };

  test('a key of a profile → sent to that profile’s server alone', () => {
    expect(keyOf({ stored })).toBe('work-key');
    expect(keyOf({ stored, flags: { profile: 'other' } })).toBe('other-key');
    expect(keyOf({ stored, flags: { baseUrl: 'https://evil.example' } })).toBeUndefined();
    expect(keyOf({ stored, env: { OCR_BASE_URL: 'https://evil.example' } })).toBeUndefined();
    expect(keyOf({ stored, flags: { baseUrl: 'https://work.example/api' } })).toBe('work-key');
  });

  test('a key of the environment → wins, without its newline', () => {
    expect(keyOf({ stored, env: { OCR_API_KEY: 'env-key\n' } })).toBe('env-key');
    expect(keyOf({ flags: { baseUrl: 'http://h' }, env: { OCR_API_KEY: 'env-key' } })).toBe('env-key');
    expect(keyOf({ stored, env: { OCR_API_KEY: '' } })).toBe('work-key');
  });

  test('a key of the environment → not sent to the service on this machine', () => {
    expect(keyOf({ env: { OCR_API_KEY: 'env-key' } })).toBe('local');
  });

  test('a key that no header can hold → refused, and not repeated in the message', () => {
    const bad = () => keyOf({ stored, env: { OCR_API_KEY: 'secret\nInjected: 1' } });
    expect(bad).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    expect(bad).not.toThrow(/secret/);
  });
});

test.each<[string, Partial<SettingsSources>, string]>([
  ['a flag', { flags: { profile: 'gone' } }, ''],
  ['the environment', { env: { OCR_PROFILE: 'gone' } }, '; or unset OCR_PROFILE'],
  ['the settings', { stored: { ...stored, profile: 'gone' } }, '; or use another: ocr config set profile local'],
])(
  'an unknown profile named by %s → a hint with the profiles there are, and how to name none',
  (_, sources, otherwise) => {
    const hint = `There are: local, work, other, bare. Make it: ocr config set base-url <url> --profile gone${otherwise}`;
    expect(() => resolve({ stored, ...sources })).toThrow(expect.objectContaining({ hint }));
  },
);

test.each<[string, Partial<SettingsSources>, RegExp]>([
  ['an unknown profile', { stored, flags: { profile: 'wrok' } }, /no profile "wrok"/],
  ['a profile without an address', { stored, flags: { profile: 'bare' } }, /no base-url/],
  ['no address', { flags: { baseUrl: 'work.example' } }, /--base-url is not an http/],
  ['another scheme', { env: { OCR_BASE_URL: 'ftp://h' } }, /OCR_BASE_URL is not an http/],
  ['a query', { env: { OCR_BASE_URL: 'http://h/?a=1' } }, /must end with its path/],
  [
    'an address of this machine',
    { stored: { profiles: { local: { 'base-url': 'http://h' } } } },
    /always the service on this/,
  ],
  ['what is no setting', { stored: { profiles: { local: { base_url: 'http://h' } } } }, /does not exist: base_url/],
  [
    'a bad format',
    { stored: { profiles: { local: { format: 'xml' } } } },
    /format of profile "local" is none of text, markdown and json/,
  ],
  ['a bad concurrency', { stored: { profiles: { local: { concurrency: '0' } } } }, /concurrency of profile "local"/],
  [
    'no timeout at all',
    { stored: { profiles: { local: { timeout: '0s' } } } },
    /timeout of profile "local" must be more than zero/,
  ],
  ['a bad duration', { stored: { profiles: { local: { timeout: 'soon' } } } }, /timeout of profile "local"/],
])('%s → CONFIG_INVALID', (_, sources, message) => {
  expect(() => resolve(sources)).toThrow(message);
  expect(() => resolve(sources)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', exitCode: 2 }));
});

test('an unknown setting in a profile → a hint with the known ones, or the closest, and the file', () => {
  const sources = (name: string) => ({ stored: { profiles: { local: { [name]: 'x' } } } });
  const hint = (text: string) => expect.objectContaining({ hint: text });
  expect(() => resolve(sources('zzz'))).toThrow(
    hint(
      'Settings: base-url, function, format, languages, concurrency, wait-timeout, timeout, cancel-on-interrupt, api-key\nThe file: ocr config path',
    ),
  );
  expect(() => resolve(sources('base_url'))).toThrow(hint('Did you mean base-url?\nThe file: ocr config path'));
});

test('a password or key in an address → refused, and not repeated in the message', () => {
  expect(() => resolve({ env: { OCR_BASE_URL: 'http://me:hunter2@h' } })).toThrow(/user name or password/);
  for (const text of [
    'http://me:hunter2@h',
    'me:hunter2@h',
    'http://h/?token=hunter2',
    'http://h/#hunter2',
    'ocr_live_hunter2hunter2hunter2',
  ]) {
    expect(() => resolve({ env: { OCR_BASE_URL: text } })).toThrow(/OCR_BASE_URL/);
    expect(() => resolve({ env: { OCR_BASE_URL: text } })).not.toThrow(/hunter2/);
  }
});

describe('the settings file', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'ocr-settings-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  test('a settings file → read; no file → no profiles', async () => {
    expect(await readSettingsFile(dir)).toEqual({ profiles: {} });
    writeFileSync(join(dir, 'config.json'), JSON.stringify(stored));
    expect(await readSettingsFile(dir)).toEqual(stored);
  });

  test.each([
    '{"profile":',
    '[]',
    '"x"',
    '{"profiles":[]}',
    '{"profile":1}',
    '{"profiles":{"a":1}}',
    '{"profiles":{"a":{"concurrency":[2]}}}',
    '',
  ])('a corrupt file → CONFIG_INVALID that names it; the file stays: %s', async (text) => {
    const path = join(dir, 'config.json');
    writeFileSync(path, text);
    await expect(readSettingsFile(dir)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(path),
    });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('a number in the file → its text, as on the command line', async () => {
    writeFileSync(join(dir, 'config.json'), '{"profiles":{"a":{"timeout":30}}}');
    expect(await readSettingsFile(dir)).toEqual({ profiles: { a: { timeout: '30' } } });
  });

  test('a corrupt file, which may hold a key → the line number, no quotation', async () => {
    writeFileSync(join(dir, 'config.json'), '{\n  "profiles": {"a": {"api-key": "hunter2" "x"}}\n}');
    const error = (await readSettingsFile(dir).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toContain('line 2');
    expect(`${error.message}${error.stack}${String(error.cause)}`).not.toContain('hunter2');
  });
});
