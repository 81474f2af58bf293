import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../fixtures/manifest.js';
import { clientAt, type Fleet, startFleet, startOwnFleet } from '../support/fleet.js';
import { describeWithPostgres } from '../support/postgres.js';
import { runCli } from '../support/run-cli.js';
import type { Serving } from '../support/serve.js';
import { until } from '../support/until.js';
import { call } from './support/http.js';

const REPORT = readFileSync(examples.report.path);
const ASYNC = { headers: { prefer: 'respond-async' } };

describeWithPostgres('several processes', () => {
  let fleet: Fleet;
  let apis: [Serving, Serving];
  let worker: Serving;
  let key: string;
  beforeAll(async () => {
    fleet = await startFleet();
    await fleet.admin('migrate');
    ({ key } = await fleet.createOrganisation());
    apis = await Promise.all([fleet.serve('api'), fleet.serve('api')]);
    worker = await fleet.serve('worker');
  });
  afterAll(() => fleet?.close());

  test('a document sent to one process → read by another, and its result found at a third', async () => {
    const [first, second] = apis;
    const sent = await clientAt(first, key).submit(REPORT, { ...ASYNC, args: { pages: '1' } });
    expect(sent.status).toBe(202);
    const found = await clientAt(second, key).waitForJob(sent.json.jobId);
    expect(found.json).toMatchObject({ status: 'completed', requestId: sent.json.requestId });
    const inline = await clientAt(second, key).submit(REPORT, { args: { pages: '2' } });
    expect(inline.status).toBe(200);
  });

  test('an answer of one process → at once in the request log of another', async () => {
    const [first, second] = apis;
    for (const args of [{ pages: '1' }, { pages: '2' }, { nonsense: 1 }]) {
      const answer = await clientAt(first, key).submit(REPORT, { args });
      const line = await clientAt(second, key).get(`/v1/ocr/requests/${answer.headers['x-request-id']}`);
      expect(line.json).toMatchObject({ httpStatus: answer.status, elapsedMs: expect.any(Number) });
    }
  });

  test('a held poll → answered at the end of a job that another process reads', async () => {
    const [first, second] = apis;
    const sent = await clientAt(first, key).submit(REPORT, { ...ASYNC, args: { pages: '3' } });
    const headers = { 'x-api-key': key, prefer: 'wait=30' };
    const answer = await call(`${second.url}/v1/ocr/jobs/${sent.json.jobId}`, { headers });
    expect(answer.json.status).toBe('completed');
  });

  test('a worker → takes no calls, and says that it is well', async () => {
    expect((await call(`${worker.url}/healthz`)).status).toBe(200);
    // A disk that others keep busy makes it unready for a moment.
    await until(async () => (await call(`${worker.url}/readyz`)).status === 200, 'the worker to be ready');
    await until(async () => /^ocr_ready 1$/m.test((await call(`${worker.url}/metrics`)).text), 'its metrics to say so');
    const refused = await call(`${worker.url}/v1/ocr/TEXT_EXTRACTION`, {
      method: 'POST',
      headers: { 'x-api-key': key },
    });
    expect(refused.status).toBe(404);
  });

  test('a revoked key → refused at once by every process', async () => {
    const { id, key: revoked } = await fleet.createOrganisation();
    const usageAt = (api: Serving) => call(`${api.url}/v1/ocr/usage`, { headers: { 'x-api-key': revoked } });
    for (const api of apis) expect((await usageAt(api)).status).toBe(200);
    const [{ keyId }] = JSON.parse(await fleet.admin('keys', 'list', '--org', id, '--json'));
    await fleet.admin('keys', 'revoke', keyId);
    for (const api of apis) await until(async () => (await usageAt(api)).status === 401, 'the key to be refused');
  });

  test('calls to several processes at once → as many as the plan allows, of all together', async () => {
    const { id, key: limited } = await fleet.createOrganisation('STARTER');
    await fleet.admin('orgs', 'update', id, '--requests-per-window', '7');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => clientAt(apis[i % 2] as Serving, limited).submit(REPORT, ASYNC)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(202), ...Array(13).fill(429)]);
  });

  test('one Idempotency-Key at two processes at once → one job, the same answer', async () => {
    for (let i = 0; i < 10; i++) {
      const headers = { prefer: 'respond-async', 'idempotency-key': `once-${i}` };
      const answers = await Promise.all(apis.map((api) => clientAt(api, key).submit(REPORT, { headers })));
      expect(new Set(answers.map(({ status, json }) => `${status} ${json.requestId} ${json.jobId}`)).size).toBe(1);
    }
  });

  test('another secret than that of the database → the start ends, and says what to copy', async () => {
    const path = join(fleet.home.dir, 'other-secret');
    const serve = () =>
      runCli(['serve', '--port', '0', '--data-dir', join(fleet.home.dir, 'other')], {
        home: fleet.home,
        env: { OCR_SERVE_DATABASE_URL: fleet.databaseUrl, OCR_SERVE_SECRET_FILE: path },
      });
    const missing = await serve();
    expect(missing).toMatchObject({ exitCode: 2, stdout: '' });
    expect(missing.stderr).toMatch(/There is no secret at .*other-secret.*\n.*OCR_SERVE_SECRET_FILE/);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, randomBytes(32));
    const other = await serve();
    expect(other).toMatchObject({ exitCode: 2, stdout: '' });
    expect(other.stderr).toMatch(/other-secret is not the one that this database was set up with/);
  });

  test('a link to the portal → at the public address, or that of a named directory; else an error that says what to set', async () => {
    const words = ['portal', '--role', 'operator'];
    const refused = await fleet.run('admin', ...words);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('Set OCR_SERVE_PUBLIC_URL=https://<address>');
    const [{ url, dataDir }] = apis;
    expect(await fleet.admin(...words, '--data-dir', dataDir)).toContain(`${url}/portal/enter#`);
    const dead = await fleet.run('admin', ...words, '--data-dir', worker.dataDir);
    expect(dead).toMatchObject({ exitCode: 2, stdout: '' });
    expect(dead.stderr).toMatch(/only reads documents, and has no portal\n.*OCR_SERVE_PUBLIC_URL=https/);
    const env = { OCR_SERVE_DATABASE_URL: fleet.databaseUrl, OCR_SERVE_PUBLIC_URL: 'https://ocr.example' };
    const { stdout } = await runCli(['admin', ...words], { home: fleet.home, env });
    expect(stdout).toContain('https://ocr.example/portal/enter#');
  });

  test('a database that is away → 503 and no other refusal; no process ends, and all goes on when it is back', async () => {
    const [api] = apis;
    const { key: own } = await fleet.createOrganisation();
    const sent = await clientAt(api, own).submit(REPORT, { ...ASYNC, args: { pages: '4' } });
    await fleet.postgres.stop('SIGINT');
    const headers = { 'x-api-key': own };
    const page = await call(`${api.url}/portal/overview`, { headers: { cookie: `ocr_session=${'x'.repeat(43)}` } });
    expect([page.status, page.headers['retry-after']]).toEqual([503, '5']);
    expect(page.headers).toMatchObject({
      'content-type': expect.stringContaining('text/html'),
      'content-security-policy': expect.stringContaining(`frame-ancestors 'none'`),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(page.text).toContain('The service cannot reach its database; load this page again in a few seconds.');
    for (let i = 0; i < 3; i++) {
      for (const path of ['/readyz', '/v1/ocr/usage', `/v1/ocr/jobs/${sent.json.jobId}`]) {
        const refused = await call(`${api.url}${path}`, { headers });
        expect(refused.json.error, path).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', retryable: true });
        expect(refused.headers['retry-after'], path).toBe('5');
      }
      const refused = await clientAt(api, own).submit(REPORT, ASYNC);
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
      for (const { url } of [...apis, worker]) expect((await call(`${url}/healthz`)).status).toBe(200);
    }
    await fleet.postgres.start();
    await until(async () => (await call(`${api.url}/readyz`)).status === 200, 'the service to be ready again');
    expect((await clientAt(api, own).waitForJob(sent.json.jobId)).json.status).toBe('completed');
  });

  test('a stop signal → every process ends with 0', async () => {
    for (const role of ['api', 'worker'] as const) expect(await (await fleet.serve(role)).stop()).toBe(0);
  });
});

describeWithPostgres('a new database', () => {
  test('without tables → commands say how to make them; a service waits for them', async () => {
    const fleet = await startOwnFleet();
    const refused = await fleet.run('admin', 'orgs', 'list');
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('has no tables of this service\nCreate or upgrade its tables: ocr admin migrate');
    const starting = fleet.serve('all');
    const { from, to } = JSON.parse(await fleet.admin('migrate', '--json'));
    expect(from).toBe(0);
    expect(JSON.parse(await fleet.admin('migrate', '--json'))).toEqual({ from: to, to });
    const serving = await starting;
    const { key } = await fleet.createOrganisation('STARTER');
    const answer = await clientAt(serving, key).submit(REPORT, { args: { pages: '1' } });
    expect(answer.status).toBe(200);
  });

  test('a secret in a directory that is not there → made by the import; where it cannot be → an error with its path', async () => {
    const fleet = await startOwnFleet();
    await fleet.admin('migrate');
    const { home } = fleet;
    await runCli(['admin', 'orgs', 'create', '--name', 'Alder'], { home });
    const secret = randomBytes(32);
    writeFileSync(join(home.dataDir, 'secret'), secret);
    writeFileSync(join(home.dir, 'file'), '');
    const run = (path: string, ...words: string[]) =>
      runCli(words, { home, env: { OCR_SERVE_DATABASE_URL: fleet.databaseUrl, OCR_SERVE_SECRET_FILE: path } });
    const unusable = join(home.dir, 'file', 'secret');
    for (const words of [
      ['admin', 'import', home.dataDir],
      ['serve', '--port', '0', '--data-dir', join(home.dir, 'other')],
    ]) {
      const refused = await run(unusable, ...words);
      expect(refused.exitCode, refused.stderr).toBe(2);
      expect(refused.stderr).toContain(`Cannot use the secret ${unusable}: not a directory`);
    }
    const path = join(home.dir, 'etc', 'ocr', 'secret');
    const imported = await run(path, 'admin', 'import', home.dataDir);
    expect(imported.exitCode, imported.stderr).toBe(0);
    expect(readFileSync(path)).toEqual(secret);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  });

  test('a backup → refused, because a database has means of its own', async () => {
    const fleet = await startOwnFleet();
    await fleet.admin('migrate');
    const refused = await fleet.run('admin', 'backup', 'copy');
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('pg_dump');
  });
});
