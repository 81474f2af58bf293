import { expect, test } from 'vitest';
import { until } from '../support/until.js';
import { startReceiver } from '../support/webhook-receiver.js';
import { newReport, startWebhookService } from '../support/webhook-service.js';

test('kill -9 in and between attempts → goes on where it was, under the same id', async () => {
  const service = await startWebhookService({ OCR_SERVE_WEBHOOK_RETRY_DELAYS_MS: '500,500,500,500,500' });
  let mode: 'fail' | 'hang' | 'take' = 'fail';
  const receiver = await startReceiver((response) => {
    if (mode === 'hang') return;
    response.writeHead(mode === 'fail' ? 500 : 200).end();
  });
  await service.add(receiver.url);
  await service.client().submit(newReport());
  const attempts = async () => (await service.admin('deliveries'))[0].attempts.length;
  await until(() => service.countAttempts() === 1, 'the first attempt to be written down');
  await service.kill();
  expect(await attempts()).toBe(1);

  mode = 'hang';
  const before = receiver.received.length;
  await service.start();
  await until(() => receiver.received.length > before, 'an attempt under way');
  await service.kill();
  // How it ended nobody knows: it does not count.
  expect(await attempts()).toBe(1);

  mode = 'take';
  await service.start();
  await until(() => service.statuses().includes('delivered'), 'the delivery');
  expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
  expect((await service.admin('deliveries'))[0].attempts.map(({ status }: { status: number }) => status)).toEqual([
    500, 200,
  ]);
});
