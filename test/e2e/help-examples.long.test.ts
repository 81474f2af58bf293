import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProgram } from '../../dist/cli.js';
import type { CommandNode } from '../../dist/commands/completion/command-tree.js';
import { documents, examples as files } from '../fixtures/manifest.js';
import { type ContractServer, startContractServer } from '../support/contract-server.js';
import { type FakeRegistry, startFakeRegistry } from '../support/fake-registry.js';
import { LAUNCHER } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';

const tree = await createProgram(async () => {}).describe();
const all = (node: CommandNode): CommandNode[] => [node, ...node.commands.flatMap(all)];
const examples = [...new Set(all(tree).flatMap((node) => node.examples))];

let home: TemporaryHome;
let server: ContractServer;
let registry: FakeRegistry;
let count = 0;
beforeAll(async () => {
  [home, server, registry] = [createHome(), await startContractServer(), await startFakeRegistry()];
  for (const code of ['deu', 'fra', 'ita'])
    registry.packages.set(`@tesseract.js-data/${code}`, {
      [`4.0.0_best_int/${code}.traineddata.gz`]: gzipSync('some data'),
    });
  mkdirSync(join(home.dir, 'bin'));
  writeFileSync(join(home.dir, 'bin/ocr'), `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`);
  chmodSync(join(home.dir, 'bin/ocr'), 0o755);
  // The examples run in any order, and `ocr local logs` needs a log.
  await runInProcess(['local', 'start'], { home });
  await makeDeliveries();
});
afterAll(async () => {
  await runInProcess(['local', 'stop'], { home });
  await server.close();
  registry.close();
  home.remove();
});

/** Makes one delivery to an endpoint that stays, and endpoints that the examples may remove. */
async function makeDeliveries() {
  const env = { OCR_SERVE_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
  const add = async (orgId: string, url = 'https://127.0.0.1:1/ocr') => {
    await runInProcess(['admin', 'webhooks', 'add', '--org', orgId, '--url', url], { home, env });
  };
  const [local] = JSON.parse((await runInProcess(['admin', 'orgs', '--json'], { home })).stdout);
  await add(local.orgId);
  await runInProcess(['extract', files.report.path], { home });
  const { stdout } = await runInProcess(['admin', 'orgs', 'create', '--name', 'Other', '--plan', 'BUSINESS'], { home });
  for (let i = 0; i < 4; i++) await add(stdout.trim(), `https://127.0.0.1:1/ocr/${i}`);
}

/** Runs a line of bash in a new directory with the files that help names, and new settings. The service is shared. */
async function run(line: string, env: Record<string, string> = {}) {
  const cwd = join(home.dir, `run-${count++}`);
  cpSync(files.report.path, join(cwd, 'file.pdf'));
  // One of its pages is a scan.
  for (const name of ['scan.pdf', 'scans/page.pdf']) cpSync(documents.mixed.path, join(cwd, name));
  const child = spawn('bash', ['-o', 'pipefail', '-c', line], {
    cwd,
    env: {
      ...home.env,
      PATH: `${join(home.dir, 'bin')}:${home.env.PATH}`,
      OCR_CONFIG_DIR: join(cwd, 'config'),
      // A job that another example cancels is no job of this one.
      OCR_STATE_DIR: join(cwd, 'state'),
      npm_config_registry: registry.url,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  // A service that printed its line has shown that it runs, and a listener that said so.
  const endIfEndless = (output: string) => {
    if (isService(line) || (isListener(line) && output !== '')) child.kill('SIGTERM');
  };
  child.stdout.on('data', (data: Buffer) => {
    stdout += data;
    endIfEndless(stdout);
  });
  child.stderr.on('data', (data: Buffer) => {
    stderr += data;
    if (isListener(line)) endIfEndless(stderr);
  });
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exitCode, stdout, stderr, files: readdirSync(cwd) };
}

const isService = (line: string) => /^(?:exec )?ocr serve(?!.*--print-config)/.test(line);
const isListener = (line: string) => /^(?:exec )?ocr webhooks listen/.test(line);
const asksOnTerminal = (line: string) => /^ocr auth login(?!.*--with-token)/.test(line);

test('every command → two examples or more', () => {
  for (const { path, examples: own } of all(tree)) expect(own.length, path).toBeGreaterThanOrEqual(2);
});

test('documents in examples → file.pdf and what else a reader may have', () => {
  expect(examples.filter((line) => /examples\/|report\.pdf/.test(line))).toEqual([]);
});

// Commands on a database run in fleet-processes.long.test.ts, where there is one.
const needsDatabase = (line: string) => line.includes('--database-url');

test.each(examples.filter((line) => !asksOnTerminal(line) && !needsDatabase(line)))(
  '%s → exit code 0, or that of its signal',
  async (line) => {
    const isLogin = line.includes('auth login');
    // Without exec, the signal would end bash and leave the service running.
    const command = isService(line) ? `exec ${line} --data-dir data` : isListener(line) ? `exec ${line}` : line;
    // There is a plan to delete, whether or not the example that creates it has run.
    const [, plan] = /admin plans delete (\w+)/.exec(line) ?? [];
    if (plan !== undefined) await runInProcess(['admin', 'plans', 'create', plan, '--from', 'STARTER'], { home });
    const { exitCode, stdout, stderr } = await run(command, isLogin ? server.env : {});
    expect(stderr).not.toMatch(/^ocr: (?!Terminated)|No such file|command not found/m);
    expect(exitCode, stdout + stderr).toBe(isListener(line) ? 143 : 0);
  },
  120_000,
);

test.each(examples.filter(asksOnTerminal))('%s without a terminal → an error that names --with-token', async (line) => {
  const { exitCode, stderr } = await run(line.replaceAll('https://ocr.example.com', server.baseUrl));
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('--with-token');
});
