import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LAUNCHER } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';

let home: TemporaryHome;
beforeEach(() => {
  home = createHome();
});
afterEach(() => home.remove());

const run = (line: string) => runInProcess(line.split(' '), { home });

test('help environment → names every variable that is read', async () => {
  const { stdout } = await run('help environment');
  const ours = ['BASE_URL', 'API_KEY', 'PROFILE', 'WEBHOOK_SECRET', 'CONFIG_DIR', 'STATE_DIR', 'DATA_DIR'];
  const usual = [
    'HTTPS_PROXY',
    'HTTP_PROXY',
    'ALL_PROXY',
    'NO_PROXY',
    'NODE_EXTRA_CA_CERTS',
    'NO_COLOR',
    'FORCE_COLOR',
    'CI',
  ];
  for (const name of [...ours.map((name) => `OCR_${name}`), ...usual]) {
    expect(stdout).toMatch(new RegExp(`(?:^|[ ,])${name}(?:[ ,]|$)`, 'm'));
  }
});

test.each([
  ['nosuch --help', "unknown command 'nosuch'", 'ocr --help'],
  ['extarct --help', 'Did you mean extract?', 'ocr --help'],
  ['extarct -h a.pdf', 'Did you mean extract?', 'ocr --help'],
  ['jobs wiat --help', 'Did you mean wait?', 'ocr jobs --help'],
  ['local strat --help', 'Did you mean start?', 'ocr local --help'],
  ['local strat', 'Did you mean start?', 'ocr local --help'],
  ['help jobs wiat', 'Did you mean wait?', 'ocr jobs --help'],
  ['help admin keys craete now', 'Did you mean create?', 'ocr admin keys --help'],
  ['help nosuch', 'There is no help on "nosuch"', 'environment'],
])('ocr %s → a usage error', async (line, message, hint) => {
  const { stdout, stderr, exitCode } = await run(line);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain(message);
  expect(stderr).toContain(hint);
});

test.each([
  '--help',
  'extract --help',
  'jobs --help',
  'jobs wait job_1 --help',
  '--json jobs --help',
  'help jobs wait',
])('ocr %s → help', async (line) => {
  const { stdout, stderr, exitCode } = await runInProcess(line.split(' '), { home });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout).toMatch(/^Usage: ocr/m);
});

test.skipIf(!existsSync('/dev/full')).each(['--version', '--help', 'help output', 'config list --json'])(
  'a full disk under standard output → said, and no usage error: %s',
  (line) => {
    const full = openSync('/dev/full', 'w');
    const stdio = ['ignore', full, 'pipe'] as const;
    const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, ...line.split(' ')], { stdio: [...stdio] });
    closeSync(full);
    expect(status).toBe(1);
    expect(String(stderr)).toBe('ocr: Cannot write to standard output: no space left on device\n');
  },
);

test.skipIf(!existsSync('/dev/full'))('a full disk under standard error → the same exit code', () => {
  const full = openSync('/dev/full', 'w');
  const command = [LAUNCHER, 'extract', 'nofile'];
  const { status } = spawnSync(process.execPath, command, { env: home.env, stdio: ['ignore', 'pipe', full] });
  closeSync(full);
  expect(status).toBe(5);
});
