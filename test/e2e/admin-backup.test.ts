import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../contract/support/running-service.js';
import { documents, examples } from '../fixtures/manifest.js';
import { LAUNCHER } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { startServe } from '../support/serve.js';
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

const readKey = (dataDir: string) => readFileSync(join(dataDir, 'api-key'), 'utf8').trim();

test('a copy made while the service runs → serves in its place: keys, results, unfinished jobs', async () => {
  const home = createServiceHome();
  const serving = await startServe(home, ['--port', '0', '--workers', '1']);
  onTestFinished(() => serving.signal('SIGKILL'));
  const key = readKey(home.dataDir);
  const client = createClient(serving.url, key);
  const headers = { prefer: 'respond-async' };
  const done = await client.submit(readFileSync(examples.report.path), { headers });
  await client.waitForJob(done.json.jobId);
  // One is worked on for long enough, the others wait behind it: with an argument that is sealed, and as a file.
  const slow = await client.submit(readFileSync(documents.hundredScanned.path), { headers, args: { pages: '1-3' } });
  const sealed = await client.submit(readFileSync(documents.encrypted.path), {
    headers,
    args: { password: documents.encrypted.password },
  });
  const large = await client.submit(readFileSync(documents.hundred.path), { headers });
  const directory = join(home.dir, 'copies', 'one');
  mkdirSync(join(home.dir, 'copies'));
  const made = await runInProcess(['admin', 'backup', directory, '--json'], { home });
  expect(made.exitCode, made.stderr).toBe(0);
  const view = JSON.parse(made.stdout);
  expect(view).toMatchObject({
    backup: directory,
    dataDir: home.dataDir,
    organisations: 1,
    jobs: 4,
    missingDocuments: 0,
  });
  expect(view.documents).toBe(3);
  expect(readdirSync(join(directory, 'documents'))).toHaveLength(1);
  expect(readdirSync(join(home.dir, 'copies'))).toEqual(['one']);
  expect(readdirSync(directory).sort()).toEqual(['api-key', 'documents', 'ocr.db', 'secret']);
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
    expect(statSync(join(directory, name)).mode & 0o077, name).toBe(0);
  // The disk dies.
  serving.signal('SIGKILL');
  await serving.ended;

  const restored = createServiceHome();
  cpSync(directory, restored.dataDir, { recursive: true });
  const again = await startServe(restored);
  onTestFinished(() => again.signal('SIGKILL'));
  const later = createClient(again.url, key);
  expect((await later.get(`/v1/ocr/jobs/${done.json.jobId}`)).json).toMatchObject({
    status: 'completed',
    result: { text: expect.stringContaining('Alder Vale Library') },
  });
  const [pages, opened] = [await later.waitForJob(slow.json.jobId), await later.waitForJob(sealed.json.jobId)];
  expect(pages.json).toMatchObject({ status: 'completed', meta: { pageCount: 3 } });
  expect(opened.json).toMatchObject({ status: 'completed' });
  expect((await later.waitForJob(large.json.jobId)).json).toMatchObject({
    status: 'completed',
    meta: { pageCount: 100 },
  });
  expect(opened.json.result.text).toContain(documents.encrypted.text[0]?.split('\n')[0]);
  expect((await later.get(`/v1/ocr/requests/${done.json.requestId}`)).status).toBe(200);
  expect(await again.stop()).toBe(0);
}, 120_000);

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
