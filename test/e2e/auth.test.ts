import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContractServer, failure, startContractServer } from '../support/contract-server.js';
import { openTerminal } from '../support/pty.js';
import { runInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';

let home: TemporaryHome;
let server: ContractServer;
beforeEach(async () => {
  home = createHome();
  server = await startContractServer();
});
afterEach(async () => {
  await server.close();
  home.remove();
});

const run = (args: string, { input, env }: { input?: string; env?: Record<string, string> } = {}) =>
  runInProcess(args.split(' '), { home, ...(env && { env }), ...(input === undefined ? {} : { input }) });
const login = (more = '', input = `${server.apiKey}\n`) =>
  run(`auth login --with-token --base-url ${server.baseUrl}${more}`, { input });
const file = () => join(home.configDir, 'config.json');
const stored = () => JSON.parse(readFileSync(file(), 'utf8')) as object;

test('login with an accepted key → stored, and used from then on', async () => {
  const { exitCode, stdout, stderr } = await login();
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  expect(stderr).toContain('…cret');
  expect(server.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/ocr/functions']);
  expect(stored()).toEqual({
    profile: 'default',
    profiles: { default: { 'base-url': server.baseUrl, 'api-key': server.apiKey } },
  });
  expect([statSync(home.configDir).mode & 0o777, statSync(file()).mode & 0o777]).toEqual([0o700, 0o600]);
  expect((await run('functions')).stdout).toContain('TEXT_EXTRACTION');
});

test('login as JSON into a profile of its own → not used without being named', async () => {
  const { stdout, stderr } = await login(' --profile work --json');
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ profile: 'work', baseUrl: server.baseUrl, key: '…cret', accepted: true });
  expect(JSON.parse((await run('auth status --json')).stdout)).toMatchObject({ profile: 'local' });
  expect(JSON.parse((await run('auth status --json --profile work')).stdout)).toMatchObject({
    profile: 'work',
    baseUrl: server.baseUrl,
    host: new URL(server.baseUrl).host,
    key: '…cret',
    source: 'profile work',
    accepted: true,
  });
});

test.each<[string, () => Promise<{ exitCode: number | undefined; stderr: string }>, number, RegExp]>([
  ['a key that is refused', () => login('', 'wrong-key-0123456789\n'), 4, /refuses the key …6789: Unknown API key/],
  ['no key', () => login('', ' \n'), 2, /no key on standard input/],
  ['a key with spaces', () => login('', 'two words'), 2, /spaces/],
  ['something that is no key', () => login('', 'x'.repeat(10_000)), 2, /too long/],
  ['no service', () => run('auth login --with-token', { input: 'key' }), 2, /no service to log in to/],
  ['this machine', () => login(' --profile local'), 2, /always the service on this machine/],
  ['no terminal', () => run(`auth login --base-url ${server.baseUrl}`, { input: 'key' }), 2, /without a terminal/],
  [
    'no answer',
    () => run('auth login --with-token --base-url http://127.0.0.1:1', { input: 'key' }),
    7,
    /127\.0\.0\.1:1/,
  ],
  ['a key as an argument', () => run('auth login hunter2hunter2'), 2, /too many arguments/],
  ['a key as a flag', () => run('auth login --with-token=hunter2hunter2'), 2, /--with-token/],
  ['a key as an unknown flag', () => run('auth login --token=hunter2hunter2'), 2, /unknown option '--token'/],
])('%s → not stored', async (_, attempt, exitCode, message) => {
  const found = await attempt();
  expect(found.exitCode, found.stderr).toBe(exitCode);
  expect(found.stderr).toMatch(message);
  expect(found.stderr).not.toMatch(/hunter2|wrong-key|two words/);
  expect(existsSync(file())).toBe(false);
});

test('a refused key → the stored one stays', async () => {
  await login();
  expect((await login('', 'wrong-key-0123456789')).exitCode).toBe(4);
  expect((await run('auth status')).exitCode).toBe(0);
  server.script.catalog = [{ status: 503, body: 'busy' }];
  expect((await login('', 'other-key-0123456789')).exitCode).toBe(7);
  expect(stored()).toHaveProperty('profiles.default.api-key', server.apiKey);
});

test('login on a terminal → asks for the key and does not show it', async () => {
  const terminal = openTerminal(['auth', 'login', '--base-url', server.baseUrl], { home });
  await terminal.waitFor(/API key for http:\S+: /);
  terminal.type(`${server.apiKey}x\x7f`);
  terminal.type('\r');
  expect((await terminal.exited).exitCode, terminal.shown).toBe(0);
  expect(terminal.shown).not.toContain(server.apiKey.slice(0, 12));
  expect(stored()).toHaveProperty('profiles.default.api-key', server.apiKey);
});

test('login without an address on a terminal → asks for it, then for the key', async () => {
  const terminal = openTerminal(['auth', 'login'], { home });
  await terminal.waitFor(/Address of the service: /);
  terminal.type(`${server.baseUrl}\r`);
  await terminal.waitFor(/API key for http:\S+: /);
  terminal.type(`${server.apiKey}\r`);
  expect((await terminal.exited).exitCode, terminal.shown).toBe(0);
  expect(stored()).toHaveProperty('profiles.default.base-url', server.baseUrl);
  expect(stored()).toHaveProperty('profiles.default.api-key', server.apiKey);
});

test('Ctrl-C or nothing at the question for the address → nothing stored', async () => {
  for (const [typed, exitCode] of [
    ['http\x03', 130],
    ['\r', 2],
    ['not an address\r', 2],
  ] as const) {
    const terminal = openTerminal(['auth', 'login'], { home });
    await terminal.waitFor(/Address of the service: /);
    terminal.type(typed);
    expect((await terminal.exited).exitCode, terminal.shown).toBe(exitCode);
    // The message has a line of its own.
    if (exitCode === 130) expect(terminal.shown).toMatch(/\n(?:\x1b\[31m)?ocr:(?:\x1b\[39m)? Interrupted/);
  }
  expect(existsSync(file())).toBe(false);
});

test('Ctrl-C at the prompt → nothing stored; --no-input → no prompt', async () => {
  const terminal = openTerminal(['auth', 'login', '--base-url', server.baseUrl], { home });
  await terminal.waitFor(/API key for/);
  terminal.type('half\x03');
  expect((await terminal.exited).exitCode).toBe(130);
  expect(existsSync(file())).toBe(false);
  const silent = openTerminal(['auth', 'login', '--no-input', '--base-url', server.baseUrl], { home });
  expect((await silent.exited).exitCode).toBe(2);
  expect(silent.shown).not.toContain('API key for');
});

test('status → profile, service, key and its origin', async () => {
  await login();
  expect((await run('auth status')).stdout).toBe(
    `Profile\tdefault\nService\t${server.baseUrl}\nService from\tprofile default\nKey\t…cret\nKey from\tprofile default\nState\taccepted\n`,
  );
  const env = { OCR_BASE_URL: server.baseUrl, OCR_API_KEY: server.apiKey };
  expect(JSON.parse((await run('auth --json', { env })).stdout)).toMatchObject({
    baseUrlSource: 'OCR_BASE_URL',
    source: 'OCR_API_KEY',
    accepted: true,
  });
});

test('status of an address without a profile → does not name the profile of this machine', async () => {
  const env = { OCR_BASE_URL: server.baseUrl, OCR_API_KEY: server.apiKey };
  expect((await run('auth status', { env })).stdout).toBe(
    `Service\t${server.baseUrl}\nService from\tOCR_BASE_URL\nKey\t…cret\nKey from\tOCR_API_KEY\nState\taccepted\n`,
  );
  const none = await run(`auth status --base-url ${server.baseUrl}`);
  expect(none.stdout).toContain('Service from\t--base-url\n');
  expect(none.stderr).toContain(`Try: ocr auth login --base-url ${server.baseUrl} `);
});

test('status of a refused key, of none, of an absent service → says so', async () => {
  const env = { OCR_BASE_URL: server.baseUrl, OCR_API_KEY: 'wrong-key-0123456789' };
  const refused = await run('auth status', { env });
  expect(refused.exitCode).toBe(4);
  expect(refused.stdout).toContain('State\trefused\n');
  expect(refused.stderr).toContain('Unknown API key');
  const json = await run('auth status --json', { env });
  expect({ exitCode: json.exitCode, stderr: json.stderr }).toEqual({ exitCode: 4, stderr: '' });
  expect(JSON.parse(json.stdout)).toMatchObject({ key: '…6789', accepted: false, error: { code: 'UNAUTHORIZED' } });
  const none = await run('auth status --json', { env: { OCR_BASE_URL: server.baseUrl } });
  expect(none.exitCode).toBe(4);
  expect(JSON.parse(none.stdout)).toMatchObject({
    key: null,
    source: null,
    accepted: null,
    error: { code: 'NO_API_KEY' },
  });
  const away = await run('auth status --json', { env: { OCR_BASE_URL: 'http://127.0.0.1:1', OCR_API_KEY: 'k' } });
  expect(away.exitCode).toBe(7);
  expect(JSON.parse(away.stdout)).toMatchObject({ accepted: null, error: { code: 'UNREACHABLE' } });
  server.script.catalog = [failure(403, 'FORBIDDEN', 'No', false)];
  expect((await run('auth status', { env })).exitCode).toBe(4);
});

test('no key → the hint names the service that the flags chose', async () => {
  const { exitCode, stderr } = await run(`functions list --base-url ${server.baseUrl}`);
  expect(exitCode).toBe(4);
  expect(stderr).toContain(`Try: ocr auth login --base-url ${server.baseUrl} `);
});

test('status of the service on this machine → starts nothing', async () => {
  const { exitCode, stdout } = await run('auth status');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Service\ton this machine, started when needed\n');
  expect(existsSync(home.dataDir)).toBe(false);
});

test('logout → removes the key and leaves the rest', async () => {
  await login();
  await run('config set format markdown');
  expect(JSON.parse((await run('auth logout --json')).stdout)).toEqual({ profile: 'default', removed: true });
  expect(stored()).toEqual({
    profile: 'default',
    profiles: { default: { 'base-url': server.baseUrl, format: 'markdown' } },
  });
  expect((await run('functions')).exitCode).toBe(4);
  const again = await run('auth logout', { env: { OCR_API_KEY: 'k' } });
  expect(again.exitCode).toBe(0);
  expect(again.stderr).toContain('has no key');
  expect(again.stderr).toContain('OCR_API_KEY is set');
});

test('a key → sent to its own service alone', async () => {
  const other = await startContractServer();
  try {
    await login(' --profile work');
    const { exitCode } = await run(`functions --profile work --base-url ${other.baseUrl}`);
    expect(exitCode).toBe(4);
    expect(other.calls).toEqual([]);
    await run(`auth login --with-token --profile work --base-url ${other.baseUrl}`, { input: other.apiKey });
    expect(other.calls.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${other.apiKey}`]);
    expect(stored()).toHaveProperty('profiles.work.base-url', other.baseUrl);
  } finally {
    await other.close();
  }
});

test('settings that cannot be read or written → no key stored', async () => {
  mkdirSync(home.configDir);
  writeFileSync(file(), '{"profiles":{"a":{"api-key":"hunter2hunter2" "');
  const { exitCode, stderr } = await login(' --debug');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(file());
  expect(stderr).not.toContain('hunter2');
  expect(server.calls).toEqual([]);
});
