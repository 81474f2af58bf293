import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { examples } from '../fixtures/manifest.js';
import { createLocalHome } from '../support/local-service.js';
import { LAUNCHER } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import type { TemporaryHome } from '../support/temporary-home.js';

interface Serving {
  url: string;
  pid: number;
  dataDir: string;
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>;
}

async function startServe(home: TemporaryHome): Promise<Serving> {
  const child = spawn(process.execPath, [LAUNCHER, 'serve', '--port', '0', '--json'], {
    env: home.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const [line] = (await Promise.race([
    new Promise((resolve) =>
      createInterface(child.stdout as NodeJS.ReadableStream).once('line', (text) => resolve([text])),
    ),
    ended.then((code) => Promise.reject(new Error(`serve ended with ${code}`))),
  ])) as [string];
  return { ...(JSON.parse(line) as Omit<Serving, 'ended'>), ended };
}

test('serve → one line with its address, joined by extract, 0 when stopped', async () => {
  const home = createLocalHome();
  const serving = await startServe(home);
  expect(serving).toMatchObject({ dataDir: home.dataDir, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  const run = await runInProcess(['extract', examples.report.path], { home });
  expect(run.exitCode).toBe(0);
  expect(JSON.parse((await runInProcess(['local', '--json'], { home })).stdout)).toMatchObject({
    running: true,
    pid: serving.pid,
  });
  process.kill(serving.pid, 'SIGTERM');
  expect(await serving.ended).toBe(0);
  expect(existsSync(join(home.dataDir, 'service.json'))).toBe(false);
});

test('a second one on the same data directory → 1, names the holder', async () => {
  const home = createLocalHome();
  const { pid, url } = await startServe(home);
  const second = await runInProcess(['serve', '--port', '0'], { home });
  expect(second).toMatchObject({ exitCode: 1, stdout: '' });
  expect(second.stderr).toContain(`process ${pid}`);
  expect(second.stderr).toContain(url);
});

test('a port that is taken → named', async () => {
  const home = createLocalHome();
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const run = await runInProcess(['serve', '--port', String(port)], { home });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(String(port));
  expect(existsSync(join(home.dataDir, 'service.json'))).toBe(false);
});

test('a file where the data directory should be → said', async () => {
  const home = createLocalHome();
  const file = join(home.dir, 'notes.txt');
  writeFileSync(file, '');
  const refused = await runInProcess(['serve', '--port', '0', '--data-dir', file], { home });
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain(`Cannot write the data directory ${file}: not a directory`);
});

test('a bad setting → named with its origin', async () => {
  const home = createLocalHome({ OCR_SERVE_WORKERS: 'many' });
  // Not with the advice to type what was typed.
  const run = await runInProcess(['serve', '--print-config'], { home });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toMatch(/^ocr: workers from environment OCR_SERVE_WORKERS: .*\nSet OCR_SERVE_WORKERS to .*\n$/);
});
