import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startContractServer } from '../support/contract-server.js';
import { LAUNCHER } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';

let home: TemporaryHome;
beforeEach(() => {
  home = createHome();
});
afterEach(() => home.remove());

const run = (args: string[], env: Record<string, string> = {}) => runInProcess(args, { home, env });
const config = (args: string, env?: Record<string, string>) => run(['config', ...args.split(' ')], env);
const file = () => join(home.configDir, 'config.json');
const stored = () => JSON.parse(readFileSync(file(), 'utf8')) as object;

test('list → every setting in use; --show-origin → where each came from', async () => {
  expect((await run(['config'])).stdout).toBe(
    'profile\tlocal\nbase-url\t\nfunction\tTEXT_EXTRACTION\nformat\ttext\nlanguages\t\nconcurrency\t4\nwait-timeout\t300s\ntimeout\t120s\ncancel-on-interrupt\tfalse\n',
  );
  await config('set base-url https://work.example/api/ --profile work');
  await config('set wait-timeout 5m --profile work');
  const args = ['config', 'list', '--show-origin', '--profile', 'work', '--timeout', '1500ms'];
  expect((await run(args, { OCR_BASE_URL: 'http://env.example' })).stdout.split('\n')).toEqual([
    'profile\twork\t--profile',
    'base-url\thttp://env.example\tOCR_BASE_URL',
    'function\tTEXT_EXTRACTION\tbuilt-in',
    'format\ttext\tbuilt-in',
    'languages\t\tbuilt-in',
    'concurrency\t4\tbuilt-in',
    'wait-timeout\t5m\tprofile work',
    'timeout\t1500ms\t--timeout',
    'cancel-on-interrupt\tfalse\tbuilt-in',
    '',
  ]);
  const json = await config('list --json', { OCR_PROFILE: 'work' });
  expect(json.stderr).toBe('');
  expect(JSON.parse(json.stdout)).toEqual(
    expect.arrayContaining([
      { name: 'profile', value: 'work', origin: 'environment', source: 'OCR_PROFILE' },
      { name: 'base-url', value: 'https://work.example/api', origin: 'profile', source: 'profile work' },
      { name: 'timeout', value: '120s', origin: 'built-in', source: 'built-in' },
    ]),
  );
  expect(existsSync(home.stateDir)).toBe(false);
});

const AS_STRANGER = ['--user', '--map-user=54321'];
const canBeStranger = spawnSync('unshare', [...AS_STRANGER, 'true']).status === 0;

test.runIf(canBeStranger)('a user without a home directory → directories in variables are enough', () => {
  const { HOME: _, OCR_CONFIG_DIR, ...env } = home.env;
  const as = (more: Record<string, string>, ...args: string[]) =>
    spawnSync('unshare', [...AS_STRANGER, process.execPath, LAUNCHER, ...args], {
      env: { ...env, ...more },
      encoding: 'utf8',
    });
  expect(as({ OCR_CONFIG_DIR: home.configDir }, 'config', 'set', 'format', 'markdown')).toMatchObject({ status: 0 });
  expect(as({ OCR_CONFIG_DIR: home.configDir }, 'config', 'get', 'format').stdout).toBe('markdown\n');
  expect(as({ OCR_CONFIG_DIR: home.configDir }, 'serve', '--print-config').stdout).toContain(home.dataDir);
  expect(as({}, 'config', 'path').stdout).toBe('/.config/ocr/config.json\n');
});

test('twenty changes at once → all kept', async () => {
  const profiles = Array.from({ length: 20 }, (_, i) => `p${i}`);
  const runs = await Promise.all(
    profiles.map((name) => config(`set base-url https://${name}.example --profile ${name}`)),
  );
  expect(runs.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
  const expected = Object.fromEntries(profiles.map((name) => [name, { 'base-url': `https://${name}.example` }]));
  expect(stored()).toEqual({ profiles: expected });
  expect(readdirSync(home.configDir)).toEqual(['config.json']);
});

test('commands that write nothing → create nothing', async () => {
  for (const args of ['list', 'get format', 'path', 'unset format']) expect((await config(args)).exitCode).toBe(0);
  expect(existsSync(home.configDir)).toBe(false);
});

test('get → the value in use; set → changed; unset → the built-in value', async () => {
  expect((await config('get format')).stdout).toBe('text\n');
  for (const [value, kept] of [
    ['json', 'json'],
    ['md', 'markdown'],
  ])
    expect([await config(`set format ${value}`), (await config('get format')).stdout]).toMatchObject([
      { exitCode: 0, stdout: '' },
      `${kept}\n`,
    ]);
  expect(await config('set format markdown')).toMatchObject({ exitCode: 0, stdout: '' });
  expect((await config('get format')).stdout).toBe('markdown\n');
  expect(JSON.parse((await config('get format --json')).stdout)).toMatchObject({ name: 'format', value: 'markdown' });
  expect((await config('unset format')).exitCode).toBe(0);
  expect((await config('get format')).stdout).toBe('text\n');
  expect((await config('get base-url')).stdout).toBe('\n');
  expect(JSON.parse((await config('get base-url --json')).stdout)).toMatchObject({ value: null });
  expect(JSON.parse((await config('set concurrency 8 --json')).stdout)).toEqual({
    name: 'concurrency',
    value: '8',
    profile: 'local',
  });
  expect(JSON.parse((await config('unset concurrency --json')).stdout)).toEqual({
    name: 'concurrency',
    value: null,
    profile: 'local',
  });
});

test.each([
  'set format xml',
  'set format MARKDOWN',
  'set concurrency 0',
  'set concurrency 2.5',
  'set concurrency -1',
  'set wait-timeout soon',
  'set timeout 0',
  'set timeout -5s',
  'set function text.extraction',
  'set languages xx',
  'set languages deu+xx',
  'set languages deu;eng',
  'set base-url work.example',
  'set base-url ftp://h',
  'set base-url http://h/?a=b',
  'set profile nowhere',
  'set profile ../x',
  'set nothing 1',
  'get nothing',
  'unset nothing',
  'set format',
  'set format text more',
  'set format text --profile nowhere',
  'set base-url http://h --profile ../x',
  'set base-url http://h --profile local',
  'list nothing',
])('config %s → refused, and nothing is written', async (args) => {
  const { exitCode, stdout, stderr } = await config(args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/^ocr: /);
  expect(existsSync(file())).toBe(false);
});

test('a slip → a hint at the right name', async () => {
  expect((await config('set formt text')).stderr).toContain('Did you mean format?');
  await config('set base-url http://h --profile work');
  expect((await config('set profile wrk')).stderr).toContain('Did you mean work?');
});

test('languages → kept by any name; one that nothing knows is said, and may be the name of data of one’s own', async () => {
  for (const known of ['de+en', 'deu,eng', 'german', 'chi_sim'])
    expect(await config(`set languages ${known}`)).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await config('set languages xx')).stderr).toBe(
    'ocr: languages: "xx" is the code of no language\nList the languages: ocr languages\n',
  );
  expect((await config('get languages')).stdout).toBe('chi_sim\n');
  const own = await config('set languages deu+frakturx');
  expect(own).toMatchObject({ exitCode: 0, stdout: '' });
  expect(own.stderr).toMatch(/^"frakturx" is no known language, .* List the languages: ocr languages\n$/);
  expect((await config('set languages germam')).stderr).toContain('Did you mean German?');
});

test('an address → creates a profile, used if none was chosen; local stays this machine', async () => {
  const server = await startContractServer();
  try {
    await config('set format markdown');
    const { stderr } = await config(`set base-url ${server.baseUrl}/`);
    expect(stderr).toContain('ocr config set profile local');
    expect(stored()).toEqual({
      profile: 'default',
      profiles: { local: { format: 'markdown' }, default: { format: 'markdown', 'base-url': server.baseUrl } },
    });
    expect((await config('get base-url')).stdout).toBe(`${server.baseUrl}\n`);
    expect((await run(['functions'], { OCR_API_KEY: server.apiKey })).stdout).toContain('TEXT_EXTRACTION');
    await config('set profile local');
    expect((await config('get base-url')).stdout).toBe('\n');
    await config('unset profile');
    expect((await config('get profile')).stdout).toBe('local\n');
    await config(`set base-url ${server.baseUrl} --profile other`);
    expect((await config('get profile')).stdout).toBe('local\n');
  } finally {
    await server.close();
  }
});

test('a key → does not outlive the address that it was for', async () => {
  mkdirSync(home.configDir);
  const text = '{"profile":"work","profiles":{"work":{"base-url":"http://a.example","api-key":"key-key-key"}}}';
  writeFileSync(file(), text);
  await config('set base-url http://a.example/');
  expect(stored()).toHaveProperty('profiles.work.api-key');
  expect((await config('set base-url http://b.example')).stderr).toContain('ocr auth login');
  expect(stored()).toEqual({ profile: 'work', profiles: { work: { 'base-url': 'http://b.example' } } });
  writeFileSync(file(), text);
  await config('unset base-url');
  expect(stored()).toEqual({ profile: 'work', profiles: { work: {} } });
});

test('path → where the settings are, also where they cannot be read', async () => {
  mkdirSync(home.configDir);
  writeFileSync(file(), '{');
  expect((await config('path')).stdout).toBe(`${file()}\n`);
  expect(JSON.parse((await config('path --json')).stdout)).toEqual({ path: file() });
});

test('a corrupt file → named by every command that needs it, and left as it is', async () => {
  mkdirSync(home.configDir);
  writeFileSync(join(home.dir, 'a.pdf'), 'A');
  // All read it in one place: each command meets one of them, and one command each of them.
  const readers = ['config set format text', 'config unset format', 'auth status', 'auth logout', 'extract a.pdf'];
  for (const [text, commands] of [
    ['{"profiles":', ['config', ...readers]],
    ['', ['config']],
    ['[1]', ['config']],
  ] as const) {
    writeFileSync(file(), text);
    for (const args of commands) {
      const { exitCode, stderr } = await run(args.split(' '));
      expect(exitCode, args).toBe(2);
      expect(stderr).toContain(file());
      expect(readFileSync(file(), 'utf8')).toBe(text);
    }
  }
});

test('every write → keeps the modes of the file and its directory', async () => {
  for (const args of ['set format text', 'unset format', 'set base-url http://h', 'set profile local']) {
    expect((await config(args)).exitCode).toBe(0);
    expect([statSync(home.configDir).mode & 0o777, statSync(file()).mode & 0o777]).toEqual([0o700, 0o600]);
  }
});

test('a broken setting → can be repaired', async () => {
  mkdirSync(home.configDir);
  writeFileSync(file(), '{"profile":"gone","profiles":{"local":{"timeout":"soon"}}}');
  expect((await run(['config'])).exitCode).toBe(2);
  expect((await config('set profile local')).exitCode).toBe(0);
  expect((await run(['config'])).stderr).toContain('timeout of profile "local" is not a duration');
  expect((await config('set timeout 60s')).exitCode).toBe(0);
  expect((await config('get timeout')).stdout).toBe('60s\n');
});
