import { execFileSync } from 'node:child_process';
import { beforeEach, expect, test } from 'vitest';
import { readLines, setUpClient } from '../support/client-set-up.js';
import { type ContractServer, failure } from '../support/contract-server.js';
import { openTerminal } from '../support/pty.js';
import { runInProcess } from '../support/run-in-process.js';
import type { TemporaryHome } from '../support/temporary-home.js';

// Any byte but a slash and NUL may stand in the name of a file.
const NAME = 'a\nb\t\x1b]0;owned\x07\x9b31m.pdf';
const SHOWN = 'a^Jb^I^[]0;owned^G\\x9b31m.pdf';

let home: TemporaryHome;
let server: ContractServer;
beforeEach(async () => {
  const setUp = await setUpClient({ files: { [NAME]: 'A', 'b.pdf': 'B' }, textOf: () => 'text' });
  ({ home, server } = setUp);
  return setUp.tearDown;
});

const run = (...args: string[]) => runInProcess(args, { home, env: server.env });

async function show(...args: string[]): Promise<string> {
  const terminal = openTerminal(args, { home, env: server.env, columns: 200 });
  await terminal.exited;
  // Colours are ours.
  return terminal.shown.replace(/\x1b\[[\d;]*m/g, '');
}

test('a terminal → the name on one line, without control characters', async () => {
  server.script.post = [
    { body: { requestId: 'req_1', function: 'TEXT_EXTRACTION', result: { text: 'text', warnings: ['unclear'] } } },
  ];
  const extracted = await show('extract', '-c', '1', NAME, 'b.pdf');
  expect(extracted).toContain(`==> ${SHOWN} <==\r\n`);
  expect(extracted).toContain(`${SHOWN}: unclear\r\n`);
  const { stdout } = await run('extract', '--no-wait', NAME);
  const outputs = [
    await show('jobs'),
    await show('jobs', 'get', stdout.trim()),
    await show('requests'),
    await show('requests', 'get', 'req_1'),
    await show('extract', '--dry-run', 'b.pdf', NAME),
    await show('extract', `${NAME}.no`),
  ];
  for (const output of outputs) {
    expect(output).toContain(SHOWN);
    expect(output).not.toMatch(/\x07|\x9b|\x1b\]/);
  }
});

test('JSON → the exact name', async () => {
  expect(readLines((await run('extract', '--json', NAME)).stdout)).toMatchObject([{ input: NAME }]);
  expect(JSON.parse((await run('requests', '--json')).stdout)).toMatchObject([{ input: { name: NAME } }]);
  expect(readLines((await run('extract', '--json', `${NAME}.no`)).stdout)).toMatchObject([{ input: `${NAME}.no` }]);
});

test('a pipe → an error on one line, and a row of a list too', async () => {
  const { stderr } = await run('extract', `${NAME}.no`, `${NAME}.none`);
  expect(stderr.split('\n')).toHaveLength(3);
  await run('extract', '--no-wait', NAME);
  const { stdout } = await run('jobs');
  expect(stdout.split('\n')).toHaveLength(2);
  expect(stdout.split('\t')).toHaveLength(5);
});

test('the command to go on → one line that a shell takes for that name', async () => {
  server.script.post = [failure(400, 'INVALID_DOCUMENT', 'The document is encrypted', false)];
  const { stderr } = await run('extract', NAME);
  const command = /^Try: ocr extract -a password (.*)$/m.exec(stderr)?.[1] ?? '';
  expect(command).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
  expect(execFileSync('bash', ['-c', `printf %s ${command}`], { encoding: 'utf8' })).toBe(NAME);
});
