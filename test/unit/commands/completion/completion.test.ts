import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../../../src/cli.js';
import type { CommandNode } from '../../../../src/commands/completion/command-tree.js';
import { completion } from '../../../../src/commands/completion/completion.js';
import { SHELLS, type Shell } from '../../../../src/commands/completion/shells.js';
import type { Context } from '../../../../src/context.js';
import { LAUNCHER } from '../../../support/run-cli.js';
import { until } from '../../../support/until.js';

const describeProgram = () => createProgram(async () => {}).describe();
const isPowerShellInstalled = spawnSync('pwsh', ['-NoProfile', '-Command', 'exit 0']).status === 0;
const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

async function script(shell: Shell): Promise<string> {
  let printed = '';
  const text = async (more: string | Uint8Array) => {
    printed += more;
  };
  await completion({ output: { isJson: false, text } } as Context, {
    shell,
    describe: describeProgram,
    words: undefined,
    listsProfiles: false,
  });
  return printed;
}

/** Completes the last word as the script for PowerShell does, which asks the command. Files are PowerShell's own business. */
async function completeForPowerShell(words: string[]): Promise<string[]> {
  const sent = `=${Buffer.from(words.slice(1).join('\n')).toString('base64')}`;
  let printed = '';
  const context = {
    output: {
      isJson: false,
      async text(more: string | Uint8Array) {
        printed += more;
      },
    },
    directories: async () => ({ configDir: join(dir, 'config') }),
  } as unknown as Context;
  await completion(context, { shell: 'powershell', describe: describeProgram, words: sent, listsProfiles: false });
  const lines = printed.split('\n').slice(0, -1);
  // PowerShell refuses a candidate without a description, and reads what is not ASCII by chance.
  for (const line of lines) expect(line).toMatch(/^\S+\t[ -~]+$/);
  return lines.map((line) => line.split('\t')[0] ?? '');
}

let dir: string;
/** Environment with the command itself on PATH, which knows the profiles. */
let env: Record<string, string>;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ocr-completion-'));
  for (const shell of SHELLS) writeFileSync(join(dir, shell), await script(shell));
  writeFileSync(join(dir, 'powershell.ps1'), await script('powershell'));
  writeFileSync(join(dir, 'a report.pdf'), '');
  // Only an editor can write such names of profiles; a shell must not see them.
  const profiles = { work: {}, '$(touch planted)': {}, 'two words': {} };
  mkdirSync(join(dir, 'config'));
  writeFileSync(join(dir, 'config', 'config.json'), JSON.stringify({ profiles }));
  mkdirSync(join(dir, 'bin'));
  symlinkSync(LAUNCHER, join(dir, 'bin', 'ocr'));
  env = {
    PATH: `${join(dir, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: dir,
    OCR_CONFIG_DIR: join(dir, 'config'),
  };
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Completes the last word of each case, in one shell. */
function completeInBash(cases: string[][]): string[][] {
  const program = `source ./bash
    complete_last() {
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
      _ocr
      printf '%s\n' "\${COMPREPLY[@]}" --next--
    }
    ${cases.map((words) => `complete_last ${words.map((word) => `'${word}'`).join(' ')}`).join('\n')}`;
  const out = execFileSync('bash', ['--norc', '-c', program], { cwd: dir, env, encoding: 'utf8' });
  const answers = out.split('--next--\n').slice(0, -1);
  return answers.map((answer) => answer.split('\n').filter((line) => line !== ''));
}

const CASES: Array<[string[], string[]]> = [
  [['ocr', 'ext'], ['extract']],
  [
    ['ocr', 'jobs', ''],
    ['list', 'get', 'wait', 'result', 'cancel', 'delete', 'forget'],
  ],
  [['ocr', 'jobs', 'wait', '--al'], ['--all']],
  [['ocr', 'jobs', '--un'], ['--unfinished']],
  [['ocr', '--profile', 'jobs', 'fun'], ['functions']],
  [['ocr', '--json', 'jobs', 'li'], ['list']],
  [['ocr', 'extract', '--format', 'm'], ['markdown']],
  [['ocr', 'extract', '-o', 'a'], ['a report.pdf']],
  [['ocr', 'extract', 'a'], ['a report.pdf']],
  [['ocr', 'jobs', '--status', ''], []],
  [['ocr', 'admin', 'requests', 'list', '--status', 'd'], []],
  [
    ['ocr', 'admin', 'webhooks', 'deliveries', '--status', ''],
    ['pending', 'delivered', 'dead'],
  ],
  [['ocr', 'extract', '--prof'], ['--profile']],
  [
    ['ocr', 'completion', ''],
    ['bash', 'zsh', 'fish', 'powershell'],
  ],
  [['ocr', 'help', 'env'], ['environment']],
  [
    ['ocr', 'help', 'jobs', ''],
    ['list', 'get', 'wait', 'result', 'cancel', 'delete', 'forget'],
  ],
  [['ocr', 'help', 'jobs', 'wait', ''], []],
  [['ocr', 'extract', '-f', 'TAB'], ['TABLE_EXTRACTION']],
  [['ocr', 'requests', '--function', 'LAY'], ['LAYOUT_ANALYSIS']],
  [
    ['ocr', 'extract', '--profile', ''],
    ['local', 'work'],
  ],
  [
    ['ocr', 'config', 'set', 'profile', ''],
    ['local', 'work'],
  ],
  [['ocr', 'config', 'get', 'wait'], ['wait-timeout']],
  [
    ['ocr', 'config', 'unset', ''],
    [
      'profile',
      'base-url',
      'function',
      'format',
      'languages',
      'concurrency',
      'wait-timeout',
      'timeout',
      'cancel-on-interrupt',
    ],
  ],
  [
    ['ocr', 'config', 'set', 'format', ''],
    ['text', 'markdown', 'json'],
  ],
  [['ocr', 'config', 'set', 'function', 'FORM'], ['FORM_FIELDS']],
  [['ocr', 'config', 'set', '--json', 'base-url', ''], []],
];

/** Words as bash splits them at `=`, and the words that are offered. */
const WITH_EQUALS_SIGN: Array<[string[], string[]]> = [
  [['ocr', 'extract', '--format', '=', 'm'], ['markdown']],
  [
    ['ocr', 'extract', '--json', '--format', '='],
    ['text', 'markdown', 'json'],
  ],
  [['ocr', 'extract', '--output', '=', 'a'], ['a report.pdf']],
  [['ocr', '--profile', '=', 'jobs', 'fun'], ['functions']],
];

describe.skipIf(!isInstalled('bash'))('bash (skipped if not installed)', () => {
  test.each([...CASES, ...WITH_EQUALS_SIGN])('%j → %j', (words, expected) => {
    expect(completeInBash([words])).toEqual([expected]);
  });

  test('every command of the tree → its commands and flags are offered', async () => {
    const nodes: CommandNode[] = [await describeProgram()];
    for (const node of nodes) nodes.push(...node.commands);
    const commands = completeInBash(nodes.map(({ path }) => [...path.split(' '), '']));
    const flags = completeInBash(nodes.map(({ path }) => [...path.split(' '), '-']));
    expect([commands.length, flags.length]).toEqual([nodes.length, nodes.length]);
    for (const [index, node] of nodes.entries()) {
      if (node.commands.length > 0)
        expect(commands[index]).toEqual(expect.arrayContaining(node.commands.map(({ name }) => name)));
      expect(flags[index]).toEqual(
        expect.arrayContaining([...node.options.flatMap(({ names }) => names), '--json', '--help']),
      );
    }
  });
});

// zsh runs the script through its bashcompinit, which works only in an interactive shell.
describe.skipIf(!isInstalled('zsh'))('zsh (skipped if not installed)', () => {
  test.each([
    ['ocr ext', /ocr extract /],
    ['ocr jobs --unf', /ocr jobs --unfinished /],
    ['ocr extract a', /ocr extract a\\ report\.pdf/],
    ['ocr extract --format=m', /ocr extract --format=markdown /],
    ['ocr extract --output=a', /ocr extract --output=a\\ report\.pdf/],
    ['ocr --profile=jobs fun', /ocr --profile=jobs functions /],
    ['ocr help jobs wa', /ocr help jobs wait /],
    ['ocr --profile w', /ocr --profile work /],
  ])('%s → %s', async (typed, expected) => {
    const pty = spawn('zsh', ['-f', '-i'], {
      cols: 120,
      rows: 30,
      cwd: dir,
      env: { ...env, TERM: 'dumb' },
    });
    let shown = '';
    pty.onData((data) => {
      shown += data;
    });
    try {
      pty.write('source ./zsh && echo rea""dy\r');
      await until(() => shown.includes('ready'), 'a shell that has read the script');
      pty.write(`${typed}\t`);
      await until(() => expected.test(shown), `completion of ${typed}`);
    } finally {
      pty.kill();
    }
  });
});

describe.skipIf(!isInstalled('fish'))('fish (skipped if not installed)', () => {
  test.each(CASES)('%j → %j', (words, expected) => {
    const line = words.map((word) => word.replaceAll(' ', '\\ ')).join(' ');
    const program = `source ./fish; complete -C ${JSON.stringify(line)}`;
    const out = execFileSync('fish', ['--no-config', '-c', program], { cwd: dir, env, encoding: 'utf8' });
    const offered = out.split('\n').flatMap((text) => (text === '' ? [] : [text.split('\t')[0] ?? '']));
    expect(offered.sort()).toEqual([...expected].sort());
  });
});

/** PowerShell has `--name=value` as one word. */
const IN_ONE_WORD: Array<[string[], string[]]> = [
  [['ocr', 'extract', '--format=m'], ['--format=markdown']],
  [['ocr', '--profile=work', 'jobs', 'wai'], ['wait']],
  [
    ['ocr', 'extract', '--profile='],
    ['--profile=local', '--profile=work'],
  ],
  [['ocr', 'extract', '--output=a'], []],
];

describe('PowerShell', () => {
  test.each([...CASES, ...IN_ONE_WORD])('what its script asks for: %j → %j', async (words, expected) => {
    const offered = await completeForPowerShell(words);
    expect(offered).toEqual(expected.filter((word) => word !== 'a report.pdf'));
  });

  test('every command of the tree → its commands and flags are offered', async () => {
    const visit = async (node: CommandNode): Promise<void> => {
      const words = node.path.split(' ');
      if (node.commands.length > 0) {
        expect(await completeForPowerShell([...words, ''])).toEqual(
          expect.arrayContaining(node.commands.map(({ name }) => name)),
        );
      }
      expect(await completeForPowerShell([...words, '-'])).toEqual(
        expect.arrayContaining([...node.options.flatMap(({ names }) => names), '--json', '--help']),
      );
      for (const below of node.commands) await visit(below);
    };
    await visit(await describeProgram());
  });

  test('its script → in ASCII, which every code page has; registers a completer that asks the command', async () => {
    const text = await script('powershell');
    expect(text).toMatch(/^[\n -~]+$/);
    expect(text).toContain("Register-ArgumentCompleter -Native -CommandName 'ocr'");
    expect(text).toContain('ocr completion powershell --words "=$line"');
  });

  test.skipIf(!isPowerShellInstalled)('in pwsh (skipped if not installed) → the words of a command', () => {
    const program = `. ./powershell.ps1; (TabExpansion2 'ocr jobs wai' 12).CompletionMatches.CompletionText`;
    const out = execFileSync('pwsh', ['-NoProfile', '-Command', program], { cwd: dir, env, encoding: 'utf8' });
    expect(out.trim()).toBe('wait');
  });
});

test('each script → its first line says how it was made', async () => {
  for (const shell of SHELLS) {
    expect((await script(shell)).split('\n')[0]).toBe(
      `# Completion of ocr for ${shell}, made by: ocr completion ${shell}`,
    );
  }
});
