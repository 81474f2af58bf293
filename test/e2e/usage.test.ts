import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../fixtures/manifest.js';
import { failure, startContractServer } from '../support/contract-server.js';
import { runInProcess } from '../support/run-in-process.js';
import { type Serving, startServe } from '../support/serve.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';

let service: TemporaryHome;
let client: TemporaryHome;
let serving: Serving;
beforeAll(async () => {
  [service, client] = [createHome(), createHome()];
  serving = await startServe(service, ['--port', '0'], { OCR_SERVE_KEY_CACHE_MS: '1' });
  const key = readFileSync(join(service.dataDir, 'api-key'), 'utf8').trim();
  Object.assign(client.env, { OCR_BASE_URL: serving.url, OCR_API_KEY: key });
});
afterAll(async () => {
  await serving.stop();
  for (const home of [service, client]) home.remove();
});

test('usage → the plan and what is used of it, as text and as JSON', async () => {
  await runInProcess(['extract', examples.report.path], { home: client });
  const json = await runInProcess(['usage', '--json'], { home: client });
  expect(json.exitCode, json.stderr + json.stdout).toBe(0);
  const usage = JSON.parse(json.stdout);
  expect(usage).toMatchObject({
    plan: 'ENTERPRISE',
    subscription: 'active',
    documents: { used: 1, limit: null, left: null },
    rate: { windowMs: 60_000 },
  });
  const text = await runInProcess(['usage'], { home: client });
  expect(text).toMatchObject({ exitCode: 0, stderr: '' });
  expect(text.stdout).toContain('Plan\tENTERPRISE\nSubscription\tactive\n');
  expect(text.stdout).toContain(`Period\t${usage.period.start} to ${usage.period.end}\n`);
  expect(text.stdout).toContain('Documents\t1\nLeft\tno limit\nRate\t1000000 calls in 60 s\n');
});

test('a limit → what is left of it; another plan → seen at the next call', async () => {
  const admin = (line: string) => runInProcess(['admin', ...line.split(' '), '--json'], { home: service });
  const { orgId } = JSON.parse((await admin('orgs create --name A --plan STARTER')).stdout);
  const { key } = JSON.parse((await admin(`keys create --org ${orgId}`)).stdout);
  const run = await runInProcess(['usage'], { home: client, env: { OCR_API_KEY: key } });
  expect(run.stdout).toContain('Organisation\tA\nPlan\tSTARTER\n');
  expect(run.stdout).toContain('Documents\t0 of 1000\nLeft\t1000\nRate\t60 calls in 60 s\n');
});

test('auth status → organisation, plan and documents; 4 where the next document would be refused', async () => {
  const admin = (line: string) => runInProcess(['admin', ...line.split(' '), '--json'], { home: service });
  const { orgId } = JSON.parse((await admin('orgs create --name Bindery --plan BUSINESS')).stdout);
  const { key } = JSON.parse((await admin(`keys create --org ${orgId}`)).stdout);
  const status = (...more: string[]) =>
    runInProcess(['auth', 'status', ...more], { home: client, env: { OCR_API_KEY: key } });
  await admin('plans set BUSINESS --documents-per-period 2');
  const fresh = await status();
  expect(fresh).toMatchObject({ exitCode: 0, stderr: '' });
  expect(fresh.stdout).toContain(
    'Organisation\tBindery\nPlan\tBUSINESS\nSubscription\tactive\nDocuments\t0 of 2 used, 2 left\n',
  );

  await runInProcess(['extract', examples.report.path], { home: client, env: { OCR_API_KEY: key } });
  await admin('plans set BUSINESS --documents-per-period 1');
  const used = await status('--json');
  expect(used.exitCode).toBe(4);
  expect(JSON.parse(used.stdout)).toMatchObject({
    accepted: true,
    organisation: 'Bindery',
    plan: 'BUSINESS',
    subscription: 'active',
    documents: { used: 1, limit: 1, left: 0 },
    error: { code: 'QUOTA_EXCEEDED' },
  });
  expect((await status()).stderr).toContain('All documents of this period are used');
  await admin(`orgs update ${orgId} --subscription suspended`);
  const suspended = await status('--json');
  expect(suspended.exitCode).toBe(4);
  expect(JSON.parse(suspended.stdout)).toMatchObject({
    subscription: 'suspended',
    error: { code: 'PAYMENT_REQUIRED' },
  });
});

test('a service without this addition → 2, and only its catalog is asked for', async () => {
  const server = await startContractServer();
  try {
    const run = await runInProcess(['usage'], { home: client, env: server.env });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: 'ocr: this service cannot say what was used\n' });
    expect(server.calls.map(({ path }) => path)).toEqual(['/v1/ocr/functions']);
    const json = await runInProcess(['usage', '--json'], { home: client, env: server.env });
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'UNSUPPORTED' } });
    server.script.catalog = [failure(401, 'UNAUTHORIZED', 'No such key', false)];
    expect((await runInProcess(['usage'], { home: client, env: server.env })).exitCode).toBe(4);
  } finally {
    await server.close();
  }
});
