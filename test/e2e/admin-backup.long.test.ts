import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../contract/support/running-service.js';
import { documents, examples } from '../fixtures/manifest.js';
import { runInProcess } from '../support/run-in-process.js';
import { startServe } from '../support/serve.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';

function createServiceHome(): TemporaryHome {
  const home = createHome();
  onTestFinished(() => home.remove());
  return home;
}

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
  // One is worked on for long enough, the others wait behind it, since their pages are to be recognised too: with an argument
  // that is sealed, and as a file.
  const slow = await client.submit(readFileSync(documents.hundredScanned.path), { headers, args: { pages: '1-3' } });
  const sealed = await client.submit(readFileSync(documents.encrypted.path), {
    headers,
    args: { password: documents.encrypted.password, ocr: 'force' },
  });
  const large = await client.submit(readFileSync(documents.hundred.path), {
    headers,
    args: { pages: '1-3', ocr: 'force' },
  });
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
    meta: { pageCount: 3 },
  });
  expect(opened.json.result.text).toContain(documents.encrypted.text[0]?.split('\n')[0]);
  expect((await later.get(`/v1/ocr/requests/${done.json.requestId}`)).status).toBe(200);
  expect(await again.stop()).toBe(0);
});
