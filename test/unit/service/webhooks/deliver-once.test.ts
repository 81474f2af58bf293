import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deliverOnce } from '../../../../src/service/webhooks/deliver-once.js';
import { createDeliveryPoller } from '../../../../src/service/webhooks/delivery-poller.js';
import { createSlots } from '../../../../src/service/webhooks/slots.js';
import { createOrganisation } from '../../../../src/store/access.js';
import { openStore } from '../../../../src/store/sqlite/open-store.js';
import type { Store } from '../../../../src/store/store.js';
import {
  type Attempt,
  type ClaimedDelivery,
  claimDeliveries,
  listAttempts,
  listDeliveries,
} from '../../../../src/store/webhook-deliveries.js';
import { insertEndpoint, recordEvent } from '../../../../src/store/webhooks.js';

const NOW_MS = 1_700_000_000_000;
const LEASE_MS = 70_000;
const log = pino({ level: 'silent' });

let directory: string;
let store: Store;
let deliveryId: string;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-delivery-test-'));
  store = await openStore(join(directory, 'ocr.db'));
  const organisationId = await createOrganisation(store, 'Test');
  await insertEndpoint(store, {
    id: 'whe_1',
    organisationId,
    url: 'https://receiver.example/',
    events: 'document.processed',
    secret: 'sealed',
    previousSecretUntilMs: null,
    createdAtMs: 0,
  });
  const event = { requestId: 'req_1', function: 'TEXT_EXTRACTION', status: 'completed', pageCount: 1 } as const;
  await store.write(() => recordEvent(organisationId, event, NOW_MS));
  deliveryId = (await readDelivery()).id;
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

async function readDelivery() {
  const [delivery] = await listDeliveries(store, { limit: 1 });
  if (delivery === undefined) throw new Error('no delivery');
  return delivery;
}

async function claim(nowMs: number): Promise<ClaimedDelivery> {
  const [delivery] = await claimDeliveries(store, [deliveryId], nowMs, LEASE_MS);
  if (delivery === undefined) throw new Error('nothing is due');
  return delivery;
}

const answered = (status: number): Attempt => ({
  startedAtMs: NOW_MS,
  latencyMs: 5,
  status,
  error: undefined,
  answer: '',
});
const deliver = async (attempt: Attempt | undefined, random = 0.5, nowMs = NOW_MS) =>
  await deliverOnce(await claim(nowMs), {
    store,
    log,
    retryDelaysMs: [30_000, 120_000],
    attempt: async () => attempt,
    now: () => nowMs,
    random: () => random,
  });

test.each([
  [0, 27_000],
  [0.25, 28_500],
  [0.5, 30_000],
  [1, 33_000],
])('a failed attempt at jitter %f → due again after %i ms', async (random, delayMs) => {
  await deliver(answered(500), random);
  expect(await readDelivery()).toMatchObject({ status: 'pending', nextAttemptAtMs: NOW_MS + delayMs });
});

test('the second failed attempt → the second delay; the last one → dead', async () => {
  await deliver(answered(500));
  await deliver(answered(500), 0.5, NOW_MS + 30_000);
  expect(await readDelivery()).toMatchObject({ status: 'pending', nextAttemptAtMs: NOW_MS + 150_000 });
  await deliver(answered(500), 0.5, NOW_MS + 150_000);
  expect(await readDelivery()).toMatchObject({ status: 'dead', nextAttemptAtMs: null, finishedAtMs: NOW_MS + 150_000 });
});

test.each([
  [199, 'pending'],
  [200, 'delivered'],
  [299, 'delivered'],
  [300, 'pending'],
])('status %i → %s', async (status, expected) => {
  await deliver(answered(status));
  expect((await readDelivery()).status).toBe(expected);
});

test('an attempt that the service cut off → due at once, without a recorded attempt', async () => {
  await deliver(undefined);
  expect(await readDelivery()).toMatchObject({ status: 'pending', nextAttemptAtMs: NOW_MS });
  expect(await listAttempts(store, deliveryId)).toEqual([]);
});

test('a claimed delivery → leased for the time limit of an attempt and 60 s more', async () => {
  let noteClaim = (_: ClaimedDelivery) => {};
  const claimed = new Promise<ClaimedDelivery>((resolve) => {
    noteClaim = resolve;
  });
  const poller = createDeliveryPoller({
    store,
    slots: createSlots(),
    log,
    attemptTimeoutMs: 10_000,
    begin: noteClaim,
    now: () => NOW_MS,
  });
  poller.wake();
  await claimed;
  await poller.stop();
  expect((await readDelivery()).nextAttemptAtMs).toBe(NOW_MS + 10_000 + 60_000);
});
