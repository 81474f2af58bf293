import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mintApiKey } from '../../dist/contract/api-key.js';
import { createSignature } from '../../dist/contract/signature.js';
import { type ContractServer, failure, startContractServer } from '../support/contract-server.js';
import { createLocalHome } from '../support/local-service.js';
import { openTerminal } from '../support/pty.js';
import { runInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';

const KEY = mintApiKey('live');
const KEPT = mintApiKey('test');
const WEBHOOK = 'whsec_Planted-webhook-secret-0123456789';
const PASSWORD = 'planted-password-of-a-document';
/** Secrets to look for. The last four characters of a key may be shown, so a key is looked for without them. */
const PLANTED = [
  KEY.slice(0, -4),
  KEPT.slice(0, -4),
  KEY.slice(9, 25),
  KEPT.slice(9, 25),
  WEBHOOK,
  WEBHOOK.slice(6),
  PASSWORD,
];

let home: TemporaryHome;
let server: ContractServer;
beforeEach(async () => {
  home = createHome();
  server = await startContractServer();
  mkdirSync(home.configDir, { mode: 0o700 });
  writeFileSync(
    join(home.configDir, 'config.json'),
    JSON.stringify({ profile: 'work', profiles: { work: { 'base-url': server.baseUrl, 'api-key': KEPT } } }),
  );
  writeFileSync(join(home.dir, 'a.pdf'), 'A');
  writeFileSync(join(home.dir, 'args.json'), JSON.stringify({ password: PASSWORD, pages: '1' }));
  writeFileSync(join(home.dir, 'secret'), WEBHOOK);
  writeFileSync(join(home.dir, 'body.json'), '{"type":"document.processed"}');
});
afterEach(async () => {
  await server.close();
  home.remove();
});

function expectNoSecret(text: string, where: string): void {
  for (const secret of PLANTED) expect(text.includes(secret), `${where} holds ${secret}:\n${text}`).toBe(false);
}

/** Everything that was written below a directory. */
function expectNoSecretIn(directory: string): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const path = join(directory, name);
    if (statSync(path).isFile()) expectNoSecret(readFileSync(path, 'latin1'), path);
  }
}

const NOW = createSignature([WEBHOOK], Math.floor(Date.now() / 1000), Buffer.from('{"type":"document.processed"}'));
const OLD = createSignature([WEBHOOK], 1, Buffer.from('{}'));
const COMMANDS: string[][] = [
  ['extract', 'a.pdf'],
  ['extract', 'a.pdf', '--args', '@args.json', '--fresh'],
  ['extract', 'a.pdf', '--args', '@args.json', '--no-wait', '--fresh'],
  ['extract', 'a.pdf', '--args', `{"password":"${PASSWORD}"}`],
  ['extract', 'a.pdf', '-a', `password=${PASSWORD}`],
  ['extract', 'a.pdf', `--password=${PASSWORD}`],
  ['extract', 'nope.pdf'],
  ['jobs'],
  ['jobs', 'wait', '--all'],
  ['jobs', 'get', 'job_1'],
  ['functions'],
  ['functions', 'get', 'TEXT_EXTRACTION'],
  ['requests'],
  ['requests', 'get', 'req_00000000000000000000000001'],
  ['requests', 'get', 'req_X'],
  ['auth', 'status'],
  ['auth', 'login', '--with-token'],
  ['auth', 'login', `--token=${KEY}`],
  ['auth', 'login', `--api-key=${KEY}`],
  ['auth', 'login', KEY],
  ['auth', 'logout', '--profile', 'other'],
  ['config'],
  ['config', 'list', '--show-origin'],
  ['config', 'get', 'api-key'],
  ['config', 'set', 'api-key', KEY],
  ['config', 'set', 'token', KEY],
  ['config', 'set', 'base-url', `https://me:${KEY}@host.example`],
  ['config', 'set', 'base-url', `https://host.example/?key=${KEY}`],
  ['config', 'set', 'base-url', KEY],
  ['config', 'set', 'profile', KEY],
  ['config', 'set', 'format', KEY],
  ['config', 'set', 'timeout', KEY],
  ['config', 'set', KEY, 'x'],
  ['config', 'unset', KEY],
  ['jobs', 'get', KEY],
  ['requests', 'get', KEY],
  [KEY],
  ['verify-webhook', 'body.json', '--signature', NOW],
  ['verify-webhook', 'body.json', '--signature', OLD, '--explain'],
  ['verify-webhook', 'body.json', '--signature', NOW, '--secret-file', 'secret'],
  ['verify-webhook', 'body.json', '--signature', 'x'],
  ['verify-webhook', 'body.json', `--secret=${WEBHOOK}`],
  ['help', 'environment'],
  ['local', 'status'],
];

/** Commands that print what a service says. */
const ASKING = COMMANDS.filter(([name = '']) => ['extract', 'jobs', 'functions', 'requests', 'auth'].includes(name));

/** Those that look into the settings before they say anything. */
const readsSettings = (args: string[]) => ASKING.includes(args) || (args[0] === 'config' && !args.includes(KEY));

/** Repeats what it is sent in everything that it refuses. */
function refuseEverything(): void {
  const echo = `Bearer ${KEY} and ${KEPT} are no keys`;
  const reply = { ...failure(401, 'UNAUTHORIZED', echo, false), headers: { 'x-request-id': KEPT, 'retry-after': '0' } };
  const html = { status: 502, body: `<html>\nAuthorization: Bearer ${KEY} ${KEPT}`, headers: { 'retry-after': '99' } };
  const redirect = { status: 302, body: '', headers: { location: `http://elsewhere.example/?k=${KEPT}&e=${KEY}` } };
  const all = [reply, html, redirect];
  server.script = { post: [...all], job: [...all], catalog: [...all, ...all, ...all] };
}

const AS_TEXT = ['--debug'];
const AS_JSON = ['--debug', '--json'];

test.each<[string, Array<{ commands: string[][]; flags: string[]; isHostile?: boolean }>]>([
  [
    'of the environment',
    [
      { commands: COMMANDS, flags: AS_TEXT },
      { commands: COMMANDS, flags: AS_JSON },
      { commands: ASKING, flags: AS_TEXT, isHostile: true },
      { commands: ASKING, flags: AS_JSON, isHostile: true },
    ],
  ],
  // The origin of the key changes only what commands read from the settings.
  ['of the profile', [{ commands: COMMANDS.filter(readsSettings), flags: AS_TEXT }]],
])(
  'the key %s, webhook secret and password → in no output, no error and no file, also with --debug',
  async (place, rounds) => {
    const key = place === 'of the profile' ? {} : { OCR_BASE_URL: server.baseUrl, OCR_API_KEY: KEY };
    for (const { commands, flags, isHostile } of rounds) {
      for (const args of commands) {
        if (isHostile) refuseEverything();
        const env = { ...key, OCR_WEBHOOK_SECRET: WEBHOOK };
        const { stdout, stderr } = await runInProcess([...args, ...flags], { home, env, input: KEY });
        expectNoSecret(stdout + stderr, `ocr ${args.join(' ').replaceAll(KEY, 'KEY')}`);
      }
    }
    expectNoSecretIn(home.stateDir);
    // The requests did carry them, or nothing was tried.
    expect(server.calls.some(({ upload }) => upload?.args?.includes(PASSWORD))).toBe(true);
  },
  240_000,
);

test('typed secrets → in no output and no file', async () => {
  const env = { OCR_BASE_URL: server.baseUrl, OCR_API_KEY: KEY };
  for (const args of [
    ['extract', 'a.pdf', '-a', 'password', '--debug'],
    ['auth', 'login', '--debug'],
    ['verify-webhook', 'body.json', '--signature', NOW, '--debug'],
  ]) {
    const terminal = openTerminal(args, { home, env });
    await terminal.waitFor(/: $/);
    terminal.type(`${args[0] === 'extract' ? PASSWORD : args[0] === 'auth' ? KEY : WEBHOOK}\r`);
    await terminal.exited;
    expectNoSecret(terminal.shown, args.join(' '));
  }
  expectNoSecretIn(home.stateDir);
});

test('secrets → in no file and no log of the service on this machine', async () => {
  const local = createLocalHome();
  writeFileSync(join(local.dir, 'args.json'), JSON.stringify({ password: PASSWORD }));
  writeFileSync(join(local.dir, 'a.pdf'), readFileSync(new URL('../../examples/report.pdf', import.meta.url)));
  const { stdout, stderr, exitCode } = await runInProcess(['extract', 'a.pdf', '--args', '@args.json', '--debug'], {
    home: local,
  });
  expect(exitCode, stderr).toBe(0);
  const key = readFileSync(join(local.dataDir, 'api-key'), 'utf8').trim();
  const logs = await runInProcess(['local', 'logs'], { home: local });
  for (const text of [stdout, stderr, logs.stdout]) {
    expectNoSecret(text, 'the command');
    expect(text.includes(key.slice(0, -4))).toBe(false);
  }
  expectNoSecretIn(local.stateDir);
  expectNoSecretIn(local.dataDir);
});
