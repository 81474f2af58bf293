import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { hasProgram } from '../support/pdf-readers.js';

type Claim = 'files' | 'network' | 'sockets' | 'processes' | 'memory';
interface Confined {
  isolation: Record<Claim, boolean>;
  failures: string[];
  warnings: string[];
  /** The result of each attack: 'done' or an error. */
  results: Record<string, string>;
  service: ChildProcess;
  /** Resolves when nothing of the attack is left. */
  isOver: Promise<true>;
}

const SUPPORT = fileURLToPath(new URL('./support', import.meta.url));
const NO_NAMESPACES = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
const NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'];

/** Attacks by what they would take. The confinement claims to keep a document process from each. */
const BY_CLAIM: Record<Claim, string[]> = {
  files: [
    'readsKey',
    'readsSecret',
    'opensStore',
    'removesFile',
    'readsSystemFile',
    'listsRoot',
    'runsShell',
    'writesInItsRoom',
  ],
  network: ['connectsToNetwork'],
  sockets: ['connectsToSocket'],
  processes: ['signalsService'],
  memory: ['readsMemory'],
};

const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;
const canMakeNamespaces =
  isLinux && works(['unshare', '--user', '--map-root-user', '--mount', '--pid', '--fork', 'true']);
const canCompile = canMakeNamespaces && hasProgram('cc');

let directory: string;
let systemAttack: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-attack-test-'));
  chmodSync(directory, 0o755);
  systemAttack = join(directory, 'attack', 'system-attack');
  mkdirSync(join(directory, 'attack'));
  if (canCompile) execFileSync('cc', ['-o', systemAttack, join(SUPPORT, 'system-attack.c')]);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs an attack as a document process of a service, which runs under `launcher`. */
async function attack(launcher: string[], command: string[], env: NodeJS.ProcessEnv = process.env): Promise<Confined> {
  const dataDir = mkdtempSync(join(directory, 'data-'));
  // The service may run as another user.
  chmodSync(dataDir, 0o777);
  const folder = join(command.at(-1) ?? '', '..');
  const args = [process.execPath, join(SUPPORT, 'attacked-service.mjs'), dataDir, folder, ...command];
  const [file = '', ...rest] = [...launcher, ...args];
  const service = spawn(file, rest, { env, stdio: ['ignore', 'pipe', 'inherit', 'pipe'] });
  const leftOver = service.stdio[3] as Readable;
  const isOver = new Promise<true>((resolve) => leftOver.resume().once('close', () => resolve(true)));
  onTestFinished(async () => {
    service.kill('SIGKILL');
    service.stdout?.destroy();
    leftOver.destroy();
  });
  const lines = createInterface({ input: service.stdout as Readable })[Symbol.asyncIterator]();
  const read = async () => JSON.parse((await lines.next()).value ?? '{}');
  return { ...(await read()), results: await read(), service, isOver };
}

const byScript = (launcher: string[] = [], env?: NodeJS.ProcessEnv) =>
  attack(launcher, [process.execPath, join(SUPPORT, 'attack.mjs')], env);

/** Expects each attack to fail where the confinement claims so, and to succeed elsewhere. */
function expectClaimsToHold({ isolation, results }: Confined): void {
  expect(results.readsItsDocument).toBe('done');
  for (const [claim, attacks] of Object.entries(BY_CLAIM)) {
    for (const name of attacks) {
      const shown = `${claim}: ${name} ${JSON.stringify({ isolation, results })}`;
      if (isolation[claim as Claim]) expect(results[name], shown).not.toBe('done');
      else expect(results[name], shown).toBe('done');
    }
  }
}

test.runIf(canMakeNamespaces)('native code in a document process → none of the attacks succeeds', async () => {
  const confined = await byScript();
  expect(confined.isolation).toEqual({ files: true, network: true, sockets: true, processes: true, memory: true });
  expectClaimsToHold(confined);
});

test.runIf(canMakeNamespaces)('the service is killed → a child in its own session ends, too', async () => {
  const { service, isOver } = await byScript();
  service.kill('SIGKILL');
  expect(await isOver).toBe(true);
});

test.runIf(canCompile)(
  'system calls of native code → no way out, no tracing, no mount, no further namespace',
  async () => {
    const { results } = await attack([], [systemAttack]);
    const { forksWithoutEnd, ...others } = results;
    expect(Object.entries(others).filter(([, result]) => result === 'done')).toEqual([]);
    // The kernel does not bound the processes of root.
    if (!isRoot) expect(forksWithoutEnd).not.toBe('done');
  },
);

test.runIf(canCompile && isRoot)(
  'a service of a user without rights → the same, and bounded processes',
  async (context) => {
    if (!works([...NOBODY, process.execPath, '--check', join(SUPPORT, 'attack.mjs')]))
      context.skip('another user cannot read this checkout');
    const { results, isolation } = await attack(NOBODY, [systemAttack]);
    expect(Object.values(isolation)).toEqual(Array(5).fill(true));
    expect(Object.entries(results).filter(([, result]) => result === 'done')).toEqual([]);
    expectClaimsToHold(await byScript(NOBODY));
  },
);

test.runIf(canMakeNamespaces)(
  'no user namespaces → the claims are no more than is true, and the service says so',
  async () => {
    const confined = await byScript(['unshare', '--user', '--map-root-user', 'sh', '-c', NO_NAMESPACES, 'sh']);
    expectClaimsToHold(confined);
    expect(confined.isolation).toMatchObject({ network: false, sockets: false, processes: false });
    expect(confined.failures).toContainEqual(expect.stringMatching(/unshare/));
    expect(confined.warnings).toContainEqual(
      expect.stringMatching(
        /native code in a document process .* is not kept from .*the network; UNIX sockets; other processes/,
      ),
    );
  },
);

test.runIf(canMakeNamespaces).each([
  ['mount', ['unshare', 'setpriv', 'prlimit'], { network: true, sockets: false, processes: true, memory: true }],
  ['setpriv', ['unshare', 'mount', 'prlimit'], { files: false, network: true, processes: true, memory: true }],
  ['all of util-linux but unshare', ['unshare'], { files: false, network: true, processes: false, memory: true }],
  ['util-linux', [], { files: false, network: false, sockets: false, processes: false }],
])('no %s → what is left holds, and no more is claimed', async (_, programs, expected) => {
  const confined = await byScript([], { ...process.env, PATH: pathOf(programs) });
  expect(confined.isolation).toMatchObject(expected);
  expectClaimsToHold(confined);
  if (!confined.isolation.files) expect(confined.warnings.join()).toMatch(/not kept from other files/);
});

test.runIf(isLinux && hasLandlock())('Landlock without user namespaces → keeps it from files and memory', async () => {
  const confined = await byScript(['unshare', '--user', '--map-root-user', 'sh', '-c', NO_NAMESPACES, 'sh']);
  expect(confined.isolation).toMatchObject({ files: true, network: false, memory: true });
  expectClaimsToHold(confined);
});

/** A folder with these programs alone. */
function pathOf(programs: readonly string[]): string {
  const folder = mkdtempSync(join(directory, 'path-'));
  for (const program of programs) {
    const found = execFileSync('/bin/sh', ['-c', 'command -v "$0"', program], { encoding: 'utf8' }).trim();
    symlinkSync(found, join(folder, program));
  }
  return folder;
}

function works([program = '', ...args]: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** True with util-linux 2.40 or later, and Linux 5.13 or later. */
function hasLandlock(): boolean {
  return (
    canMakeNamespaces &&
    works([
      'setpriv',
      '--landlock-access',
      'fs',
      '--landlock-rule',
      'path-beneath:execute,read-file,read-dir:/',
      '/bin/true',
    ])
  );
}
