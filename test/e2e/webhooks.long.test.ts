import { expect, test } from 'vitest';
import { until } from '../support/until.js';
import { startReceiver } from '../support/webhook-receiver.js';
import { newReport, RETRY_DELAYS_MS, startWebhookService } from '../support/webhook-service.js';

test('a silent endpoint → delays neither others nor documents, nor the stop', async () => {
  const service = await startWebhookService({ OCR_SERVE_WEBHOOK_TIMEOUT_MS: '60000' });
  const slow = await startReceiver(() => {});
  const fast = await startReceiver();
  for (const { url } of [slow, fast]) await service.add(url);
  const client = service.client();
  for (let i = 0; i < 20; i++) expect((await client.submit(newReport())).status).toBe(200);
  await until(() => fast.received.length === 20, 'all deliveries to the fast one');
  // It has its slots and no more.
  expect(slow.received.length).toBeLessThanOrEqual(8);
  expect(slow.received.length).toBeGreaterThan(0);
  // A delivery is recorded once its answer has come.
  await until(
    () => service.statuses().filter((status) => status === 'delivered').length === 20,
    'them to be written down',
  );
  expect(service.statuses().filter((status) => status === 'pending')).toHaveLength(20);
  const ids = new Set(slow.received.map(({ json }) => json.id));
  expect(await service.serving().stop()).toBe(0);
  // Attempts that were cut off are repeated, and do not count.
  await service.start();
  await until(() => slow.received.length > ids.size, 'the next attempts');
  expect(ids).toContain(slow.received[ids.size]?.json.id);
  expect((await service.admin('deliveries', '--status', 'pending'))[0].attempts).toEqual([]);
});

test('six failed attempts → dead; sent again on request under the same id', async () => {
  const service = await startWebhookService();
  let isUp = false;
  const receiver = await startReceiver((response, _delivery, index) => {
    response.writeHead(isUp ? 204 : ([500, 404, 302, 400, 503, 429][index % 6] ?? 500), { location: '/elsewhere' });
    response.end(isUp ? undefined : `answer ${index}`);
  });
  await service.add(receiver.url);
  await service.client().submit(newReport());
  await until(() => service.statuses().includes('dead'), 'the delivery to be dead');
  expect(receiver.received).toHaveLength(6);
  const [dead] = await service.admin('deliveries', '--status', 'dead');
  expect(dead).toMatchObject({ status: 'dead', nextAttemptAt: null, finishedAt: expect.stringMatching(/Z$/) });
  expect(dead.attempts.map(({ number, status }: { number: number; status: number }) => [number, status])).toEqual([
    [1, 500],
    [2, 404],
    // A redirect is not followed.
    [3, 302],
    [4, 400],
    [5, 503],
    [6, 429],
  ]);
  expect(dead.attempts.map(({ answer }: { answer: string }) => answer)).toEqual(
    [0, 1, 2, 3, 4, 5].map((index) => `answer ${index}`),
  );
  const starts = dead.attempts.map(({ startedAt }: { startedAt: string }) => Date.parse(startedAt));
  const ends = dead.attempts.map(({ latencyMs }: { latencyMs: number }, i: number) => starts[i] + latencyMs);
  RETRY_DELAYS_MS.forEach((delayMs, i) => {
    expect(starts[i + 1] - ends[i], `attempt ${i + 2}`).toBeGreaterThanOrEqual(delayMs * 0.9 - 1);
  });
  // Every attempt has the same body and id, and a signature of its own time.
  expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery']))).toEqual(
    new Set([dead.deliveryId]),
  );
  expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/hook']));

  isUp = true;
  expect(await service.admin('resend', dead.deliveryId)).toEqual({ deliveryId: dead.deliveryId, status: 'pending' });
  await until(() => service.statuses().includes('delivered'), 'the delivery to be delivered');
  expect(receiver.received[6]?.headers['x-service-delivery']).toBe(dead.deliveryId);
  expect(receiver.received[6]?.body).toEqual(receiver.received[0]?.body);
  const [delivered] = await service.admin('deliveries');
  expect(delivered.attempts[6]).toMatchObject({ number: 7, status: 204, answer: '' });

  // One that was delivered can be sent again too; a resend has six attempts of its own.
  isUp = false;
  await service.admin('resend', dead.deliveryId);
  await until(() => service.statuses().includes('dead'), 'the delivery to be dead again');
  expect(receiver.received).toHaveLength(13);
});
