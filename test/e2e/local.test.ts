import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../../dist/system/is-alive.js';
import { bad, documents, examples } from '../fixtures/manifest.js';
import { createLocalHome, readService } from '../support/local-service.js';
import { startProxy } from '../support/proxy.js';
import { openTerminal } from '../support/pty.js';
import { LAUNCHER, runCli, startCli } from '../support/run-cli.js';
import { startServe } from '../support/serve.js';
import { until } from '../support/until.js';
import { wordF1 } from '../support/word-f1.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The line at the foot of each page is no part of what is read. */
const report = examples.report.text.map((page) => page.split('\n').slice(0, -1).join('\n')).join('\n');

test('on a terminal the log commands nothing, and in a pipe it is as it was written', async () => {
  const home = createLocalHome();
  mkdirSync(home.dataDir, { recursive: true });
  writeFileSync(join(home.dataDir, 'service.log'), '{"file":"a\u009b2J\u001b[31m.pdf"}\n');
  const terminal = openTerminal(['local', 'logs', '--follow'], { home });
  await terminal.waitFor(/pdf/);
  expect(terminal.shown).toContain('{"file":"a\\x9b2J^[[31m.pdf"}');
  // A character of three bytes, written in two pieces.
  appendFileSync(join(home.dataDir, 'service.log'), Buffer.from([0xe2, 0x82]));
  await until(() => terminal.shown.includes('\n'));
  await sleep(600);
  appendFileSync(join(home.dataDir, 'service.log'), Buffer.concat([Buffer.from([0xac]), Buffer.from('\u009b!\n')]));
  await terminal.waitFor(/!/);
  expect(terminal.shown).toContain('€\\x9b!');
  expect((await runCli(['local', 'logs'], { home })).stdout).toContain('a\u009b2J\u001b[31m.pdf');
  renameSync(join(home.dataDir, 'service.log'), join(home.dataDir, 'service.log.1'));
  await sleep(600);
  writeFileSync(join(home.dataDir, 'service.log'), 'next\n');
  await terminal.waitFor(/next/);
  terminal.kill();
});

describe('with nothing configured', () => {
  test('a text PDF is read; the service is started, is private, and is joined by the next command', async () => {
    const home = createLocalHome();
    const first = await runCli(['extract', examples.report.path], { home });
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(wordF1(report, first.stdout)).toBeGreaterThan(0.99);
    const { pid, url } = readService(home);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(statSync(join(home.dataDir, 'api-key')).mode & 0o777).toBe(0o600);
    expect(statSync(home.dataDir).mode & 0o777).toBe(0o700);
    await runCli(['extract', examples.report.path], { home });
    expect(readService(home).pid).toBe(pid);
  });

  test('a scanned PDF is recognised', async () => {
    const home = createLocalHome();
    const run = await runCli(['extract', '--json', examples.scanned.path], { home });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const body = JSON.parse(run.stdout);
    expect(wordF1(examples.scanned.text.join('\n'), body.result.text)).toBeGreaterThan(0.97);
    expect(body).toMatchObject({
      input: examples.scanned.path,
      function: 'TEXT_EXTRACTION',
      meta: { pageCount: 3, cached: false, provider: expect.any(String), durationMs: expect.any(Number) },
      requestId: expect.stringMatching(/^req_/),
    });
  });

  test('ten commands at once on a cold machine: ten right results, one service', async () => {
    const home = createLocalHome();
    const runs = await Promise.all(
      Array.from({ length: 10 }, () => runCli(['extract', examples.report.path], { home })),
    );
    for (const run of runs) {
      expect(run).toMatchObject({ exitCode: 0, stderr: '' });
      expect(wordF1(report, run.stdout)).toBeGreaterThan(0.99);
    }
    const log = readFileSync(join(home.dataDir, 'service.log'), 'utf8');
    const starts = new Set([...log.matchAll(/"pid":(\d+)/g)].map((match) => match[1]));
    expect([...starts]).toEqual([String(readService(home).pid)]);
  });
});

describe('a service that is killed', () => {
  test('while it works on a document of many pages: the same command again gets the whole result, once', async () => {
    const home = createLocalHome();
    const { path, text } = documents.hundredScanned;
    const pages = 16;
    const command = ['extract', '--json', '-a', `pages=1-${pages}`, path];
    const first = startCli(command, { home });
    await until(() => existsSync(join(home.dataDir, 'service.json')), 'a service');
    await until(async () => (await jobsOf(home)).some((job) => job.jobId !== undefined), 'a job');
    process.kill(readService(home).pid, 'SIGKILL');
    first.kill('SIGKILL');
    await first;

    const again = await runCli(command, { home });
    expect(again.exitCode).toBe(0);
    const body = JSON.parse(again.stdout);
    expect(body.meta.pageCount).toBe(pages);
    expect(wordF1(text.slice(0, pages).join('\n'), body.result.text)).toBeGreaterThan(0.95);
    expect((await jobsOf(home)).map((job) => job.status)).toEqual(['completed']);
  }, 180_000);

  test('a command that is waiting starts it again by itself and goes on', async () => {
    const home = createLocalHome();
    const waiting = startCli(['extract', '--json', '-a', 'pages=1-16', documents.hundredScanned.path], { home });
    await until(async () => (await jobsOf(home)).some((job) => job.jobId !== undefined), 'a job');
    process.kill(readService(home).pid, 'SIGKILL');
    const { exitCode, stdout } = await waiting;
    expect(exitCode).toBe(0);
    expect(JSON.parse(String(stdout)).meta.pageCount).toBe(16);
  });

  test('a port that was its own is not believed', async () => {
    const home = createLocalHome();
    await runCli(['local', 'start'], { home });
    const { pid } = readService(home);
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid), 'its end');
    const run = await runCli(['local', 'status', '--json'], { home });
    expect(JSON.parse(run.stdout)).toMatchObject({ running: false });
    expect((await runCli(['extract', examples.report.path], { home })).exitCode).toBe(0);
    expect(readService(home).pid).not.toBe(pid);
  });

  async function jobsOf(home: Parameters<typeof readService>[0]): Promise<Array<{ jobId?: string; status: string }>> {
    return JSON.parse((await runCli(['jobs', '--json'], { home })).stdout || '[]');
  }
});

describe('the life of the service', () => {
  test('it stops by itself when nobody needs it, and leaves no process and no address behind', async () => {
    const home = createLocalHome({ OCR_SERVE_IDLE_EXIT_MS: '700' });
    const reading = runCli(['extract', examples.scanned.path], { home });
    // On a busy machine the service may have gone before the command has.
    await until(() => existsSync(join(home.dataDir, 'service.json')), 'the address of the service');
    const { pid } = readService(home);
    expect((await reading).exitCode).toBe(0);
    await until(() => !isAlive(pid), 'the end of the service');
    expect(existsSync(join(home.dataDir, 'service.json'))).toBe(false);
    expect(existsSync(join(home.dataDir, 'starting.lock'))).toBe(false);
    expect(processesOf(home.dataDir)).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('the lock of a script that started it ends with the script', async () => {
    const home = createLocalHome();
    const script = ['-c', 'exec 200>lock; flock -n 200 && "$0" "$@"', process.execPath, LAUNCHER, 'extract'];
    const inHome = { cwd: home.dir, env: home.env, extendEnv: false } as const;
    for (const document of [examples.report.path, examples.photo.path]) {
      const { stdout } = await execa('bash', [...script, document], inHome);
      expect(stdout).not.toBe('');
      expect(isAlive(readService(home).pid)).toBe(true);
    }
  });

  test('start, status, logs, stop', async () => {
    const home = createLocalHome();
    expect(JSON.parse((await runCli(['local', '--json'], { home })).stdout)).toMatchObject({ running: false });
    const started = JSON.parse((await runCli(['local', 'start', '--json'], { home })).stdout);
    expect(started).toMatchObject({ running: true, unfinishedJobs: 0, dataDir: home.dataDir });
    const status = await runCli(['local', 'status'], { home });
    expect(status.stdout).toContain(`url\t${started.url}`);
    await runCli(['extract', examples.report.path], { home });
    expect((await runCli(['local', 'logs', '-n', '1'], { home })).stdout).toMatch(/^\{.*\}\n$/);
    const stopped = await runCli(['local', 'stop'], { home });
    expect(stopped).toMatchObject({ exitCode: 0, stdout: '', stderr: 'Stopped.\n' });
    expect(isAlive(started.pid)).toBe(false);
    expect((await runCli(['local', 'stop'], { home })).stderr).toBe('No service is running on this machine.\n');
  });

  test('an idle service of an older version is replaced by a newer tool, and never the other way round', async () => {
    const home = createLocalHome();
    const older = installAs('0.0.1');
    const { stdout } = await execa(process.execPath, [older, 'local', 'start', '--json'], {
      env: home.env,
      extendEnv: false,
    });
    const { pid } = JSON.parse(stdout);
    expect((await runCli(['extract', examples.report.path], { home })).exitCode).toBe(0);
    const { pid: newer } = readService(home);
    expect(newer).not.toBe(pid);
    expect(isAlive(pid)).toBe(false);
    await execa(process.execPath, [older, 'extract', examples.report.path], { env: home.env, extendEnv: false });
    expect(readService(home).pid).toBe(newer);
  });
});

test.for(['0.0.0.0', '::', 'a.address.of.the.network'])(
  'a service that listens on %s is asked without a proxy, which would get the key and the documents',
  async (name, { skip }) => {
    const outer = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === 'IPv4' && !address.internal)?.address;
    const host = name.startsWith('a.') ? outer : name;
    if (host === undefined) return skip('this machine is on no network');
    const home = createLocalHome();
    const serving = await startServe(home, ['--port', '0', '--host', host]);
    onTestFinished(() => serving.signal('SIGKILL'));
    const proxy = await startProxy(serving.url);
    onTestFinished(() => proxy.close());
    const { exitCode } = await runCli(['extract', examples.report.path], { home, env: { http_proxy: proxy.url } });
    expect({ exitCode, asked: proxy.asked }).toEqual({ exitCode: 0, asked: [] });
    expect(readService(home).url).not.toMatch(/0\.0\.0\.0|\[::\]/);
  },
);

test('what an installation has read is given again by its likes, and not by one with another engine', async () => {
  const home = createLocalHome();
  const options = { env: home.env, extendEnv: false };
  const isCached = async (launcher: string) => {
    const { stdout } = await execa(process.execPath, [launcher, 'extract', '--json', examples.report.path], options);
    await execa(process.execPath, [launcher, 'local', 'stop'], options);
    return (JSON.parse(stdout) as { meta: { cached: boolean } }).meta.cached;
  };
  expect(await isCached(LAUNCHER)).toBe(false);
  const changed = installAs('0.1.0');
  expect(await isCached(changed)).toBe(true);
  appendFileSync(join(changed, '../../dist/engine/layout/markers.js'), '\n// A change.\n');
  expect(await isCached(changed)).toBe(false);
  expect(await isCached(changed)).toBe(true);
}, 60_000);

describe('what stands in its way is said in one line', () => {
  test('a service that does not answer is not called stopped', async () => {
    const home = createLocalHome();
    await runCli(['local', 'start'], { home });
    const { pid } = readService(home);
    process.kill(pid, 'SIGSTOP');
    try {
      const status = JSON.parse((await runCli(['local', '--json'], { home })).stdout);
      expect(status).toMatchObject({ running: false, silentPid: pid });
      const stop = await runCli(['local', 'stop'], { home });
      expect(stop.exitCode).toBe(2);
      expect(stop.stderr).toContain(`process ${pid}`);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  test.each(['{', '{"url":"foo bar","pid":1,"version":"0.1.0","instanceId":"x","proofKey":"k","startedAt":"y"}'])(
    'a service file that says %s is not believed',
    async (text) => {
      const home = createLocalHome();
      mkdirSync(home.dataDir);
      writeFileSync(join(home.dataDir, 'service.json'), text);
      expect(JSON.parse((await runCli(['local', '--json'], { home })).stdout)).toMatchObject({ running: false });
      expect((await runCli(['extract', examples.report.path], { home })).exitCode).toBe(0);
    },
  );

  test('the store was lost with a job in it: the same command sends the document anew', async () => {
    const home = createLocalHome();
    await runCli(['extract', '--no-wait', examples.report.path], { home });
    await runCli(['local', 'stop'], { home });
    rmSync(home.dataDir, { recursive: true });
    const run = await runCli(['extract', examples.report.path], { home });
    expect(run.exitCode).toBe(0);
    expect(wordF1(report, run.stdout)).toBeGreaterThan(0.99);
  });

  test('a data directory that cannot be written', async () => {
    const home = createLocalHome();
    writeFileSync(home.dataDir, 'a file stands here');
    const run = await runCli(['extract', examples.report.path], { home });
    expect(run.exitCode).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(home.dataDir);
    // All at once: a home directory that cannot be written needs all three.
    expect(run.stderr).toMatch(/Set OCR_DATA_DIR .*; OCR_CONFIG_DIR and OCR_STATE_DIR too/);
    expect(run.stderr).not.toMatch(/\n\s+at /);
  });

  test('packages that were left out: the client works, and says what the service needs', async () => {
    const home = createLocalHome();
    const launcher = installAs('0.1.0', { withOptional: false });
    const version = await execa(process.execPath, [launcher, '--help'], { env: home.env, extendEnv: false });
    expect(version.exitCode).toBe(0);
    const options = { env: home.env, extendEnv: false, reject: false };
    const run = await execa(process.execPath, [launcher, 'extract', examples.report.path], options);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('fastify');
    expect(run.stderr).toMatch(/npm install --include=optional --prefix \S+ +\(or set OCR_BASE_URL/);
    const serve = await execa(process.execPath, [launcher, 'serve'], options);
    expect(serve.stderr).toMatch(/npm install --include=optional --prefix \S+$/);
  });

  test.each([bad.garbage, bad.damaged, bad.bomb, bad.brokenPng])(
    'a document that cannot be read: $file',
    async ({ path }) => {
      const home = createLocalHome();
      const run = await runCli(['extract', path], { home });
      expect(run).toMatchObject({ exitCode: 1, stdout: '' });
      expect(run.stderr).toMatch(/^ocr: .+/);
      expect(run.stderr).toMatch(/req_[0-9A-Z]{26}/);
      expect(run.stderr).not.toMatch(/\n\s+at /);
      expect((await runCli(['extract', examples.report.path], { home })).exitCode).toBe(0);
    },
  );
});

/** A second installation of this tool under another version, as a later download of it would stand beside this one. */
function installAs(version: string, { withOptional = true } = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-install-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const name of ['bin', 'dist']) cpSync(join(ROOT, name), join(directory, name), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ ...manifest, version }));
  if (withOptional) {
    symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  } else {
    const optional = new Set(Object.keys(manifest.optionalDependencies).map((name) => name.split('/')[0]));
    mkdirSync(join(directory, 'node_modules'));
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      if (!optional.has(name)) symlinkSync(join(ROOT, 'node_modules', name), join(directory, 'node_modules', name));
    }
  }
  return join(directory, 'bin/ocr.js');
}

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

describe('somebody else on its port', () => {
  test('gets neither the key nor the document, and no process is ended on its word', async () => {
    const home = createLocalHome();
    const bystander = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
    const seen: string[] = [];
    let health: object = {};
    const thief = createServer((request, response) => {
      seen.push(`${request.method} ${request.url?.split('?')[0]} ${request.headers.authorization ?? ''}`);
      response.end(JSON.stringify({ ...health, pid: bystander.pid, proof: 'ab'.repeat(32) }));
    });
    onTestFinished(() => {
      thief.close();
      bystander.kill('SIGKILL');
    });
    // Whoever is quicker may get the port that was free for a moment: then it is tried with another.
    while (!thief.listening) {
      await runCli(['local', 'start'], { home });
      const { url, pid } = readService(home);
      health = (await (await fetch(`${url}/healthz`)).json()) as object;
      process.kill(pid, 'SIGKILL');
      await until(() => !isAlive(pid), 'its end');
      thief.listen(Number(new URL(url).port), '127.0.0.1');
      await once(thief, 'listening').catch(() => {});
    }

    expect(JSON.parse((await runCli(['local', '--json'], { home })).stdout)).toMatchObject({ running: false });
    await runCli(['local', 'stop'], { home });
    const run = await runCli(['extract', examples.report.path], { home });
    expect(run.exitCode).toBe(0);
    expect(wordF1(report, run.stdout)).toBeGreaterThan(0.99);
    expect(new Set(seen)).toEqual(new Set(['GET /healthz ']));
    expect(isAlive(bystander.pid ?? 0)).toBe(true);
  });
});
