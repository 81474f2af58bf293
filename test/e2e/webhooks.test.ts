import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { documents, examples } from '../fixtures/manifest.js';
import { runInProcess } from '../support/run-in-process.js';
import { until } from '../support/until.js';
import { type ReceivedDelivery, startReceiver } from '../support/webhook-receiver.js';
import { newReport, startWebhookService } from '../support/webhook-service.js';

/** The scheme is that of the npm package stripe: a verifier that we did not write. */
const { webhooks: oracle } = new Stripe('sk_test_none');
const REPORT = readFileSync(examples.report.path);
const ASYNC = { prefer: 'respond-async' };
/** Found when the document is read. */
const UNKNOWN_LANGUAGE = { languages: ['tlh'], ocr: 'force' };

test('ends of documents → delivered: inline, queued, failed, from the cache; refusals and replays are not', async () => {
  const service = await startWebhookService();
  const [all, failures] = [await startReceiver(), await startReceiver()];
  const { endpointId, secret } = await service.add(all.url);
  await service.add(failures.url, '--events', 'document.failed');
  const client = service.client();

  const inline = await client.submit(REPORT, { headers: { 'idempotency-key': 'one' } });
  const queued = await client.submit(newReport(), { headers: ASYNC });
  await client.waitForJob(queued.json.jobId);
  const failed = await client.submit(REPORT, { args: UNKNOWN_LANGUAGE, headers: ASYNC });
  await client.waitForJob(failed.json.jobId);
  const cached = await client.submit(REPORT, { headers: { 'idempotency-key': 'two' } });
  const plainlyCached = await client.submit(REPORT);
  expect([cached.json.meta.cached, plainlyCached.json.meta.cached]).toEqual([true, true]);
  // Replays, and documents that are refused before there is a job.
  for (const key of ['one', 'two']) await client.submit(REPORT, { headers: { 'idempotency-key': key } });
  expect((await client.submit(readFileSync(documents.encrypted.path))).status).toBe(400);
  expect((await client.submit('no document')).status).toBe(415);
  await until(() => all.received.length >= 5 && failures.received.length >= 1, 'six deliveries');
  await until(() => !service.statuses().includes('pending'), 'no more to deliver');

  const told = await runInProcess(['admin', 'requests', 'get', failed.json.requestId, '--json'], {
    home: service.home,
  });
  expect(JSON.parse(told.stdout)).toMatchObject({
    job: { jobId: failed.json.jobId, status: 'failed' },
    deliveries: [all.url, failures.url].map(() => ({
      event: 'document.failed',
      status: 'delivered',
      attempts: [{ number: 1, status: expect.any(Number) }],
    })),
  });
  const byRequest = new Map(all.received.map(({ json }) => [json.data.requestId, json]));
  expect(all.received.map(({ json }) => json.data.requestId).sort()).toEqual(
    [inline, queued, failed, cached, plainlyCached].map(({ json }) => json.requestId).sort(),
  );
  expect(byRequest.get(inline.json.requestId)).toEqual({
    id: expect.stringMatching(/^dlv_[0-9A-HJKMNP-TV-Z]{26}$/),
    type: 'document.processed',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: {
      requestId: inline.json.requestId,
      jobId: expect.stringMatching(/^job_/),
      function: 'TEXT_EXTRACTION',
      status: 'completed',
      pageCount: 4,
      meta: inline.json.meta,
    },
  });
  const { pageCount } = (await client.get(queued.json.statusUrl)).json.meta;
  expect(byRequest.get(queued.json.requestId).data).toMatchObject({ jobId: queued.json.jobId, pageCount });
  expect(byRequest.get(failed.json.requestId)).toMatchObject({
    type: 'document.failed',
    data: { status: 'failed', jobId: failed.json.jobId, error: { code: 'INVALID_ARGS', retryable: false } },
  });
  for (const { json } of [cached, plainlyCached]) {
    expect(byRequest.get(json.requestId)).toMatchObject({ type: 'document.processed', data: { meta: json.meta } });
    expect(byRequest.get(json.requestId).data).not.toHaveProperty('jobId');
  }
  expect(failures.received.map(({ json }) => json.data.requestId)).toEqual([failed.json.requestId]);

  const secretFile = join(service.home.dir, 'secret-file');
  writeFileSync(secretFile, secret);
  for (const { headers, body, recorded, json } of all.received) {
    expect(headers).toMatchObject({ 'x-service-event': json.type, 'x-service-delivery': json.id });
    expect(headers['content-type']).toMatch(/^application\/json/);
    const signature = String(headers['x-service-signature']);
    expect(oracle.constructEvent(body, signature, secret)).toMatchObject({ id: json.id });
    const recording = join(service.home.dir, json.id);
    writeFileSync(recording, recorded);
    const verify = ['verify-webhook', '--delivery', recording, '--secret-file', secretFile, '--json'];
    const verdict = JSON.parse((await runInProcess(verify, { home: service.home })).stdout);
    expect(verdict).toMatchObject({ valid: true, event: json.type, deliveryId: json.id });
  }
  expect(new Set(all.received.map(({ json }) => json.id)).size).toBe(5);
  const listed = await service.admin('deliveries', '--endpoint', endpointId);
  expect(listed).toHaveLength(5);
  for (const delivery of listed)
    expect(delivery).toMatchObject({
      status: 'delivered',
      attempts: [{ number: 1, status: 200, error: null, answer: 'ok' }],
    });

  // The text of the document went to the caller alone; the secrets to whoever added the endpoints.
  const firstLine = String(inline.json.result.text).split('\n')[0] ?? '';
  expect(Buffer.concat(all.received.map(({ body }) => body)).toString()).not.toContain(firstLine);
  const plain = await runInProcess(['admin', 'webhooks'], { home: service.home });
  const rows = await runInProcess(['admin', 'webhooks', 'deliveries'], { home: service.home });
  expect(plain.stdout).toContain(endpointId);
  for (const text of [service.log(), plain.stdout, plain.stderr, rows.stdout, JSON.stringify(listed)])
    expect(text).not.toMatch(/whsec_|\/hook\?|v1=/);
  expect(service.log()).toContain(endpointId);
  expect(service.log()).not.toContain('/hook');
  await service.serving().stop();
  for (const name of readdirSync(service.home.dataDir).filter((file) => file.startsWith('ocr.db')))
    expect(readFileSync(join(service.home.dataDir, name)).includes('whsec_'), name).toBe(false);
});

test('a secret in rotation → both secrets sign', async () => {
  const service = await startWebhookService();
  const receiver = await startReceiver();
  // The name is looked up, and its certificate has it.
  const { endpointId, secret } = await service.add(receiver.url.replace('127.0.0.1', 'localhost'));
  const beforeMs = Date.now();
  const rotated = await service.admin('rotate', endpointId);
  expect(rotated.secret).not.toBe(secret);
  const rotatedAtMs = Date.parse(rotated.previousSecretUntil) - 24 * 3_600_000;
  expect(rotatedAtMs).toBeGreaterThanOrEqual(beforeMs);
  expect(rotatedAtMs).toBeLessThanOrEqual(Date.now());
  expect(await service.admin('list')).toMatchObject([{ endpointId, previousSecretUntil: rotated.previousSecretUntil }]);
  await service.client().submit(newReport());
  await until(() => receiver.received.length === 1, 'the delivery');
  const { headers, body } = receiver.received[0] as ReceivedDelivery;
  expect(headers.host).toMatch(/^localhost:/);
  const signature = String(headers['x-service-signature']);
  expect(signature).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  for (const known of [secret, rotated.secret])
    expect(oracle.constructEvent(body, signature, known)).toMatchObject({ type: 'document.processed' });
  expect(() => oracle.constructEvent(body, signature, 'whsec_another')).toThrow();
});

test('endless answers → cut; wrong certificates → refused; silence → ends in time', async () => {
  const service = await startWebhookService({
    OCR_SERVE_WEBHOOK_RETRY_DELAYS_MS: '60000',
    OCR_SERVE_WEBHOOK_TIMEOUT_MS: '1500',
  });
  const endless = await startReceiver((response) => {
    const pump = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', pump);
    pump();
  });
  const trickling = await startReceiver((response) => {
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  });
  const silent = await startReceiver(() => {});
  const hostile = await startReceiver((response) => response.end('\u001b[2Jq\0uiet'));
  const strange = await startReceiver((response) => response.socket?.end('NONSENSE\r\n\r\n'));
  const impostors = [
    await startReceiver(undefined, 'wrong-name'),
    await startReceiver(undefined, 'self-signed'),
    await startReceiver(undefined, 'expired'),
  ];
  const closed = await startReceiver();
  const all = [endless, trickling, silent, hostile, strange, ...impostors, closed];
  const ids: string[] = [];
  for (const { url } of all) ids.push((await service.add(url)).endpointId);
  await closed.close();
  await service.client().submit(newReport());
  const attempts = async () =>
    (await service.admin('deliveries')).filter((one: { attempts: unknown[] }) => one.attempts.length === 1);
  await until(() => service.countAttempts() >= all.length, 'an attempt at each');
  const outcomes = new Map(
    (await attempts()).map(
      ({ endpointId, status, attempts: [attempt] }: { endpointId: string; status: string; attempts: unknown[] }) => [
        endpointId,
        { ...(attempt as object), outcome: status },
      ],
    ),
  );
  const of = (index: number) => outcomes.get(ids[index] ?? '');
  expect(of(0)).toMatchObject({ outcome: 'delivered', status: 200, answer: 'x'.repeat(1024) });
  expect(of(1)).toMatchObject({ outcome: 'delivered', status: 200 });
  expect(of(2)).toMatchObject({ outcome: 'pending', status: null, error: 'no answer within 1500 ms' });
  expect(of(3)).toMatchObject({ outcome: 'delivered', answer: '\u001b[2Jq\ufffduiet' });
  expect(of(4)).toMatchObject({ outcome: 'pending', status: null, error: expect.stringMatching(/HPE_/) });
  for (const index of [5, 6, 7])
    expect(of(index)).toMatchObject({ outcome: 'pending', error: expect.stringMatching(/^the certificate is not/) });
  expect(of(8)).toMatchObject({ outcome: 'pending', error: 'the connection was refused (ECONNREFUSED)' });
  for (const { received } of impostors) expect(received).toEqual([]);
});
