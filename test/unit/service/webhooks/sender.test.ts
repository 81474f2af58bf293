import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createId } from '../../../../src/contract/identifiers.js';
import type { Administration } from '../../../../src/service/administration/open.js';
import { addEndpoint } from '../../../../src/service/administration/webhooks.js';
import { loadServiceConfig } from '../../../../src/service/config/service-config.js';
import { openSecretBox } from '../../../../src/service/secrets/secret-box.js';
import type { ResolveHost } from '../../../../src/service/webhooks/resolve-host.js';
import { startWebhookSender, type WebhookSender } from '../../../../src/service/webhooks/sender.js';
import { openSigningSecrets } from '../../../../src/service/webhooks/signing-secrets.js';
import { createSlots } from '../../../../src/service/webhooks/slots.js';
import { openStore } from '../../../../src/store/sqlite/open-store.js';
import type { Store } from '../../../../src/store/store.js';
import { run } from '../../../../src/store/unit.js';
import { listAttempts, listDeliveries } from '../../../../src/store/webhook-deliveries.js';
import { recordEvent } from '../../../../src/store/webhooks.js';

/** On every address of this machine; speaks no TLS, so that every delivery to it fails after it was counted. */
let server: Server;
let port: number;
let connections = 0;
beforeAll(async () => {
  server = createServer((socket) => {
    connections++;
    socket.on('error', () => {}).destroy();
  });
  await new Promise<void>((resolve) => server.listen({ host: '::', port: 0 }, resolve));
  port = (server.address() as { port: number }).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

let directory: string;
let store: Store;
let sender: WebhookSender | undefined;
const organisationId = createId('org');

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-sender-test-'));
  store = await openStore(join(directory, 'ocr.db'));
  await store.write(() =>
    run(`INSERT INTO organisation (id, name, created_at, plan) VALUES (:organisationId, 'Test', 0, 'BUSINESS')`, {
      organisationId,
    }),
  );
});
afterEach(async () => {
  await sender?.stop();
  sender = undefined;
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const PUBLIC: ResolveHost = async () => [{ address: '1.1.1.1', family: 4 }];
const LOOPBACK: ResolveHost = async () => [{ address: '127.0.0.1', family: 4 }];

function administration(env: Record<string, string> = {}): Administration {
  const { config } = loadServiceConfig({ flags: { dataDir: directory }, env });
  return { store, config, openBox: () => openSecretBox(directory) };
}

async function start(resolve: ResolveHost, env: Record<string, string> = {}): Promise<WebhookSender> {
  const { config } = administration({ OCR_SERVE_WEBHOOK_RETRY_DELAYS_MS: '10,10,10,10,10', ...env });
  const box = await openSecretBox(directory);
  sender = await startWebhookSender({ store, box, config, version: '0', log: pino({ level: 'silent' }), resolve });
  return sender;
}

const register = (host: string, resolve = PUBLIC) =>
  addEndpoint(administration(), { orgId: organisationId, url: `https://${host}:${port}/`, events: [] }, resolve);
const record = () =>
  store.write(() =>
    recordEvent(
      organisationId,
      { requestId: 'req_1', function: 'TEXT_EXTRACTION', status: 'completed', pageCount: 1 },
      Date.now(),
    ),
  );
const statusOf = async (endpointId: string) => (await listDeliveries(store, { endpointId, limit: 1 }))[0]?.status;

test('a name that becomes private → checked before every attempt and refused', async () => {
  const { endpointId } = await register('rebinding.example');
  await record();
  const before = connections;
  let asked = 0;
  await start(async (name, signal) => (asked++ === 2 ? [] : await LOOPBACK(name, signal)));
  await expect.poll(() => statusOf(endpointId)).toBe('dead');
  expect(asked).toBe(6);
  expect(connections - before).toBe(0);
  const [delivery] = await listDeliveries(store, { limit: 1 });
  const errors = (await listAttempts(store, delivery?.id ?? '')).map(({ error }) => error);
  expect(errors).toHaveLength(6);
  expect(errors[0]).toBe('rebinding.example resolves to 127.0.0.1, which is not a public address');
  expect(errors[2]).toBe('rebinding.example has no address');
  await expect(register('rebinding.example', LOOPBACK)).rejects.toMatchObject({ code: 'WEBHOOK_REFUSED' });
});

test('an allowed range → one connection per attempt, to the checked address', async () => {
  const { endpointId } = await register('intranet.example');
  await record();
  const before = connections;
  await start(LOOPBACK, { OCR_SERVE_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
  await expect.poll(() => statusOf(endpointId)).toBe('dead');
  expect(connections - before).toBe(6);
});

test('a name server that never answers → other endpoints are not delayed', async () => {
  const [stuck, other] = [await register('stuck.example'), await register('other.example')];
  for (let i = 0; i < 20; i++) await record();
  let waiting = 0;
  await start(
    (name, signal) =>
      name === 'other.example'
        ? LOOPBACK(name, signal)
        : new Promise((_, reject) => {
            waiting++;
            signal.addEventListener('abort', () => reject(signal.reason));
          }),
    { OCR_SERVE_WEBHOOK_TIMEOUT_MS: '2s' },
  );
  const deadOf = async (endpointId: string) =>
    (await listDeliveries(store, { endpointId, status: 'dead', limit: 100 })).length;
  await expect.poll(() => deadOf(other.endpointId)).toBe(20);
  expect(await deadOf(stuck.endpointId)).toBe(0);
  expect(waiting).toBeGreaterThan(0);
  await expect
    .poll(async () => {
      const deliveries = await listDeliveries(store, { endpointId: stuck.endpointId, limit: 100 });
      const attempts = await Promise.all(deliveries.map(({ id }) => listAttempts(store, id)));
      return attempts.flat().at(0)?.error;
    })
    .toBe('no answer within 2000 ms');
});

test('more endpoints than slots → each is served before one is served twice', async () => {
  const organisation = (n: number) => `org_${String(Math.floor(n / 10)).padStart(2, '0')}`;
  await store.write(function* () {
    for (let n = 0; n < 300; n++) {
      if (n % 10 === 0)
        yield* run(`INSERT INTO organisation (id, name, created_at, plan) VALUES (:id, '', 0, 'BUSINESS')`, {
          id: organisation(n),
        });
      yield* run(
        `INSERT INTO webhook_endpoint (id, organisation_id, url, events, secret, created_at)
         VALUES (:id, :organisationId, :url, 'document.processed', '', 0)`,
        { id: `whe_${1000 + n}`, organisationId: organisation(n), url: `https://${n}.example/` },
      );
    }
    const event = { requestId: 'req_1', function: 'TEXT_EXTRACTION', status: 'completed', pageCount: 1 } as const;
    for (let n = 0; n < 300; n += 10) yield* recordEvent(organisation(n), event, Date.now());
  });
  const asked: string[] = [];
  let answer = () => {};
  const answered = new Promise<never[]>((resolve) => {
    answer = () => resolve([]);
  });
  await start(
    (name) => {
      asked.push(name);
      return answered;
    },
    { OCR_SERVE_WEBHOOK_RETRY_DELAYS_MS: '1,1,1,1,1' },
  );
  await expect.poll(() => asked.length).toBe(256);
  answer();
  await expect.poll(() => asked.length).toBeGreaterThan(300);
  expect(new Set(asked.slice(0, 300)).size).toBe(300);
});

test('a delivery of another process → sent without a wake', async () => {
  const { endpointId } = await register('late.example');
  await start(LOOPBACK);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await record();
  await expect.poll(() => statusOf(endpointId)).toBe('dead');
});

test('slots → 256 in all, 8 per endpoint, 1 while half are taken', () => {
  const of = (endpointId: string) => ({ endpointId, organisationId: `org of ${endpointId}` });
  const slots = createSlots();
  expect(slots.freeFor(of('a'))).toBe(8);
  for (let i = 0; i < 8; i++) slots.take(of('a'));
  expect([slots.freeFor(of('a')), slots.freeFor(of('b'))]).toEqual([0, 8]);
  const plan = slots.plan();
  for (let i = 0; i < 15; i++) plan.take(of(`slow ${i}`), 8);
  expect([plan.freeFor(of('b')), plan.isFull()]).toEqual([1, false]);
  for (let i = 0; i < 128; i++) plan.take(of(`slower ${i}`));
  expect([plan.freeFor(of('b')), plan.isFull()]).toEqual([0, true]);
  expect(slots.freeFor(of('b'))).toBe(8);
  for (let i = 0; i < 8; i++) slots.free(of('a'));
  expect(slots.freeFor(of('a'))).toBe(8);
});

test('an organisation with many slow endpoints → 64 slots, and 8 for the endpoint of another one', () => {
  const of = (endpointId: string, organisationId: string) => ({ endpointId, organisationId });
  const slots = createSlots();
  for (let i = 0; i < 8; i++) slots.take(of(`slow ${i}`, 'greedy'), 8);
  expect(slots.freeFor(of('slow 8', 'greedy'))).toBe(0);
  expect(slots.freeFor(of('other', 'small'))).toBe(8);
  slots.free(of('slow 0', 'greedy'));
  expect(slots.plan().freeFor(of('slow 8', 'greedy'))).toBe(1);
});

test('the previous secret → signs until its time', () => {
  const sealed = { endpointId: 'whe_1', secret: 'new', previousSecret: 'old', previousSecretUntilMs: 1_000 };
  const open = (text: string) => `whsec_${text}`;
  expect(openSigningSecrets(sealed, open, 999)).toEqual(['whsec_new', 'whsec_old']);
  for (const nowMs of [1_000, 1_001, 1_000_000]) expect(openSigningSecrets(sealed, open, nowMs)).toEqual(['whsec_new']);
  expect(openSigningSecrets({ ...sealed, previousSecret: null }, open, 0)).toEqual(['whsec_new']);
});

test('a secret sealed with another key → named as the error of the attempt', async () => {
  const { endpointId } = await register('moved.example');
  rmSync(join(directory, 'secret'));
  await record();
  const before = connections;
  await start(LOOPBACK, { OCR_SERVE_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
  await expect.poll(() => statusOf(endpointId)).toBe('dead');
  const [delivery] = await listDeliveries(store, { limit: 1 });
  expect((await listAttempts(store, delivery?.id ?? ''))[0]?.error).toMatch(/sealed with another key/);
  expect(connections - before).toBe(0);
});
