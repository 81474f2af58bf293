import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { createPortalLink, type LinkRequest } from '../../../dist/service/administration/portal-links.js';
import { loadServiceConfig, type ServiceConfig } from '../../../dist/service/config/service-config.js';
import { hashToken, mintToken } from '../../../dist/service/secrets/tokens.js';
import { type RunningService, startService } from '../../../dist/service/serve.js';
import { createOrganisation } from '../../../dist/store/access.js';
import { redeemLink } from '../../../dist/store/portal-links.js';
import { openStore } from '../../../dist/store/sqlite/open-store.js';
import type { Store } from '../../../dist/store/store.js';
import { all } from '../../../dist/store/unit.js';
import { describePostgres } from '../../support/stores.js';
import { type Answer, type Call, call, MULTIPART_TYPE, multipart } from './http.js';
import { HOSTILE_PROGRAM } from './running-service.js';

/** A service with its portal, and a handle of its store beside it. */
export interface TestPortal {
  url: string;
  dataDir: string;
  /** Undefined on SQLite. */
  databaseUrl: string | undefined;
  store: Store;
  /** Two organisations that know nothing of each other. */
  alder: string;
  birch: string;
  /** Makes a link and returns its token. */
  link(request: LinkRequest): Promise<string>;
  /** Uses a link up without the door, whose tries are limited. */
  enter(request: LinkRequest): Promise<Visitor>;
  /** Returns the visitor with a cookie. */
  visit(cookie: string): Visitor;
  /** Sends a token from the page of the door. */
  redeem(token: string, more?: Call): Promise<Answer>;
  /** Every row of the tables that portal and administration change, to compare. */
  snapshot(): Promise<string>;
}

/** Somebody with a session. */
export interface Visitor {
  cookie: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a form as the portal's own page does, with its token unless the fields have one. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a form with a file, as the page at `path` has it: with its token and its nonce unless the fields have others. */
  upload(
    path: string,
    file: UploadedFile,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  formToken(): Promise<string>;
}

/** A file of a form; an empty name stands for none chosen. */
interface UploadedFile {
  name: string;
  content: Uint8Array | string;
}

export const FORM_HEADERS = {
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
};

/** Settings of the service, and whether it reads documents. By default it starts no process that could: that takes half a second. */
export interface PortalOptions extends Partial<ServiceConfig> {
  readsDocuments?: boolean;
}

/** Runs a suite against a service on SQLite and one on PostgreSQL, each with its own organisations. */
export function describePortal(
  name: string,
  suite: (portal: () => TestPortal) => void,
  options: PortalOptions = {},
): void {
  describeOnSqlite(name, suite, options);
  describePostgres((_, open, urlOf) => {
    describe(`${name}, PostgreSQL`, () => {
      runSuite(suite, options, open, urlOf);
    });
  });
}

/** Runs a suite against a service on SQLite alone. */
export function describeOnSqlite(
  name: string,
  suite: (portal: () => TestPortal) => void,
  options: PortalOptions = {},
): void {
  describe(`${name}, SQLite`, () => {
    runSuite(suite, options, (dataDir) => openStore(join(dataDir, 'ocr.db')));
  });
}

function runSuite(
  suite: (portal: () => TestPortal) => void,
  { readsDocuments = false, ...config }: PortalOptions,
  open: (dataDir: string) => Promise<Store>,
  urlOf?: () => string,
): void {
  let portal: TestPortal;
  let service: RunningService;
  beforeAll(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'ocr-portal-test-'));
    const databaseUrl = urlOf?.();
    const { config: defaults } = loadServiceConfig({ flags: { port: 0, dataDir, workers: 1, databaseUrl }, env: {} });
    const all = { ...defaults, ...config };
    service = await startService(all, {
      logLevel: 'silent',
      ...(readsDocuments ? {} : { documentProgram: HOSTILE_PROGRAM }),
    });
    const store = await open(dataDir);
    portal = await describeService(service, all, store);
  }, 120_000);
  afterAll(async () => {
    await portal.store.close();
    await service.stop();
    rmSync(portal.dataDir, { recursive: true, force: true });
  });
  suite(() => portal);
}

async function describeService(service: RunningService, config: ServiceConfig, store: Store): Promise<TestPortal> {
  const { url, dataDir } = service;
  const link = async (request: LinkRequest): Promise<string> =>
    (await createPortalLink({ store, config, isDirectoryNamed: true }, request)).url.split('#')[1] ?? '';
  const redeem = (token: string, { headers, ...more }: Call = {}) =>
    call(`${url}/portal/enter`, {
      method: 'POST',
      headers: { ...FORM_HEADERS, ...headers },
      body: new URLSearchParams({ token }).toString(),
      ...more,
    });
  return {
    url,
    dataDir,
    databaseUrl: config.databaseUrl,
    store,
    alder: await createOrganisation(store, 'Alder Vale Library'),
    birch: await createOrganisation(store, 'Birch Archive'),
    link,
    redeem,
    visit: (cookie) => visit(url, cookie),
    enter: async (request) => {
      const token = mintToken();
      await redeemLink(store, hashToken(await link(request)), { hash: hashToken(token) });
      return visit(url, `ocr_session=${token}`);
    },
    snapshot: async () => JSON.stringify(await Promise.all(TABLES.map((table) => readTable(store, table)))),
  };
}

function visit(url: string, cookie: string): Visitor {
  const get = (path: string, headers: Record<string, string> = {}) =>
    call(`${url}/portal${path}`, { headers: { cookie, ...headers } });
  const formToken = async () => /name="formToken" value="([^"]+)"/.exec((await get('/request-logs')).text)?.[1] ?? '';
  return {
    cookie,
    get,
    formToken,
    upload: async (path, { name, content }, fields = {}, headers = {}) => {
      const { text } = await get(path);
      const readField = (field: string) => new RegExp(`name="${field}" value="([^"]+)"`).exec(text)?.[1] ?? '';
      const own = { formToken: readField('formToken'), nonce: readField('nonce'), ...fields };
      const parts = Object.entries(own).map(([field, value]) => ({ name: field, content: value }));
      const file = { name: 'file', filename: name, type: 'application/octet-stream', content };
      return await call(`${url}/portal${path}`, {
        method: 'POST',
        headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': MULTIPART_TYPE, ...headers },
        body: multipart([...parts, file]),
      });
    },
    post: async (path, fields = {}, headers = {}) =>
      await call(`${url}/portal${path}`, {
        method: 'POST',
        headers: { cookie, ...FORM_HEADERS, ...headers },
        body: new URLSearchParams({ formToken: await formToken(), ...fields }).toString(),
      }),
  };
}

const TABLES = [
  'organisation',
  'api_key',
  'webhook_endpoint',
  'webhook_delivery',
  'member',
  'member_identity',
  'portal_link',
  'portal_session',
  'plan',
  'job',
  'audit',
];

/** Reads a table, without the columns that any look at it changes. */
async function readTable(store: Store, table: string): Promise<unknown[]> {
  const rows = await store.read(all<Record<string, unknown>>(`SELECT * FROM ${table}`));
  return rows.map(({ last_used_at: _, seen_at: _seen, ...row }) => JSON.stringify(row)).sort();
}
