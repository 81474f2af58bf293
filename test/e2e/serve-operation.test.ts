import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../dist/store/sqlite/database.js';
import { retryWhileBusy } from '../../dist/store/sqlite/retry-busy.js';
import { call } from '../contract/support/http.js';
import { documents, examples } from '../fixtures/manifest.js';
import { clientOf, createServiceHome, startOwnService, untilBusy, untilRefused } from '../support/own-service.js';
import { runInProcess } from '../support/run-in-process.js';
import { until } from '../support/until.js';

const inline = { OCR_SERVE_INLINE_MAX_PAGES: '1000' };
const scanned = readFileSync(documents.hundredScanned.path);
const short = readFileSync(documents.landscapeRotated.path);

test('SIGTERM → open inline calls are answered, new ones refused, queued jobs go on at the next start', async () => {
  const home = createServiceHome();
  const serving = await startOwnService(home, inline, ['--workers', '1']);
  const client = clientOf(serving);
  const answered = client.submit(scanned, { args: { pages: '1' } });
  await untilBusy(serving);
  const queued = await client.submit(short, { headers: { prefer: 'respond-async' } });
  expect(queued.status).toBe(202);
  serving.signal('SIGTERM');
  // `timeout` signals the command, and then its group once more.
  serving.signal('SIGTERM');
  await untilRefused(serving.url);
  const answer = await answered;
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json.meta.pageCount).toBe(1);
  expect(await serving.ended).toBe(0);
  expect(serving.log()).toContain('"msg":"stopped"');

  const again = await startOwnService(home);
  const job = await clientOf(again).waitForJob(queued.json.jobId);
  expect(job.json).toMatchObject({ status: 'completed', meta: { pageCount: 1 } });
  const entry = (await clientOf(again).get(`/v1/ocr/requests/${answer.json.requestId}`)).json;
  expect(entry).toMatchObject({ httpStatus: 200, provider: answer.json.meta.provider });
  expect(await again.stop()).toBe(0);
}, 120_000);

test('SIGHUP → ends in order, as SIGTERM does', async () => {
  const serving = await startOwnService(createServiceHome());
  serving.signal('SIGHUP');
  expect(await serving.ended).toBe(0);
  expect(serving.log()).toContain('"msg":"stopped"');
});

test('keys, passwords, text and names of documents → in neither log, store nor data directory', async () => {
  const home = createServiceHome();
  const serving = await startOwnService(home, { OCR_SERVE_LOG_LEVEL: 'info' });
  const client = clientOf(serving);
  const key = readFileSync(join(home.dataDir, 'api-key'), 'utf8').trim();
  const { password = '', text, path } = documents.encrypted;
  expect((await client.submit(readFileSync(path), { args: { password }, filename: 'planted-name.pdf' })).status).toBe(
    200,
  );
  const wrong = await client.submit(readFileSync(path), { args: { password: 'planted-password' } });
  expect(wrong.status).toBe(400);
  await client.submit(readFileSync(path), { filename: `${key}.pdf`, function: key });
  await client.get(`/v1/ocr/jobs/${key}?key=${key}`);
  await call(`${serving.url}/v1/ocr/functions`, { headers: { authorization: `Bearer ${key}` } });
  await serving.stop();
  const lines = serving
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const calls = lines.filter((line) => line.msg === 'call');
  expect(calls).toHaveLength(5);
  expect(calls[0]).toMatchObject({
    requestId: expect.stringMatching(/^req_/),
    organisation: expect.stringMatching(/^org_/),
    key: key.slice(-4),
    function: 'TEXT_EXTRACTION',
    status: 200,
    durationMs: expect.any(Number),
  });
  expect(calls[1]).toMatchObject({ status: 400, code: 'INVALID_DOCUMENT' });
  const words = text[0]?.split('\n')[0] ?? '';
  expect(words.length).toBeGreaterThan(5);
  for (const secret of [key, key.slice(9, 41), password, 'planted-password', 'planted-name', words])
    expect(serving.log()).not.toContain(secret);
  const files = readdirSync(home.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(2);
  for (const { parentPath, name } of files) {
    const content = readFileSync(join(parentPath, name));
    if (name !== 'api-key') expect(content.includes(key.slice(9, 41)), name).toBe(false);
    for (const secret of [password, 'planted-password']) expect(content.includes(secret), name).toBe(false);
    // The result itself is kept for its seven days, in the store alone.
    if (!name.startsWith('ocr.db')) expect(content.includes(words), name).toBe(false);
  }
});

test('names of files → in the log at debug alone', async () => {
  const home = createServiceHome();
  const serving = await startOwnService(home, { OCR_SERVE_LOG_LEVEL: 'debug' });
  await clientOf(serving).submit(readFileSync(examples.report.path), { filename: 'planted-name.pdf' });
  await serving.stop();
  expect(serving.log()).toContain('"fileName":"planted-name.pdf"');
});

test('--print-config → the secret of the sign-in provider is not shown', async () => {
  const env = {
    OCR_SERVE_PORTAL_OIDC_ISSUER: 'https://login.example',
    OCR_SERVE_PORTAL_OIDC_CLIENT_ID: 'ocr',
    OCR_SERVE_PORTAL_OIDC_CLIENT_SECRET: 'a-secret-of-the-provider',
  };
  const run = await runInProcess(['serve', '--print-config'], { home: createServiceHome(), env });
  expect(run.stdout).toContain('https://login.example');
  expect(run.stdout).not.toContain('a-secret-of-the-provider');
});

test('--print-config → every setting with its origin, and the variables that do nothing', async () => {
  const home = createServiceHome();
  const file = join(home.dir, 'ocr.json');
  writeFileSync(file, JSON.stringify({ workers: 3, metricsPublic: true }));
  const env = { OCR_SERVE_INLINE_MAX_PAGES: '7', OCR_SERVE_INLINE_MAX_PAGE: '8', OCR_SERVE_ZZZ: '1' };
  const run = await runInProcess(['serve', '--print-config', '--json', '--config', file, '--port', '1'], { home, env });
  const settings = Object.fromEntries(
    JSON.parse(run.stdout).map((entry: { name: string; value: unknown; origin: string }) => [
      entry.name,
      [entry.value, entry.origin],
    ]),
  );
  expect(settings).toMatchObject({
    port: [1, 'flag --port'],
    inlineMaxPages: [7, 'environment OCR_SERVE_INLINE_MAX_PAGES'],
    workers: [3, `file ${file}`],
    metricsPublic: [true, `file ${file}`],
    role: ['all', 'default'],
    databaseUrl: [null, 'default'],
    logLevel: ['info', 'default'],
  });
  const text = await runInProcess(['serve', '--print-config'], { home, env });
  expect(text.exitCode).toBe(0);
  expect(text.stderr).toContain(
    'OCR_SERVE_INLINE_MAX_PAGE is not a setting of the service; did you mean OCR_SERVE_INLINE_MAX_PAGES?',
  );
  expect(text.stderr).toContain('OCR_SERVE_ZZZ is not a setting of the service\n');
  const serving = await startOwnService(home, env);
  await serving.stop();
  expect(serving.log()).toContain('did you mean OCR_SERVE_INLINE_MAX_PAGES?');
});

test.each<[string, string[], Record<string, string>, object | undefined, string]>([
  ['a role by flag', ['--role', 'worker'], {}, undefined, 'role worker from flag --role'],
  ['a role by variable', [], { OCR_SERVE_ROLE: 'api' }, undefined, 'role api from environment OCR_SERVE_ROLE'],
  ['a role by the file', [], {}, { role: 'api' }, 'role api from file'],
  ['an address to listen at', [], {}, { databaseListenUrl: 'postgres://db/ocr' }, 'databaseListenUrl from file'],
])('a setting of a fleet without a database → refused, with its origin: %s', async (_, args, env, content, message) => {
  const home = createServiceHome();
  const file = join(home.dir, 'ocr.json');
  if (content !== undefined) writeFileSync(file, JSON.stringify(content));
  const config = content === undefined ? [] : ['--config', file];
  const run = await runInProcess(['serve', '--port', '0', ...args, ...config], { home, env });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(message);
  expect(run.stderr).toContain('--database-url postgres://');
});

test.each([
  ['--port', 'abc', 'port from flag --port: expected a whole number, 0 to 65535, not "abc"'],
  ['--port', '99999', 'port from flag --port: expected a whole number, 0 to 65535, not "99999"'],
  ['--port', '99999999999', 'port from flag --port: expected a whole number, 0 to 65535, not "99999999999"'],
  ['--workers', '1.5', 'workers from flag --workers: expected a whole number, 1 or more, not "1.5"'],
])('%s %s → refused with the option, its range and the value', async (flag, value, message) => {
  const run = await runInProcess(['serve', flag, value], { home: createServiceHome() });
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: `ocr: ${message}\nTry: ocr serve --help\n` });
});

test.each<[string, string[], Record<string, string>]>([
  ['a flag', ['--database-url', 'mysql://user:planted-password@db/ocr'], {}],
  ['a variable', [], { OCR_SERVE_DATABASE_URL: 'postgres://user:planted-password@[db/ocr' }],
])('an address that is no database → refused without its password: %s', async (_, args, env) => {
  const run = await runInProcess(['serve', '--port', '0', ...args], { home: createServiceHome(), env });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/databaseUrl from .*: (?:expected postgres:|not a URL)/);
  expect(run.stderr).not.toContain('planted-password');
});

test('--print-config of a database → without its password', async () => {
  const env = { OCR_SERVE_DATABASE_URL: 'postgres://user:planted-password@db/ocr?password=planted-password' };
  const run = await runInProcess(['serve', '--print-config'], { home: createServiceHome(), env });
  expect(run.stdout).toContain('postgres://user:***@db/ocr?password=***');
  expect(run.stdout).not.toContain('planted-password');
});

test('the role that there is → accepted', async () => {
  const home = createServiceHome();
  const serving = await startOwnService(home, {}, ['--role', 'all']);
  expect(await serving.stop()).toBe(0);
});

test('a fault of ours → in the log under the requestId that the caller is told', async () => {
  const serving = await startOwnService(createServiceHome());
  const key = readFileSync(join(serving.dataDir, 'api-key'), 'utf8').trim();
  const store = openDatabase(join(serving.dataDir, 'ocr.db'));
  // The service may be writing at this moment.
  await retryWhileBusy(() => store.exec('ALTER TABLE api_key RENAME TO api_key_away'), 10_000);
  store.close();
  for (const line of ['GET /v1/ocr/jobs/job_X', 'GET /v1/ocr/functions', 'POST /v1/ocr/TEXT_EXTRACTION']) {
    const [method = '', path] = line.split(' ');
    const answer = await call(`${serving.url}${path}`, { method, headers: { 'x-api-key': key } });
    expect(answer.status, `${line}: ${answer.text}`).toBe(500);
    const { requestId } = answer.json.error;
    const isFault = (entry: string) => entry.includes(requestId) && entry.includes('no such table');
    await until(() => serving.log().split('\n').some(isFault), `the fault of ${line} in the log`);
  }
});

test('a removed data directory → the service ends, and leaves its successor alone', async () => {
  const home = createServiceHome();
  const serving = await startOwnService(home);
  renameSync(serving.dataDir, `${serving.dataDir}-away`);
  const next = await startOwnService(home);
  expect(await serving.ended).toBe(1);
  expect(serving.log()).toContain('was removed, or another service has taken it');
  expect((await runInProcess(['local', 'status'], { home })).stdout).toContain(next.url);
  rmSync(next.dataDir, { recursive: true });
  expect(await next.ended).toBe(1);
});
