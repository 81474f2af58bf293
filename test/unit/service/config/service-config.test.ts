import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadServiceConfig, variableOf } from '../../../../src/service/config/service-config.js';

const directory = mkdtempSync(join(tmpdir(), 'ocr-config-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function writeConfig(value: unknown): string {
  const path = join(directory, `${Math.random()}.json`);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

test('no settings → the documented defaults', () => {
  const { config, origins } = loadServiceConfig({ flags: {}, env: { HOME: '/home/x' } });
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 4077,
    inlineMaxPages: 5,
    inlineMaxBytes: 5 * 1024 * 1024,
    inlineTimeoutMs: 25_000,
    maxFileBytes: 50 * 1024 * 1024,
    documentTimeoutMs: 600_000,
    documentIdleTimeoutMs: 60_000,
    documentMemoryBytes: 2 * 1024 ** 3,
    maxPixels: 100_000_000,
    jobLeaseMs: 15_000,
    jobMaxAttempts: 3,
    rateWindowMs: 60_000,
    keyCacheMs: 10_000,
    resultTtlMs: 7 * 86_400_000,
    cacheTtlMs: 86_400_000,
    requestLogTtlMs: 90 * 86_400_000,
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 120_000,
    answerMemoryBytes: 512 * 1024 * 1024,
    minUploadRate: 1024,
    idleExitMs: undefined,
    webhookRetryDelaysMs: [30_000, 120_000, 480_000, 1_920_000, 7_680_000],
    webhookTimeoutMs: 10_000,
    webhookAllowCidrs: [],
  });
  expect(new Set(Object.values(origins))).toEqual(new Set(['default']));
});

test.each([
  ['http://login.example', /expected https:\/\//],
  ['https://login.example/?a=1', /the address of the provider/],
  ['https://user:word@login.example', /the address of the provider/],
  ['login', /the address of the provider/],
])('the issuer %s → refused', (portalOidcIssuer, message) => {
  const env = { OCR_SERVE_PORTAL_OIDC_ISSUER: portalOidcIssuer, OCR_SERVE_PORTAL_OIDC_CLIENT_ID: 'portal' };
  expect(() => loadServiceConfig({ flags: {}, env })).toThrow(message);
});

test('a sign-in provider → https, or on this machine; half of its settings → the one that is missing', () => {
  const load = (env: NodeJS.ProcessEnv) => loadServiceConfig({ flags: {}, env }).config;
  const whole = { OCR_SERVE_PORTAL_OIDC_ISSUER: 'https://login.example/realm', OCR_SERVE_PORTAL_OIDC_CLIENT_ID: 'ocr' };
  expect(load(whole)).toMatchObject({ portalOidcIssuer: 'https://login.example/realm', portalOidcClientId: 'ocr' });
  expect(load({ ...whole, OCR_SERVE_PORTAL_OIDC_ISSUER: 'http://127.0.0.1:9' }).portalOidcIssuer).toBe(
    'http://127.0.0.1:9',
  );
  expect(() => load({ OCR_SERVE_PORTAL_OIDC_ISSUER: 'https://login.example' })).toThrow(
    /portalOidcClientId is missing/,
  );
  expect(() => load({ OCR_SERVE_PORTAL_OIDC_NAME: 'Acme' })).toThrow(/portalOidcIssuer is missing/);
});

test.each([
  ['::1', '::1'],
  ['[::1]', '::1'],
  ['[fe80::1%eth0]', 'fe80::1%eth0'],
  ['0.0.0.0', '0.0.0.0'],
])('the host %s → listens on %s', (host, expected) => {
  expect(loadServiceConfig({ flags: { host }, env: {} }).config.host).toBe(expected);
});

test('flag over variable over file → each value with its origin', () => {
  const configFile = writeConfig({ port: 1, workers: 2, inlineMaxPages: 3, maxFileBytes: '10MiB' });
  const env = { OCR_SERVE_PORT: '4', OCR_SERVE_WORKERS: '5', OCR_SERVE_HOST: '', OCR_SERVE_IDLE_EXIT_MS: '10m' };
  const { config, origins } = loadServiceConfig({ flags: { port: 7, host: undefined }, env, configFile });
  expect(config).toMatchObject({
    port: 7,
    workers: 5,
    inlineMaxPages: 3,
    maxFileBytes: 10_485_760,
    idleExitMs: 600_000,
  });
  expect(origins).toMatchObject({
    port: 'flag --port',
    workers: 'environment OCR_SERVE_WORKERS',
    inlineMaxPages: `file ${configFile}`,
    host: 'default',
  });
});

test('the default data directory → the one of the client', () => {
  expect(loadServiceConfig({ flags: {}, env: { OCR_DATA_DIR: '/somewhere' } }).config.dataDir).toBe('/somewhere');
  const env = { OCR_DATA_DIR: '/somewhere', OCR_SERVE_DATA_DIR: '/else' };
  expect(loadServiceConfig({ flags: {}, env }).config.dataDir).toBe('/else');
});

test.each([
  [
    { OCR_SERVE_PORT: '70000' },
    /port from environment OCR_SERVE_PORT: expected a whole number, 0 to 65535, not "70000"/,
  ],
  [{ OCR_SERVE_WORKERS: '0' }, /workers .*1 or more/],
  [{ OCR_SERVE_MAX_FILE_BYTES: '5 apples' }, /maxFileBytes .*bytes/],
  [{ OCR_SERVE_MAX_FILE_BYTES: '0' }, /maxFileBytes .*1B or more/],
  [{ OCR_SERVE_DOCUMENT_MEMORY_BYTES: '512' }, /documentMemoryBytes .*256MiB or more, not "512"/],
  [{ OCR_SERVE_JOB_LEASE_MS: '1' }, /jobLeaseMs .*at least 1000 ms/],
  [{ OCR_SERVE_INLINE_TIMEOUT_MS: '-1' }, /inlineTimeoutMs .*milliseconds/],
  [{ OCR_SERVE_KEY_CACHE_MS: '61s' }, /keyCacheMs .*at most a minute/],
])('the wrong value of %o → an error with its name and origin', (env, message) => {
  expect(() => loadServiceConfig({ flags: {}, env })).toThrow(message);
});

test('a wrong value → a hint for its origin', () => {
  const configFile = writeConfig({ workers: 0 });
  const load = (sources: object) => () => loadServiceConfig({ flags: {}, env: {}, ...sources });
  const hint = (text: string) => expect.objectContaining({ hint: text });
  expect(load({ flags: { workers: 0 } })).toThrow(hint('ocr serve --help'));
  expect(load({ env: { OCR_SERVE_WORKERS: '0' } })).toThrow(
    hint('Set OCR_SERVE_WORKERS to what is expected, or unset it for the default.'),
  );
  expect(load({ configFile })).toThrow(hint(`Correct it in ${configFile}, or leave it out there for the default.`));
});

test.each([
  ['{', /is not JSON/],
  [[], /not an object/],
  [{ prot: 1 }, /does not exist: prot/],
])('the wrong content %o → an error that names the file', (content, message) => {
  const configFile = writeConfig(content);
  expect(() => loadServiceConfig({ flags: {}, env: {}, configFile })).toThrow(message);
  expect(() => loadServiceConfig({ flags: {}, env: {}, configFile })).toThrow(configFile);
});

test('an unreadable file → the system’s reason; invalid JSON → no content quoted', () => {
  const load = (configFile: string) => () => loadServiceConfig({ flags: {}, env: {}, configFile });
  expect(load('nofile')).toThrow(/^Cannot read the configuration nofile: no such file or directory$/);
  const configFile = writeConfig({});
  writeFileSync(configFile, '{\n  "databaseUrl": "secret" }}\n');
  expect(load(configFile)).toThrow(`The configuration ${configFile} is not JSON (line 2, column 28)`);
});

test('a list → a text in a variable, an array or a text in a file', () => {
  const env = { OCR_SERVE_WEBHOOK_RETRY_DELAYS_MS: '10, 2s,3m', OCR_SERVE_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,fd00::/8' };
  expect(loadServiceConfig({ flags: {}, env })).toMatchObject({
    config: { webhookRetryDelaysMs: [10, 2_000, 180_000], webhookAllowCidrs: ['127.0.0.0/8', 'fd00::/8'] },
    origins: { webhookRetryDelaysMs: 'environment OCR_SERVE_WEBHOOK_RETRY_DELAYS_MS' },
  });
  const configFile = writeConfig({ webhookRetryDelaysMs: [1, '2s'], webhookAllowCidrs: '10.0.0.0/8' });
  expect(loadServiceConfig({ flags: {}, env: {}, configFile })).toMatchObject({
    config: { webhookRetryDelaysMs: [1, 2_000], webhookAllowCidrs: ['10.0.0.0/8'] },
    origins: { webhookAllowCidrs: `file ${configFile}` },
  });
});

test.each([
  [{ OCR_SERVE_WEBHOOK_RETRY_DELAYS_MS: '1,2,3,4,5,6' }, /webhookRetryDelaysMs .*1 to 5 values, not 6/],
  [{ OCR_SERVE_WEBHOOK_RETRY_DELAYS_MS: '1,,2' }, /webhookRetryDelaysMs .*milliseconds/],
  [{ OCR_SERVE_WEBHOOK_ALLOW_CIDRS: '10.0.0.0' }, /webhookAllowCidrs .*ranges such as/],
  [{ OCR_SERVE_WEBHOOK_ALLOW_CIDRS: '10.0.0.0/33' }, /webhookAllowCidrs .*ranges such as/],
  [{ OCR_SERVE_WEBHOOK_ALLOW_CIDRS: 'fe80::1%lo/10' }, /webhookAllowCidrs .*ranges such as/],
  [{ OCR_SERVE_WEBHOOK_ALLOW_CIDRS: 'localhost/8' }, /webhookAllowCidrs .*ranges such as/],
])('the wrong list of %o → an error that names the setting', (env, message) => {
  expect(() => loadServiceConfig({ flags: {}, env })).toThrow(message);
});

test('a secret file without a database → a warning, since the data directory has its own', () => {
  const env = { OCR_SERVE_SECRET_FILE: '/etc/ocr/secret' };
  const warned = loadServiceConfig({ flags: {}, env }).warnings;
  expect(warned).toEqual([expect.stringMatching(/^secretFile from environment OCR_SERVE_SECRET_FILE has no effect/)]);
  const shared = { ...env, OCR_SERVE_DATABASE_URL: 'postgres://ocr@db.example/ocr' };
  expect(loadServiceConfig({ flags: {}, env: shared }).warnings).toEqual([]);
});

test('a setting → its variable', () => {
  expect(variableOf('documentIdleTimeoutMs')).toBe('OCR_SERVE_DOCUMENT_IDLE_TIMEOUT_MS');
});
