import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LAUNCHER } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

function createServiceHome(): TemporaryHome {
  const home = createHome();
  onTestFinished(() => home.remove());
  return home;
}

test('a copy inside the service’s own directory → refused', async () => {
  const home = createServiceHome();
  await runInProcess(['admin', 'orgs', 'create', '--name', 'Only'], { home });
  const link = join(home.dir, 'link');
  symlinkSync(home.dataDir, link);
  for (const directory of [home.dataDir, link]) {
    const { exitCode, stderr } = await runInProcess(['admin', 'backup', join(directory, 'documents', 'new', 'copy')], {
      home,
    });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is in the data directory'),
    });
  }
});

test('a single item in a copy → counted in the singular', async () => {
  const home = createServiceHome();
  await runInProcess(['admin', 'orgs', 'create', '--name', 'Only'], { home });
  const { stderr } = await runInProcess(['admin', 'backup', join(home.dir, 'copy')], { home });
  expect(stderr).toMatch(/^1 organisation, 0 jobs, 0 requests, 0 documents, \d+ bytes\. /);
});

test('a copy of no service, or into a directory that exists → refused', async () => {
  const home = createServiceHome();
  const nothing = await runInProcess(['admin', 'backup', join(home.dir, 'copy')], { home });
  expect(nothing.exitCode).toBe(2);
  expect(nothing.stderr).toContain(home.dataDir);
  expect(existsSync(home.dataDir)).toBe(false);
  await runInProcess(['admin', 'orgs', 'create', '--name', 'First'], { home });
  mkdirSync(join(home.dir, 'used'));
  writeFileSync(join(home.dir, 'used', 'thesis.txt'), 'x');
  const used = await runInProcess(['admin', 'backup', join(home.dir, 'used')], { home });
  expect(used).toMatchObject({ exitCode: 2, stdout: '' });
  expect(readdirSync(join(home.dir, 'used'))).toEqual(['thesis.txt']);
  mkdirSync(join(home.dir, 'empty'));
  const empty = await runInProcess(['admin', 'backup', join(home.dir, 'empty')], { home });
  expect(empty).toMatchObject({ exitCode: 0, stdout: `${join(home.dir, 'empty')}\n` });
  writeFileSync(join(home.dir, 'file'), '');
  const onFile = await runInProcess(['admin', 'backup', join(home.dir, 'file')], { home });
  expect(onFile).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/file: not a directory$/m) });
  const below = await runInProcess(['admin', 'backup', join(home.dir, 'file', 'copy')], { home });
  expect(below).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/copy: not a directory$/m) });
  expect(readdirSync(home.dir).filter((name) => name.includes('unfinished'))).toEqual([]);
  expect((await runInProcess(['admin', 'backup'], { home })).exitCode).toBe(2);
});

test('leftovers of a killed back-up → removed by the next one', async () => {
  const home = createServiceHome();
  await runInProcess(['admin', 'orgs', 'create', '--name', 'First'], { home });
  // Nobody writes into the copy any more, so it does not change.
  const pipe = join(home.dataDir, 'api-key');
  rmSync(pipe, { force: true });
  execFileSync('mkfifo', [pipe]);
  const copies = join(home.dir, 'copies');
  mkdirSync(copies);
  const killed = spawn(process.execPath, [LAUNCHER, 'admin', 'backup', join(copies, 'one')], {
    env: home.env,
    stdio: 'ignore',
  });
  await until(() => readdirSync(copies).length === 1, 'the copy being made');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  rmSync(pipe);
  const next = await runInProcess(['admin', 'backup', join(copies, 'two')], { home });
  expect(next.exitCode, next.stderr).toBe(0);
  expect(readdirSync(copies)).toEqual(['two']);
});
