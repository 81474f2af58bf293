import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { isAlive } from '../../dist/system/is-alive.js';
import { documents, examples, images } from '../fixtures/manifest.js';
import { readOpenRecords } from '../support/client-set-up.js';
import { installAs } from '../support/install-as.js';
import { createLocalHome, readService, stopLocalService } from '../support/local-service.js';
import { LAUNCHER, runCli, startCli } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { until } from '../support/until.js';
import { wordF1 } from '../support/word-f1.js';

/** The text of the report without the footer line of each page. */
const REPORT = examples.report.text.map((page) => page.split('\n').slice(0, -1).join('\n')).join('\n');

test('ten commands at once on a cold machine → ten results, one service', async () => {
  const home = createLocalHome();
  const runs = await Promise.all(Array.from({ length: 10 }, () => runCli(['extract', examples.report.path], { home })));
  for (const run of runs) {
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(wordF1(REPORT, run.stdout)).toBeGreaterThan(0.99);
  }
  const log = readFileSync(join(home.dataDir, 'service.log'), 'utf8');
  const starts = new Set([...log.matchAll(/"pid":(\d+)/g)].map((match) => match[1]));
  expect([...starts]).toEqual([String(readService(home).pid)]);
});

describe('a service that is killed in mid-document', () => {
  const PAGES = 3;
  const command = ['extract', '--json', '-a', `pages=1-${PAGES}`, documents.hundredScanned.path];
  const expectWhole = (stdout: string) => {
    const { meta, result } = JSON.parse(stdout);
    expect(meta.pageCount).toBe(PAGES);
    const truth = documents.hundredScanned.text.slice(0, PAGES).join('\n');
    expect(wordF1(truth, result.text)).toBeGreaterThan(0.95);
  };

  /** Starts the command, and kills the service once it has the job. */
  async function killService() {
    // Pages that are not read within a moment become a job.
    const home = createLocalHome({ OCR_SERVE_INLINE_TIMEOUT_MS: '100' });
    const running = startCli(command, { home });
    await until(
      () =>
        existsSync(join(home.stateDir, 'submissions', 'open')) &&
        readOpenRecords(home).some(({ jobId }) => jobId !== undefined),
      'a job',
    );
    process.kill(readService(home).pid, 'SIGKILL');
    return { home, running };
  }

  test('its command → starts it again and goes on', async () => {
    const { running } = await killService();
    const { exitCode, stdout } = await running;
    expect(exitCode).toBe(0);
    expectWhole(String(stdout));
  });

  test('with its command → the same command gets the whole result, once', async () => {
    const { home, running } = await killService();
    running.kill('SIGKILL');
    await running;
    const again = await runInProcess(command, { home });
    expect(again.exitCode).toBe(0);
    expectWhole(again.stdout);
    const jobs: Array<{ status: string }> = JSON.parse((await runInProcess(['jobs', '--json'], { home })).stdout);
    expect(jobs.map(({ status }) => status)).toEqual(['completed']);
  });
});

test('an idle service of an older version → replaced by a newer tool, never the other way round', async () => {
  const home = createLocalHome();
  const older = installAs('0.0.1');
  const { stdout } = await execa(process.execPath, [older, 'local', 'start', '--json'], {
    env: home.env,
    extendEnv: false,
  });
  const { pid } = JSON.parse(stdout);
  expect((await runInProcess(['extract', examples.report.path], { home })).exitCode).toBe(0);
  const { pid: newer } = readService(home);
  expect(newer).not.toBe(pid);
  expect(isAlive(pid)).toBe(false);
  await execa(process.execPath, [older, 'extract', examples.report.path], { env: home.env, extendEnv: false });
  expect(readService(home).pid).toBe(newer);
});

test('a cached result → given by an equal installation, not by one with another engine', async () => {
  const home = createLocalHome();
  const options = { env: home.env, extendEnv: false };
  const isCached = async (launcher: string) => {
    const { stdout } = await execa(process.execPath, [launcher, 'extract', '--json', examples.report.path], options);
    await stopLocalService(home);
    return (JSON.parse(stdout) as { meta: { cached: boolean } }).meta.cached;
  };
  expect(await isCached(LAUNCHER)).toBe(false);
  const changed = installAs('0.1.0');
  expect(await isCached(changed)).toBe(true);
  const directory = join(changed, '../..');
  for (const name of ['bundle.mjs', 'src/engine', 'src/functions'])
    cpSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), join(directory, name), { recursive: true });
  const build = () => execa(process.execPath, ['bundle.mjs'], { cwd: directory });
  await build();
  expect(await isCached(changed)).toBe(true);
  appendFileSync(join(directory, 'src/engine/stages/layout/markers.ts'), '\n// A change.\n');
  await build();
  expect(await isCached(changed)).toBe(false);
  expect(await isCached(changed)).toBe(true);
});

test('the port of a killed service → not believed', async () => {
  const home = createLocalHome();
  await runInProcess(['local', 'start'], { home });
  const { pid } = readService(home);
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid), 'its end');
  const run = await runInProcess(['local', 'status', '--json'], { home });
  expect(JSON.parse(run.stdout)).toMatchObject({ running: false });
  expect((await runInProcess(['extract', examples.report.path], { home })).exitCode).toBe(0);
  expect(readService(home).pid).not.toBe(pid);
});

describe('the life of the service', () => {
  test('an idle service → ends, and leaves no process and no address behind', async () => {
    const home = createLocalHome({ OCR_SERVE_IDLE_EXIT_MS: '700' });
    const reading = runInProcess(['extract', images.png.path], { home });
    const address = join(home.dataDir, 'service.json');
    await until(() => existsSync(address), 'the address of the service');
    expect((await reading).exitCode).toBe(0);
    // On a busy machine the first service may have gone before the command had its text, which started it again.
    await until(() => !existsSync(address), 'the end of the service');
    await until(() => processesOf(home.dataDir).length === 0, 'the end of its processes', 5_000);
    expect(existsSync(address)).toBe(false);
    expect(existsSync(join(home.dataDir, 'starting.lock'))).toBe(false);
  });

  test.runIf(process.platform === 'linux')(
    'the lock of a script that started the service → ends with the script',
    async () => {
      const home = createLocalHome();
      const script = ['-c', 'exec 200>lock; flock -n 200 && "$0" "$@"', process.execPath, LAUNCHER, 'extract'];
      const inHome = { cwd: home.dir, env: home.env, extendEnv: false } as const;
      for (const document of [examples.report.path, examples.twoColumn.path]) {
        const { stdout } = await execa('bash', [...script, document], inHome);
        expect(stdout).not.toBe('');
        expect(isAlive(readService(home).pid)).toBe(true);
      }
    },
  );
});

/** Command lines of processes that work in a data directory, where the system shows them. */
function processesOf(dataDir: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .filter((line) => line.includes(dataDir));
}
