import { expect, test } from 'vitest';
import { until } from '../support/until.js';
import { startReceiver } from '../support/webhook-receiver.js';
import { newReport, startWebhookService } from '../support/webhook-service.js';

/** Found when the document is read. */
const _UNKNOWN_LANGUAGE = { languages: ['tlh'], ocr: 'force' };

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
