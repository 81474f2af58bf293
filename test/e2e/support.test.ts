import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../contract/support/running-service.js';
import { examples } from '../fixtures/manifest.js';
import { runInProcess, startInProcess } from '../support/run-in-process.js';
import { type Serving, startServe } from '../support/serve.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

/** A service, the machine of its help desk, and a customer's. */
let service: TemporaryHome;
let [desk, customer]: TemporaryHome[] = [];
let serving: Serving;
let library: { orgId: string; key: string; keyId: string } | undefined;

const admin = (...args: string[]) => runInProcess(['admin', ...args], { home: service });
// biome-ignore lint/suspicious/noExplicitAny: what is printed is held against its schema by runInProcess
const adminJson = async (...args: string[]): Promise<any> => {
  const run = await admin(...args, '--json');
  expect(run.exitCode, run.stderr + run.stdout).toBe(0);
  return JSON.parse(run.stdout);
};

async function addOrganisation(name: string, plan: string) {
  const { orgId } = await adminJson('orgs', 'create', '--name', name, '--plan', plan);
  const { key, keyId } = await adminJson('keys', 'create', '--org', name, '--name', 'scan station');
  return { orgId: orgId as string, key: key as string, keyId: keyId as string };
}

beforeAll(async () => {
  service = createHome();
  serving = await startServe(service, ['--port', '0'], { OCR_SERVE_KEY_CACHE_MS: '50' });
  [desk, customer] = [createHome(), createHome()];
  library = await addOrganisation('Alder Vale Library', 'BUSINESS');
  Object.assign(customer.env, { OCR_BASE_URL: serving.url, OCR_API_KEY: library.key });
  const { key } = await adminJson('keys', 'create', '--support', '--name', 'help desk');
  const login = ['auth', 'login', '--with-token', '--profile', 'support', '--base-url', serving.url];
  const stored = await runInProcess(login, { home: desk, input: `${key}\n` });
  expect(stored.exitCode, stored.stderr).toBe(0);
});
afterAll(async () => {
  await serving.stop();
  for (const home of [service, desk, customer]) home?.remove();
});

const atDesk = (...args: string[]) => runInProcess([...args, '--profile', 'support'], { home: desk as TemporaryHome });
const atCustomer = (...args: string[]) => runInProcess(args, { home: customer as TemporaryHome });
let documents = 0;
/** Sends a document that no earlier result answers. */
const send = async (...args: string[]) => {
  const path = join((customer as TemporaryHome).dir, `report-${++documents}.pdf`);
  writeFileSync(path, `${readFileSync(examples.report.path, 'latin1')}\n% ${documents}`, 'latin1');
  return JSON.parse((await atCustomer('extract', '--json', path, ...args)).stdout);
};
/** Adds an organisation that no other test uses. */
const addOwn = async (plan = 'STARTER') => {
  const name = `Organisation ${++documents}`;
  return { name, ...(await addOrganisation(name, plan)) };
};

test('a requestId of a customer → the card, from any machine, by its beginning too', async () => {
  const sent = await send();
  for (const id of [sent.requestId, sent.requestId.slice(0, -2).toLowerCase()]) {
    const run = await atDesk('requests', 'get', id, '--json');
    expect(run.exitCode, run.stdout).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      requestId: sent.requestId,
      source: 'service',
      organisation: { id: library?.orgId, name: 'Alder Vale Library' },
      input: { name: expect.stringMatching(/^report-\d+\.pdf$/) },
      status: 'completed',
      next: null,
    });
  }
  const text = await atDesk('requests', 'get', sent.requestId);
  expect(text.stdout).toContain(`Organisation\tAlder Vale Library (${library?.orgId})\n`);
  const redacted = await atDesk('requests', 'get', sent.requestId, '--redact', '--json');
  expect(redacted.stdout).not.toContain('Alder Vale');
  // A support key reads no results.
  expect(JSON.parse(redacted.stdout)).toMatchObject({ status: 'completed', next: null });
});

test('a requestId on the machine that sent it → its record; with the support profile, what the service knows', async () => {
  const sent = await send('--no-wait');
  const own = await atCustomer('requests', 'get', sent.requestId, '--json');
  expect(JSON.parse(own.stdout)).toMatchObject({ source: 'ledger', command: 'ocr extract' });
  const there = { ...desk, env: { ...desk?.env, OCR_STATE_DIR: customer?.stateDir } } as TemporaryHome;
  const asSupport = ['requests', 'get', sent.requestId, '--json', '--profile', 'support'];
  const known = await runInProcess(asSupport, { home: there });
  const organisation = { id: library?.orgId, name: 'Alder Vale Library' };
  expect(JSON.parse(known.stdout)).toMatchObject({ source: 'service', organisation, jobId: sent.jobId });
});

test('a job of a customer → its state, not its result; sending and deleting → 4', async () => {
  const sent = await send('--no-wait');
  await atCustomer('jobs', 'wait', sent.jobId);
  const job = await atDesk('jobs', 'get', sent.jobId, '--json');
  expect(JSON.parse(job.stdout)).toMatchObject({ jobId: sent.jobId, status: 'completed' });
  expect(job.stdout).not.toContain('"result"');
  const result = await atDesk('jobs', 'result', sent.jobId);
  expect(result).toMatchObject({ exitCode: 4, stdout: '' });
  expect(result.stderr).toContain(`A support key reads no results (FORBIDDEN, ${sent.requestId})\n`);
  expect(result.stderr).toContain(`What it reads: ocr jobs get ${sent.jobId}\n`);
  expect((await atDesk('jobs', 'get', sent.jobId)).stdout).not.toContain('Next\t');
  const extract = await atDesk('extract', examples.report.path);
  expect(extract).toMatchObject({ exitCode: 4, stdout: '' });
  expect(extract.stderr).toContain('What it reads: ocr requests get <requestId>, ocr jobs get <jobId>\n');
  const deletion = await fetch(`${serving.url}/v1/ocr/jobs/${sent.jobId}`, {
    method: 'DELETE',
    headers: { 'x-api-key': readSupportKey() },
  });
  expect(deletion.status).toBe(403);
  const usage = await atDesk('usage');
  expect(usage.exitCode).toBe(0);
  expect(usage.stdout).toMatch(
    /^Key\ta support key: it belongs to no organisation and sends no documents\nRate\t.*\n$/,
  );
});

test('auth status of a support key → says that it is one; 0, for what it may do it can do', async () => {
  const status = await atDesk('auth', 'status');
  expect(status).toMatchObject({ exitCode: 0, stderr: '' });
  expect(status.stdout).toContain('Organisation\tnone: a support key reads requests and jobs, and sends nothing\n');
  const json = JSON.parse((await atDesk('auth', 'status', '--json')).stdout);
  expect(json).toMatchObject({ accepted: true, organisation: null, support: true });
  expect(JSON.parse((await atCustomer('auth', 'status', '--json')).stdout)).toMatchObject({ support: false });
});

function readSupportKey(): string {
  const text = readFileSync(join((desk as TemporaryHome).configDir, 'config.json'), 'utf8');
  return /ocr_live_\w+/.exec(text)?.[0] ?? '';
}

test('each use of a support key → in the log, with the key', async () => {
  const { key, keyId } = await adminJson('keys', 'create', '--support', '--name', 'second desk');
  const listed = (await adminJson('keys', 'list')).find((one: { keyId: string }) => one.keyId === keyId);
  expect(listed).toMatchObject({ orgId: null, orgName: null, name: 'second desk', support: true, status: 'active' });
  const client = createClient(serving.url, key);
  const use = await client.get('/v1/ocr/requests/req_00000000000000000000000000');
  const refused = await client.submit('no document');
  expect([use.status, refused.status]).toEqual([404, 403]);
  const read = async () => await adminJson('requests', 'list', '--key', keyId);
  await until(async () => (await read()).length === 2, 'the uses in the log');
  for (const line of await read()) expect(line).toMatchObject({ keyId, keyName: 'second desk', orgId: null });
  expect((await adminJson('keys', 'revoke', keyId)).status).toBe('revoked');
  await until(async () => (await client.get('/v1/ocr/functions')).status === 401, 'the revocation');
  for (const args of [[], ['--support', '--org', 'Alder Vale Library'], ['--support', '--functions', 'all']])
    expect((await admin('keys', 'create', ...args)).exitCode, args.join(' ')).toBe(2);
});

test('an organisation by its name or id, everywhere in admin', async () => {
  const { name, orgId } = await addOwn();
  for (const org of [name, name.toUpperCase(), orgId, `"${orgId.toLowerCase()}",`]) {
    expect(await adminJson('orgs', 'get', org), org).toMatchObject({ orgId });
    expect(await adminJson('keys', 'list', '--org', org)).toMatchObject([{ orgId, orgName: name, support: false }]);
    for (const list of ['requests', 'jobs', 'webhooks'])
      expect(await adminJson(list, 'list', '--org', org)).toEqual([]);
  }
  const unknown = await admin('keys', 'list', '--org', 'Nowhere');
  expect(unknown).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('There is no organisation Nowhere') });
  const twin = await adminJson('orgs', 'create', '--name', 'Twin');
  const created = await admin('orgs', 'create', '--name', 'twin');
  const other = { orgId: created.stdout.trim() };
  expect(created.stderr).toContain(`2 organisations are called twin now, so commands need their ids: ${other.orgId}`);
  const renamed = await admin('orgs', 'rename', other.orgId, 'twin');
  expect(renamed.stderr).toContain(`${other.orgId}, ${twin.orgId}`);
  expect(await adminJson('orgs', 'get', 'twin')).toMatchObject({ orgId: other.orgId });
  const both = await admin('orgs', 'get', 'TWIN');
  expect(both.exitCode).toBe(2);
  for (const one of [twin, other]) expect(both.stderr).toContain(one.orgId);
  for (const one of [twin, other]) await adminJson('orgs', 'delete', one.orgId, '--yes');
});

test('a plan that nobody has → deleted; one that is in use or built in → 2 with who has it', async () => {
  const { name, orgId } = await addOwn();
  await adminJson('plans', 'create', 'ATTIC', '--from', 'STARTER');
  await adminJson('orgs', 'update', name, '--plan', 'ATTIC');
  const used = await admin('plans', 'delete', 'attic');
  expect(used.exitCode).toBe(2);
  expect(used.stderr).toContain(`1 organisation on the plan ATTIC: ${name} (${orgId})`);
  expect(used.stderr).toContain(`ocr admin orgs update ${orgId} --plan STARTER`);
  await adminJson('orgs', 'update', name, '--plan', 'STARTER');
  expect(await adminJson('plans', 'delete', 'attic')).toEqual({ plan: 'ATTIC', deleted: true });
  expect((await admin('plans', 'get', 'ATTIC')).exitCode).toBe(5);
  expect((await admin('plans', 'delete', 'ATTIC')).exitCode).toBe(5);
  expect((await admin('plans', 'delete', 'TRIAL')).stderr).toContain('is built in');
});

test('admin requests by file and hash, with names; one of them with its job and every attempt of its deliveries', async () => {
  const sent = await send('--no-wait');
  await atCustomer('jobs', 'wait', sent.jobId);
  const posts = (lines: Array<{ method: string; requestId: string }>) =>
    lines.filter(({ method }) => method === 'POST').map(({ requestId }) => requestId);
  expect(posts(await adminJson('requests', 'list', '--file', 'REPORT'))).toContain(sent.requestId);
  expect(await adminJson('requests', 'list', '--file', 'report%')).toEqual([]);
  // An answer from the cache has the file's name too.
  const { name, key } = await addOwn();
  const client = createClient(serving.url, key);
  const report = readFileSync(examples.report.path);
  const ids = [];
  for (const filename of ['Größe 1.pdf', 'Größe 2.pdf'])
    ids.unshift((await client.submit(report, { filename })).json.requestId);
  expect(posts(await adminJson('requests', 'list', '--org', name, '--file', 'Größe'))).toEqual(ids);
  const entry = await adminJson('requests', 'get', sent.requestId.slice(0, -1));
  expect(entry).toMatchObject({
    requestId: sent.requestId,
    orgId: library?.orgId,
    orgName: 'Alder Vale Library',
    keyId: library?.keyId,
    keyName: 'scan station',
    job: { jobId: sent.jobId, status: 'completed', hasResult: true },
    deliveries: [],
  });
  for (const hash of [entry.sha256, `sha256:${entry.sha256.slice(0, 10)}`])
    expect(posts(await adminJson('requests', 'list', '--sha256', hash))).toContain(sent.requestId);
  expect(await adminJson('requests', 'list', '--sha256', '0'.repeat(64))).toEqual([]);
  expect((await admin('requests', 'list', '--sha256', 'xyz')).exitCode).toBe(2);
  const text = (await admin('requests', 'get', sent.requestId)).stdout;
  expect(text).toContain(`Organisation\tAlder Vale Library (${library?.orgId})\n`);
  expect(text).toContain(`Key\tscan station (${library?.keyId}, …${library?.key.slice(-4)})\n`);
  expect((await adminJson('jobs', 'get', sent.jobId.slice(0, -1))).orgName).toBe('Alder Vale Library');
  const ambiguous = await admin('requests', 'get', 'req_0');
  expect(ambiguous).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Several ids begin with req_0: ') });
});

test('admin requests --follow → calls as they are answered; Ctrl-C ends it with 130', async () => {
  const { name, key } = await addOwn();
  const following = startInProcess(['admin', 'requests', '--follow', '--org', name, '--json'], { home: service });
  const client = createClient(serving.url, key);
  const refused = (await client.submit('no document', { filename: 'memo.txt' })).json.error.requestId;
  await until(() => following.stdout.includes(refused), 'the refused call');
  const foreign = createClient(serving.url, library?.key ?? '');
  const others = (await foreign.submit('no document either')).json.error.requestId;
  const next = (await client.submit('no document', { filename: 'next.txt' })).json.error.requestId;
  await until(() => following.stdout.includes(next), 'the next call');
  following.kill('SIGINT');
  const { exitCode, stdout } = await following;
  expect(exitCode).toBe(130);
  expect(stdout).not.toContain(others);
  expect(stdout.match(new RegExp(refused, 'g'))).toHaveLength(1);
});

test('limits of one organisation → in lists and its usage, and they count; another plan keeps them', async () => {
  const { name, key } = await addOwn();
  const client = createClient(serving.url, key);
  const { limits, ownLimits } = await adminJson('orgs', 'update', name, '--documents-per-period', '1');
  expect([limits.documentsPerPeriod, limits.pageCap, ownLimits]).toEqual([1, 100, ['documentsPerPeriod']]);
  await until(async () => (await client.get('/v1/ocr/usage')).json.documents.limit === 1, 'the limit');
  const report = readFileSync(examples.report.path);
  expect((await client.submit(report)).status).toBe(200);
  expect((await client.get('/v1/ocr/usage')).json.documents).toEqual({ used: 1, limit: 1, left: 0 });
  expect((await client.submit(report, { args: { format: 'markdown' } })).json.error).toMatchObject({
    code: 'QUOTA_EXCEEDED',
    message: expect.stringMatching(/^This organisation's own limit allows 1 document in the period/),
  });
  const listed = (await adminJson('orgs', 'list')).find((one: { name: string }) => one.name === name);
  expect(listed).toMatchObject({ limits: { documentsPerPeriod: 1 }, ownLimits: ['documentsPerPeriod'] });
  expect((await admin('orgs')).stdout).toContain('\t1 documents a period\n');
  expect((await adminJson('orgs', 'get', name)).usage).toMatchObject({ documents: 1, limit: 1 });
  await adminJson('plans', 'create', 'schools', '--from', 'STARTER', '--page-cap', '7', '--no-webhooks');
  const moved = await adminJson('orgs', 'update', name, '--plan', 'schools', '--requests-per-window', '9');
  expect(moved).toMatchObject({
    plan: 'SCHOOLS',
    limits: { documentsPerPeriod: 1, pageCap: 7, requestsPerWindow: 9 },
    ownLimits: ['documentsPerPeriod', 'requestsPerWindow'],
  });
  const unlimited = await adminJson('orgs', 'update', name, '--documents-per-period', 'none', '--page-cap', '3');
  expect(unlimited.limits).toMatchObject({ documentsPerPeriod: null, pageCap: 3 });
  const back = await adminJson('orgs', 'update', name, '--documents-per-period', 'plan');
  expect(back).toMatchObject({ limits: { documentsPerPeriod: 1000 }, ownLimits: ['pageCap', 'requestsPerWindow'] });
  expect(await adminJson('orgs', 'update', name, '--reset-limits')).toMatchObject({
    limits: { pageCap: 7, requestsPerWindow: 60 },
    ownLimits: [],
  });
  expect((await admin('orgs', 'update', name)).exitCode).toBe(2);
  expect((await admin('orgs', 'update', name, '--page-cap', 'many')).exitCode).toBe(2);
});

test('a plan of one’s own → the limits of another with changes; a name twice, or a wrong one → 2', async () => {
  const made = await adminJson('plans', 'create', 'MAILROOM', '--from', 'business', '--documents-per-period', '9');
  const { plan, ...business } = await adminJson('plans', 'get', 'BUSINESS');
  expect(made).toEqual({ ...business, plan: 'MAILROOM', documentsPerPeriod: 9 });
  expect(plan).toBe('BUSINESS');
  const names = (await adminJson('plans', 'list')).map((one: { plan: string }) => one.plan);
  expect(names.indexOf('MAILROOM')).toBe(names.indexOf('BUSINESS') + 1);
  for (const args of [['mailroom', '--from', 'STARTER'], ['TWO WORDS', '--from', 'STARTER'], ['X']])
    expect((await admin('plans', 'create', ...args)).exitCode, args.join()).toBe(2);
  expect((await admin('plans', 'create', 'X', '--from', 'NOTHING')).exitCode).toBe(5);
});

test('another name → in every list; deleting → only without active keys, then everything of it is gone', async () => {
  const { name, orgId, key, keyId } = await addOwn();
  const renamed = await adminJson('orgs', 'rename', name, 'Elm Road');
  expect(renamed).toMatchObject({ orgId, name: 'Elm Road' });
  const client = createClient(serving.url, key);
  const sent = (await client.submit(readFileSync(examples.report.path), { headers: { prefer: 'respond-async' } })).json;
  await client.waitForJob(sent.jobId);
  expect(await adminJson('jobs', 'list', '--org', orgId)).toMatchObject([{ jobId: sent.jobId, orgName: 'Elm Road' }]);
  const early = await admin('orgs', 'delete', 'Elm Road', '--yes');
  expect(early.exitCode).toBe(2);
  expect(early.stderr).toContain(`ocr admin keys revoke ${keyId}`);
  await adminJson('keys', 'revoke', keyId);
  const unsure = await admin('orgs', 'delete', 'Elm Road');
  expect(unsure.exitCode).toBe(2);
  expect(unsure.stderr).toContain('--yes');
  expect(await adminJson('orgs', 'get', 'Elm Road')).toMatchObject({ orgId });
  await until(async () => (await client.get('/v1/ocr/functions')).status === 401, 'the revocation');
  expect(await adminJson('orgs', 'delete', 'Elm Road', '--yes')).toEqual({
    orgId,
    name: 'Elm Road',
    deleted: true,
  });
  expect((await admin('orgs', 'get', orgId)).exitCode).toBe(5);
  expect((await admin('jobs', 'get', sent.jobId)).exitCode).toBe(5);
  // The log tells what was called, without a name for whose it was.
  expect(await adminJson('requests', 'get', sent.requestId)).toMatchObject({ orgName: null, keyName: null, job: null });
});
