import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { call } from '../contract/support/http.js';
import { readLines, readOpenRecords, setUpClient } from '../support/client-set-up.js';
import type { ContractServer } from '../support/contract-server.js';
import { LAUNCHER } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { startServe } from '../support/serve.js';
import type { TemporaryHome } from '../support/temporary-home.js';
import { mountTinyDisk, type TinyDisk } from '../support/tiny-disk.js';
import { until } from '../support/until.js';

const names = Array.from({ length: 14 }, (_, i) => `${String(i).padStart(2, '0')}.pdf`);
const JOB_IN_WORDS = /The job goes on as (job_\w+)/;
let home: TemporaryHome;
let server: ContractServer;
let disk: TinyDisk | undefined;
beforeEach(async () => {
  const files = Object.fromEntries(names.map((name) => [name, name]));
  const setUp = await setUpClient({ files, textOf: (file) => `${file.toString()} `.repeat(1_000) });
  ({ home, server } = setUp);
  disk = undefined;
  return setUp.tearDown;
});
afterEach(() => disk?.unmount());

const run = (...args: string[]) => runInProcess(args, { home, env: server.env });
const posts = () => server.calls.filter(({ method }) => method === 'POST');
const codeOf = ({ error }: Record<string, unknown>) => (error as { code: string } | undefined)?.code;
const messageOf = ({ error }: Record<string, unknown>) => (error as { message: string } | undefined)?.message ?? '';

test('no space for the record in mid-batch → nothing more is sent, nothing accepted is lost', async (context) => {
  disk = mountTinyDisk(home.stateDir, 32);
  if (disk === undefined) return context.skip('only root may mount a small disk');
  server.pollsUntilDone = 1_000;
  const batch = ['extract', '--json', '--no-wait', '-c', '2', ...names];
  const full = await run(...batch);
  const lines = readLines(full.stdout);
  expect(lines.map(({ input }) => input)).toEqual(names);
  expect(full).toMatchObject({ exitCode: 8, stderr: '' });
  const accepted = [...server.jobs.keys()];
  expect(accepted.length).toBeGreaterThan(0);
  expect(accepted.length).toBeLessThan(names.length);
  expect(posts()).toHaveLength(accepted.length);
  const sentLines = lines.filter((line) => codeOf(line) !== 'NOT_SENT');
  const printed = sentLines.flatMap((line) => line.jobId ?? JOB_IN_WORDS.exec(messageOf(line))?.[1] ?? []);
  expect(printed.sort()).toEqual(accepted);
  const known = readOpenRecords(home).flatMap(({ jobId }) => jobId ?? []);
  expect(known.sort()).toEqual(accepted);
  const failed = lines.filter(({ error }) => error !== undefined);
  expect(failed.map(codeOf)).toContain('STATE_UNWRITABLE');
  expect(new Set(failed.map(codeOf))).toEqual(new Set(['STATE_UNWRITABLE', 'NOT_SENT']));
  expect(failed.filter((line) => codeOf(line) === 'STATE_UNWRITABLE').length).toBeLessThanOrEqual(2);

  disk.grow();
  const again = await run(...batch);
  expect(again.exitCode).toBe(0);
  expect(server.jobs.size).toBe(names.length);
  expect(posts()).toHaveLength(names.length);
});

test('no space for outputs in mid-batch → no half file, and no document is sent again', async (context) => {
  disk = mountTinyDisk(join(home.dir, 'out'), 40);
  if (disk === undefined) return context.skip('only root may mount a small disk');
  server.pollsUntilDone = 1;
  const full = await run('extract', '--json', '--format', 'json', '--output-dir', 'out', '-c', '2', ...names);
  const lines = readLines(full.stdout);
  expect(lines.map(({ input }) => input)).toEqual(names);
  expect(full).toMatchObject({ exitCode: 8, stderr: '' });
  const written = lines.filter(({ output }) => output !== undefined);
  expect(readdirSync(join(home.dir, 'out')).sort()).toEqual(written.map(({ input }) => `${input}.json`));
  for (const { output, input, requestId } of written) {
    expect(JSON.parse(readFileSync(join(home.dir, String(output)), 'utf8'))).toMatchObject({ input, requestId });
  }
  const codes = lines.flatMap((line) => codeOf(line) ?? []);
  expect(codes).toContain('OUTPUT_UNWRITABLE');
  expect(codes).toContain('NOT_SENT');
  expect(messageOf(lines.find((line) => codeOf(line) === 'OUTPUT_UNWRITABLE') ?? {})).toMatch(
    /Cannot write out.*no space left on device/,
  );
  const sent = posts().length;
  expect(sent).toBe(codes.filter((code) => code === 'OUTPUT_UNWRITABLE').length + written.length);

  disk.grow();
  const rest = names.filter((name) => !written.some(({ input }) => input === name));
  const again = await run('extract', '--json', '--format', 'json', '--output-dir', 'out', ...rest);
  expect(again.exitCode).toBe(0);
  expect(posts()).toHaveLength(names.length);
  expect(server.jobs.size).toBe(names.length);
  expect(readdirSync(join(home.dir, 'out'))).toHaveLength(names.length);
});

test('a program that never ends, piped in → half of the free space is taken, then given back', async (context) => {
  const temporary = join(home.dir, 'temporary');
  disk = mountTinyDisk(temporary, 8 * 1024);
  if (disk === undefined) return context.skip('only root may mount a small disk');
  const env = { ...home.env, ...server.env, TMPDIR: temporary };
  const pipe = async (command: string, ...flags: string[]) =>
    await execa('sh', ['-c', `${command} | "$0" "$@" -`, process.execPath, LAUNCHER, 'extract', ...flags], {
      cwd: home.dir,
      env,
      extendEnv: false,
      reject: false,
    });
  const endless = await pipe('yes');
  expect(endless.stderr).toMatch(/^ocr: -: More than [34] MiB came from standard input, and it has not ended/);
  expect(endless.stderr).toContain('\nSet TMPDIR to a directory with space.');
  expect(endless.exitCode).toBe(2);
  expect(posts()).toEqual([]);
  expect(readdirSync(temporary)).toEqual([]);
  expect(await pipe('yes | head -c 3000000', '--dry-run')).toMatchObject({ exitCode: 0, stderr: '' });
});

test('no space for the settings → says to free some', async (context) => {
  disk = mountTinyDisk(home.configDir, 4);
  if (disk === undefined) return context.skip('only root may mount a small disk');
  const { exitCode, stderr } = await run('config', 'set', 'format', 'markdown');
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/: no space left on device\nFree some space\. Or: Set OCR_CONFIG_DIR/);
});

test.for([4, 16, 64, 256])(
  'no space to start a service → says so, and how much it needs: %s KiB',
  async (sizeKiB, context) => {
    disk = mountTinyDisk(home.dataDir, sizeKiB);
    if (disk === undefined) return context.skip('only root may mount a small disk');
    const full = new RegExp(
      `Cannot write the data directory ${home.dataDir}: its disk is full \\(\\d+ KiB free; 1 MiB is needed to start`,
    );
    const local = await runInProcess(['extract', names[0] as string], { home });
    expect(local.stderr).toMatch(full);
    expect(local.stderr).toMatch(/\nFree some space\. Or: Set OCR_DATA_DIR/);
    expect(local.exitCode).toBe(2);
    const served = await runInProcess(['serve', '--port', '0', '--data-dir', home.dataDir], { home });
    expect(served.stderr).toMatch(full);
    expect(served.stderr).toMatch(/\nFree some space\. Or: Choose a directory/);
  },
);

test('a full disk under a running service → the store can be read and copied; refusals say why', async (context) => {
  disk = mountTinyDisk(home.dataDir, 4 * 1024);
  if (disk === undefined) return context.skip('only root may mount a small disk');
  const serving = await startServe(home);
  try {
    const file = openSync(join(home.dataDir, 'filler'), 'w');
    expect(() => {
      for (;;) writeSync(file, Buffer.alloc(4096));
    }).toThrow('ENOSPC');
    closeSync(file);
    // The line of this call cannot be written, and is tried again each second.
    await call(`${serving.url}/v1/ocr/functions`);
    const admin = async (...args: string[]) => await runInProcess(['admin', ...args], { home });
    expect(await admin('jobs', '--json')).toMatchObject({ exitCode: 0, stdout: '[]\n' });
    expect((await admin('orgs')).stdout).toContain('This machine');
    expect(await admin('backup', join(home.dir, 'copy'))).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(home.dir, 'copy'))).toContain('ocr.db');
    const refused = await admin('orgs', 'create', '--name', 'A');
    expect(refused.stderr).toContain(`Cannot write the data directory ${home.dataDir}: its disk is full (`);
    expect(refused.stderr).toMatch(/\nFree some space, and run the same command again\.\n$/);
    expect(refused.exitCode).toBe(2);
    const small = join(home.dir, 'small');
    const smallDisk = mountTinyDisk(small, 64);
    try {
      const copied = await admin('backup', join(small, 'copy'));
      expect(copied.stderr).toBe(
        `ocr: Cannot create the copy ${small}/copy: no space left on device\nFree some space there. Or: Choose a directory on a disk that has room.\n`,
      );
      expect(copied.exitCode).toBe(1);
      expect(readdirSync(small)).toEqual([]);
    } finally {
      smallDisk?.unmount();
    }
    for (let look = 0; look < 3; look++) {
      expect((await call(`${serving.url}/readyz`)).status).toBe(503);
      // A result of the check is believed for a second.
      await sleep(1_100);
    }
    const linesOf = (message: string) => serving.log().split(message).length - 1;
    expect([linesOf('"calls could not be logged'), linesOf('"not ready"')]).toEqual([1, 1]);
    rmSync(join(home.dataDir, 'filler'));
    await until(() => serving.log().includes('"calls are logged again"'), 'the call to be logged');
  } finally {
    expect(await serving.stop()).toBe(0);
  }
});
