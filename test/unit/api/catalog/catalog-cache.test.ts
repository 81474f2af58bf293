import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCatalogCache } from '../../../../src/api/catalog/catalog-cache.js';
import { createClient } from '../../../../src/api/client.js';
import {
  type ContractServer,
  failure,
  startContractServer,
  TEXT_EXTRACTION,
} from '../../../support/contract-server.js';

let dir: string;
let server: ContractServer;
let said: string[];
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ocr-catalog-'));
  server = await startContractServer();
  said = [];
});
afterEach(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

const directory = () => join(dir, 'catalogs');
const openCache = () =>
  openCatalogCache(
    async () => directory(),
    (message) => said.push(message),
    Date.now,
  );

async function getCatalog({ apiKey = server.apiKey, isBestEffort = false } = {}) {
  const client = createClient({
    locate: async () => ({ baseUrl: server.baseUrl, apiKey, serverId: server.baseUrl }),
    env: {},
    timeoutMs: 5_000,
    userAgent: 'ocr/test',
    signal: new AbortController().signal,
    debug: (message) => said.push(message),
    clock: { now: () => Date.now(), monotonicMs: () => performance.now(), sleep: async () => {} },
    catalogCache: openCache(),
  });
  try {
    return (await client.getCatalog({ isBestEffort })).map(({ id }) => id);
  } finally {
    await client.close();
  }
}
const tagged = (etag: string, id = 'KEPT') => ({
  headers: { etag },
  body: { functions: [{ ...TEXT_EXTRACTION, id }] },
});
const unchanged = { status: 304, body: '' };
const asked = () => server.calls.map(({ headers }) => headers['if-none-match']);

test('a cached catalog → the next request carries its ETag; 304 → the cached catalog', async () => {
  server.script.catalog = [tagged('"1"'), unchanged, tagged('W/"2"', 'NEWER'), unchanged];
  expect(await getCatalog()).toEqual(['KEPT']);
  expect(await getCatalog()).toEqual(['KEPT']);
  expect(await getCatalog()).toEqual(['NEWER']);
  expect(await getCatalog()).toEqual(['NEWER']);
  expect(asked()).toEqual([undefined, '"1"', '"1"', 'W/"2"']);
});

test('the cache → a file of mode 0600 in a directory of 0700, without the API key', async () => {
  server.script.catalog = [tagged('"1"')];
  await getCatalog();
  expect(statSync(directory()).mode & 0o777).toBe(0o700);
  const [name = '', ...more] = readdirSync(directory());
  expect(more).toEqual([]);
  expect(statSync(join(directory(), name)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(directory(), name), 'utf8')).not.toContain(server.apiKey);
});

test('two API keys → a catalog in the cache for each', async () => {
  server.script.catalog = [tagged('"1"'), tagged('"1"', 'OTHER'), unchanged];
  expect(await getCatalog()).toEqual(['KEPT']);
  expect(await getCatalog({ apiKey: 'another' })).toEqual(['OTHER']);
  expect(await getCatalog()).toEqual(['KEPT']);
  expect(asked()).toEqual([undefined, undefined, '"1"']);
});

test.each([
  ['cut', '{"etag":"\\"1\\"","te'],
  ['of another form', '[]'],
  ['without a text', '{"etag":"x"}'],
  ['with a text that is no catalog', '{"etag":"x","text":"<html>"}'],
  ['empty', ''],
])('a cache file that is %s → ignored and replaced', async (_, content) => {
  server.script.catalog = [tagged('"1"'), tagged('"1"', 'AGAIN'), unchanged];
  await getCatalog();
  const path = join(directory(), readdirSync(directory())[0] ?? '');
  writeFileSync(path, content);
  expect(await getCatalog()).toEqual(['AGAIN']);
  expect(await getCatalog()).toEqual(['AGAIN']);
  expect(asked()).toEqual([undefined, undefined, '"1"']);
});

test('a failed request → checks use the cached catalog of the same key; a list fails', async () => {
  server.script.catalog = [
    { body: [TEXT_EXTRACTION] },
    failure(500, 'INTERNAL', 'Oops', false),
    failure(500, 'INTERNAL', 'Oops', false),
  ];
  await getCatalog();
  expect(await getCatalog({ isBestEffort: true })).toEqual(['TEXT_EXTRACTION']);
  expect(said.join('\n')).toContain('the catalog of an earlier command is used: Oops');
  await expect(getCatalog()).rejects.toMatchObject({ code: 'INTERNAL' });
  await expect(getCatalog({ apiKey: 'another', isBestEffort: true })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

test('a cache directory that cannot be written → the catalog, and a line of --debug', async () => {
  writeFileSync(directory(), 'a file in its place');
  expect(await getCatalog()).toEqual(['TEXT_EXTRACTION']);
  expect(said.join('\n')).toContain('the catalog is not kept');
});

test('a cache file that was not used for 90 days → removed', async () => {
  await getCatalog();
  const old = join(directory(), readdirSync(directory())[0] ?? '');
  const longAgo = Date.now() / 1000 - 91 * 86_400;
  utimesSync(old, longAgo, longAgo);
  await openCache().write({ baseUrl: 'http://h', apiKey: 'k', serverId: 'h' }, { etag: undefined, text: '[]' });
  expect(existsSync(old)).toBe(false);
  expect(readdirSync(directory())).toHaveLength(1);
});
