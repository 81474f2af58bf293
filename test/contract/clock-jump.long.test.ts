import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createServiceHome } from '../support/own-service.js';
import { createSettableClock } from '../support/settable-clock.js';
import { until } from '../support/until.js';
import { startReceiver } from '../support/webhook-receiver.js';
import { newReport, startWebhookService } from '../support/webhook-service.js';
import { expectOneReading, HOUR_MS, LOOKS_MS } from './clock-jump-suite.js';

test('a clock set back while a document is read → it is read once', () => expectOneReading(-HOUR_MS));

test('a clock set forward during an attempt of a delivery → sent once, and later ones at once', async () => {
  const home = createServiceHome();
  const clock = createSettableClock(home);
  const service = await startWebhookService(clock.env);
  const held: Array<() => void> = [];
  const receiver = await startReceiver((response) => held.push(() => response.end('ok')));
  await service.add(receiver.url);
  await service.client().submit(newReport());
  await until(() => held.length === 1, 'the first attempt');
  clock.set(HOUR_MS);
  await sleep(LOOKS_MS);
  await service.client().submit(newReport());
  await until(() => held.length >= 2, 'the second delivery');
  for (const answer of held) answer();
  await until(() => !service.statuses().includes('pending'), 'both deliveries to end');
  expect(new Set(receiver.received.map(({ json }) => json.id)).size).toBe(2);
  expect(receiver.received).toHaveLength(2);
});
