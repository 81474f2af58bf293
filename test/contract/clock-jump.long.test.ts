import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createServiceHome } from '../support/own-service.js';
import { createSettableClock } from '../support/settable-clock.js';
import { until } from '../support/until.js';
import { startReceiver } from '../support/webhook-receiver.js';
import { newReport, startWebhookService } from '../support/webhook-service.js';
import { HOSTILE_PROGRAM } from './support/running-service.js';
import { spawnService } from './support/spawned-service.js';

// Somebody sets the clock of the machine while the service runs. Leases and due times keep their lengths.

const HOUR_MS = 3_600_000;
/** Looks for expired leases and due deliveries that pass while the clock is wrong: they come every second. */
const LOOKS_MS = 3_000;
/** A new lease is written once more within a second, then only in a third of its time. */
const FIRST_BEAT_MS = 2_000;

/** The clock is set while a document is read: it is read once. */
async function expectOneReading(byMs: number): Promise<void> {
  const home = createServiceHome();
  const clock = createSettableClock(home);
  const running = await spawnService(home.dataDir, { workers: 2, jobLeaseMs: 600_000 }, HOSTILE_PROGRAM, {
    env: clock.env,
  });
  onTestFinished(async () => {
    await running.kill('SIGKILL');
  });
  const [marker, gate] = [join(home.dir, 'reads'), join(home.dir, 'gate')];
  const file = `%PDF-1.4 DO=wait ALWAYS=1 MARKER=${marker} GATE=${gate} TEXT=once`;
  const { json } = await running.client.submit(file, { headers: { prefer: 'respond-async' } });
  await until(() => existsSync(marker), 'the document to be read');
  await sleep(FIRST_BEAT_MS);
  clock.set(byMs);
  await sleep(LOOKS_MS);
  // A document that comes now is read at once.
  const next = await running.client.submit('%PDF-1.4 TEXT=next');
  expect(next.json).toMatchObject({ result: { text: 'next' } });
  writeFileSync(gate, '');
  expect((await running.client.waitForJob(json.jobId)).json).toMatchObject({ result: { text: 'once' } });
  expect(readFileSync(marker, 'utf8').trim().split('\n')).toHaveLength(1);
  expect(await running.kill('SIGTERM')).toBe(0);
}

test.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])('a clock set %s while a document is read → it is read once', (_, byMs) => expectOneReading(byMs));

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
