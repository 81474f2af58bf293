import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { until } from '../support/until.js';
import { type ReceivedDelivery, startReceiver } from '../support/webhook-receiver.js';
import { newReport, startWebhookService } from '../support/webhook-service.js';

/** The scheme is that of the npm package stripe: a verifier that we did not write. */
const { webhooks: oracle } = new Stripe('sk_test_none');
const ASYNC = { prefer: 'respond-async' };

test('kill -9 while documents end → every ended document is delivered, to every endpoint', async () => {
  const service = await startWebhookService({ OCR_SERVE_WEBHOOK_RETRY_DELAYS_MS: '300,300,300,300,300' });
  let isFlaky = true;
  const receivers = [await startReceiver(), await startReceiver()];
  const flaky = await startReceiver((response, _delivery, index) =>
    response.writeHead(isFlaky && index % 3 === 0 ? 500 : 200).end(),
  );
  for (const { url } of [...receivers, flaky]) await service.add(url);
  const jobs: string[] = [];
  for (let round = 0; round < 4; round++) {
    const client = service.client();
    for (let i = 0; i < 4; i++) jobs.push((await client.submit(newReport(), { headers: ASYNC })).json.jobId);
    await until(() => service.statuses().length > round * 9, 'some deliveries');
    await service.kill();
    await service.start();
  }
  isFlaky = false;
  for (const jobId of jobs) expect((await service.client().waitForJob(jobId)).json.status).toBe('completed');
  await until(() => !service.statuses().includes('pending'), 'no more to deliver');
  for (const { received } of [...receivers, flaky])
    expect(new Set(received.map(({ json }) => json.data.jobId))).toEqual(new Set(jobs));
  // Once for each document and endpoint, whatever was repeated on the way.
  const listed = await service.admin('deliveries');
  expect(listed).toHaveLength(jobs.length * 3);
  expect(new Set(listed.map(({ status }: { status: string }) => status))).toEqual(new Set(['delivered']));
});

test('changes without the service → take effect at its start', async () => {
  const service = await startWebhookService();
  const receiver = await startReceiver((response, _delivery, index) => response.writeHead(index < 6 ? 500 : 200).end());
  const { endpointId } = await service.add(receiver.url);
  await service.client().submit(newReport());
  await until(() => service.statuses().includes('dead'), 'the delivery to be dead');
  await service.serving().stop();
  const [{ deliveryId }] = await service.admin('deliveries');
  await service.admin('resend', deliveryId);
  const { secret } = await service.admin('rotate', endpointId);
  await service.start();
  await until(() => receiver.received.length === 7, 'the delivery');
  const { headers, body } = receiver.received[6] as ReceivedDelivery;
  expect(oracle.constructEvent(body, String(headers['x-service-signature']), secret)).toMatchObject({ id: deliveryId });
});

test('an idle service with a delivery left → delivers before it ends', async () => {
  const env = { OCR_SERVE_IDLE_EXIT_MS: '2s', OCR_SERVE_WEBHOOK_RETRY_DELAYS_MS: '4s' };
  const service = await startWebhookService(env);
  const receiver = await startReceiver((response, _delivery, index) =>
    response.writeHead(index === 0 ? 500 : 200).end(),
  );
  // It may have ended meanwhile: adding an endpoint takes longer than it waits.
  await service.add(receiver.url);
  await service.serving().ended;
  await service.start();
  await service.client().submit(newReport());
  expect(await service.serving().ended).toBe(0);
  expect(receiver.received).toHaveLength(2);
  expect(service.statuses()).toEqual(['delivered']);
});
