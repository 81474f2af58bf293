import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listAudit } from '../../dist/store/audit.js';
import { openStore } from '../../dist/store/sqlite/open-store.js';
import { call } from '../contract/support/http.js';
import { FORM_HEADERS } from '../contract/support/portal.js';
import { createLocalHome, readService } from '../support/local-service.js';
import { runInProcess } from '../support/run-in-process.js';
import type { TemporaryHome } from '../support/temporary-home.js';

async function enter(link: string) {
  const [url = '', token = ''] = link.split('#');
  return await call(url, { method: 'POST', headers: FORM_HEADERS, body: new URLSearchParams({ token }).toString() });
}

async function auditOf(home: TemporaryHome) {
  const store = await openStore(join(home.dataDir, 'ocr.db'));
  onTestFinished(() => store.close());
  return await listAudit(store, { limit: 20 });
}

test('ocr portal → starts the service and prints a link, which opens the portal of this machine', async () => {
  const home = createLocalHome();
  const { stdout, exitCode } = await runInProcess(['portal', '--json'], { home });
  expect(exitCode).toBe(0);
  const { url } = JSON.parse(stdout);
  expect((await enter(url)).status).toBe(303);
  expect((await auditOf(home)).map(({ action }) => action)).toEqual(['portal.enter', 'portal.link']);
});

test('ocr portal where a shared database is set → the portal of this machine all the same', async () => {
  const home = createLocalHome({ OCR_SERVE_DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
  const { stdout, stderr, exitCode } = await runInProcess(['portal', '--json'], { home });
  expect(exitCode, stderr).toBe(0);
  expect((await enter(JSON.parse(stdout).url)).status).toBe(303);
});

test.each([
  ['--base-url', ['--base-url', 'https://ocr.example'], {}],
  ['OCR_BASE_URL', [], { OCR_BASE_URL: 'https://ocr.example' }],
])(
  'ocr portal with the address of another service, from %s → refused, and no service is started',
  async (_, words, env) => {
    const home = createLocalHome(env);
    const { exitCode, stdout, stderr } = await runInProcess(['portal', ...words], { home });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('which is not at https://ocr.example');
    expect(stderr).toContain('ocr admin portal');
    expect(existsSync(home.dataDir)).toBe(false);
  },
);

test('ocr portal with the address of the service on this machine → its link', async () => {
  const home = createLocalHome();
  await runInProcess(['local', 'start'], { home });
  const { url } = readService(home);
  for (const baseUrl of [url, url.replace('127.0.0.1', 'localhost')]) {
    const { stdout } = await runInProcess(['portal', '--json', '--base-url', baseUrl], { home });
    expect(JSON.parse(stdout).url).toContain(`${url}/portal/enter#`);
  }
});

test('ocr admin portal without its organisation, or with one for an operator → an error that says what to type', async () => {
  const home = createLocalHome();
  await runInProcess(['admin', 'orgs', 'create', '--name', 'Alder'], { home });
  const none = await runInProcess(['admin', 'portal'], { home });
  expect(none.stderr).toContain('An organisation is missing');
  expect(none.stderr).toContain('ocr admin portal --role operator');
  const both = await runInProcess(['admin', 'portal', '--org', 'Alder', '--role', 'support'], { home });
  expect(both.stderr).toContain('--org and --role support cannot be given together');
});

test('ocr admin portal with a public address, no service → a link there', async () => {
  const home = createLocalHome({ OCR_SERVE_PUBLIC_URL: 'https://ocr.example' });
  await runInProcess(['admin', 'orgs', 'create', '--name', 'Alder'], { home });
  const { stdout } = await runInProcess(['admin', 'portal', '--org', 'Alder', '--name', 'Ada', '--json'], { home });
  expect(JSON.parse(stdout).url).toMatch(/^https:\/\/ocr\.example\/portal\/enter#[\w-]{43}$/);
});

test('a public address on plain http of another machine → refused, with the reason', async () => {
  const home = createLocalHome({ OCR_SERVE_PUBLIC_URL: 'http://ocr.example' });
  const { stderr } = await runInProcess(['admin', 'orgs', 'create', '--name', 'Alder'], { home });
  expect(stderr).toContain('publicUrl from environment OCR_SERVE_PUBLIC_URL: expected https://');
});

test('changes by ocr admin → rows of the audit log with user, action and id; looks → none', async () => {
  const home = createLocalHome();
  const admin = async (...args: string[]) => {
    const { stdout } = await runInProcess(['admin', ...args, '--json'], { home });
    return JSON.parse(stdout);
  };
  const { orgId } = await admin('orgs', 'create', '--name', 'Alder');
  await admin('orgs', 'rename', orgId, 'Alder Vale');
  const { keyId } = await admin('keys', 'create', '--org', orgId);
  await admin('keys', 'list');
  await admin('keys', 'revoke', keyId);
  await admin('plans', 'create', 'LARGE', '--from', 'BUSINESS');
  await admin('plans', 'delete', 'LARGE');
  await admin('portal', '--role', 'operator');
  await admin('orgs', 'delete', orgId, '--yes');
  const rows = await auditOf(home);
  expect(rows.reverse().map(({ action, subjectId }) => [action, subjectId])).toEqual([
    ['organisation.create', orgId],
    ['organisation.update', orgId],
    ['key.create', keyId],
    ['key.revoke', keyId],
    ['plan.create', 'LARGE'],
    ['plan.delete', 'LARGE'],
    ['portal.link', expect.stringMatching(/^inv_/)],
    ['organisation.delete', orgId],
  ]);
  expect(new Set(rows.map(({ role }) => role))).toEqual(new Set(['operator']));
});
