import { expect, test } from 'vitest';
import { setUpClient } from '../support/client-set-up.js';
import { runCli } from '../support/run-cli.js';
import { runHere } from '../support/run-here.js';

// Most tests run commands in their own process: this holds that a process of its own adds nothing and takes nothing away.

test.each<[line: string, exitCode: number]>([
  ['extract a.pdf', 0],
  ['extract --json a.pdf none.pdf', 8],
  ['extract -', 0],
  ['extract --no-wait --wait-timeout x a.pdf', 2],
  ['functions get TEXT_EXTRACTOIN', 5],
  ['jobs get job_X', 5],
  ['verify-webhook --signature x', 1],
  ['config get format', 0],
  ['admin orgs', 2],
  ['--json nonsense', 2],
  ['help environment', 0],
])('a command prints and ends the same in a process of its own: %s', async (line, exitCode) => {
  const apart = await runIn(runCli, line);
  expect(apart.exitCode, apart.stderr).toBe(exitCode);
  expect(apart.stdout + apart.stderr).not.toBe('');
  expect(await runIn(runHere, line)).toEqual(apart);
});

/** In a home and with a server of its own, whose names are taken out of what is printed. */
async function runIn(run: typeof runCli, line: string) {
  const { home, server, tearDown } = await setUpClient({ files: { 'a.pdf': 'A' } });
  try {
    const env = { ...server.env, OCR_WEBHOOK_SECRET: 'whsec_test_secret' };
    const { stdout, stderr, ...end } = await run(line.split(' '), { home, env, input: 'B' });
    const plain = (text: string) => text.replaceAll(home.dir, '<home>').replaceAll(server.baseUrl, '<server>');
    return { ...end, stdout: plain(stdout), stderr: plain(stderr) };
  } finally {
    await tearDown();
  }
}
