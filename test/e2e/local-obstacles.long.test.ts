import { rmSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { examples } from '../fixtures/manifest.js';
import { findAbsentLanguages } from '../support/absent-languages.js';
import { startFakeRegistry } from '../support/fake-registry.js';
import { installAs } from '../support/install-as.js';
import { createLocalHome, readService } from '../support/local-service.js';
import { startProxy } from '../support/proxy.js';
import { runInProcess } from '../support/run-in-process.js';
import { startServe } from '../support/serve.js';
import { wordF1 } from '../support/word-f1.js';

/** The line at the foot of each page is no part of what is read. */
const report = examples.report.text.map((page) => page.split('\n').slice(0, -1).join('\n')).join('\n');

test('optional packages left out → the client works, and names what the service needs', async () => {
  const home = createLocalHome();
  const launcher = installAs('0.1.0', { withOptional: false });
  const version = await execa(process.execPath, [launcher, '--help'], { env: home.env, extendEnv: false });
  expect(version.exitCode).toBe(0);
  const options = { env: home.env, extendEnv: false, reject: false };
  const run = await execa(process.execPath, [launcher, 'extract', examples.report.path], options);
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('fastify');
  expect(run.stderr).toMatch(/npm install --include=optional --omit=dev --prefix \S+ +\(or set OCR_BASE_URL/);
  for (const command of ['portal', 'local start', 'functions list', 'admin orgs list', 'open examples/report.pdf']) {
    const ended = await execa(process.execPath, [launcher, ...command.split(' ')], options);
    expect(ended.stderr, command).toContain('The service on this machine is not installed: ');
    expect(ended.exitCode, command).toBe(2);
  }
  const serve = await execa(process.execPath, [launcher, 'serve'], options);
  expect(serve.stderr).toMatch(/npm install --include=optional --omit=dev --prefix \S+$/);
  const registry = await startFakeRegistry();
  onTestFinished(registry.close);
  const [{ code, name }] = await findAbsentLanguages();
  registry.packages.set(`@tesseract.js-data/${code}`, {
    [`4.0.0_best_int/${code}.traineddata.gz`]: gzipSync('data'),
  });
  const env = { ...home.env, npm_config_registry: registry.url };
  const install = await execa(process.execPath, [launcher, 'languages', 'install', code], { ...options, env });
  expect(install.exitCode).toBe(0);
  expect(install.stderr).toContain(`Installed ${name} (${code}). The service on this machine`);
  expect(install.stderr).toContain('is not installed: npm install --include=opt');
});

// The ordinary suite does the same for 0.0.0.0.
test.for(['::', 'an address of the network'])(
  'a service that listens on %s → asked without a proxy',
  async (name, { skip }) => {
    const outer = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === 'IPv4' && !address.internal)?.address;
    const host = name === '::' ? name : outer;
    if (host === undefined) return skip('this machine is on no network');
    const home = createLocalHome();
    const serving = await startServe(home, ['--port', '0', '--host', host]);
    onTestFinished(() => serving.signal('SIGKILL'));
    const proxy = await startProxy(serving.url);
    onTestFinished(() => proxy.close());
    const { exitCode } = await runInProcess(['extract', examples.report.path], {
      home,
      env: { http_proxy: proxy.url },
    });
    expect({ exitCode, asked: proxy.asked }).toEqual({ exitCode: 0, asked: [] });
    expect(readService(home).url).not.toMatch(/0\.0\.0\.0|\[::\]/);
  },
);

test('a service that does not answer → not called stopped', async () => {
  const home = createLocalHome();
  await runInProcess(['local', 'start'], { home });
  const { pid } = readService(home);
  process.kill(pid, 'SIGSTOP');
  try {
    const status = JSON.parse((await runInProcess(['local', '--json'], { home })).stdout);
    expect(status).toMatchObject({ running: false, silentPid: pid });
    const stop = await runInProcess(['local', 'stop'], { home });
    expect(stop.exitCode).toBe(2);
    expect(stop.stderr).toContain(`process ${pid}`);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

test('a store lost with a job in it → the same command sends the document anew', async () => {
  const home = createLocalHome();
  await runInProcess(['extract', '--no-wait', examples.report.path], { home });
  await runInProcess(['local', 'stop'], { home });
  rmSync(home.dataDir, { recursive: true });
  const run = await runInProcess(['extract', examples.report.path], { home });
  expect(run.exitCode).toBe(0);
  expect(wordF1(report, run.stdout)).toBeGreaterThan(0.99);
});
