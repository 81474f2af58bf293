import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { documents, examples } from '../fixtures/manifest.js';
import { runCli } from '../support/run-cli.js';
import { until } from '../support/until.js';
import { type ReceivedDelivery, startReceiver } from '../support/webhook-receiver.js';
import { RETRY_DELAYS_MS, startWebhookService, type WebhookService } from '../support/webhook-service.js';

/** The scheme is that of the npm package stripe: a verifier that we did not write. */
const { webhooks: oracle } = new Stripe('sk_test_none');
const REPORT = readFileSync(examples.report.path);
const ASYNC = { prefer: 'respond-async' };

/** A document that was not seen before: what stands behind the end of a PDF does not matter. */
let unique = 0;
const newReport = () => Buffer.concat([REPORT, Buffer.from(`\n% ${unique++} ${Math.random()}\n`)]);

async function statuses(service: WebhookService, ...filter: string[]): Promise<string[]> {
  return (await service.admin('deliveries', ...filter)).map((one: { status: string }) => one.status);
}

test('what became of a document is told: inline, queued, failed, from the cache; nothing of a refused one or a replay', async () => {
  const service = await startWebhookService();
  const [all, failures] = [await startReceiver(), await startReceiver()];
  const { endpointId, secret } = await service.add(all.url);
  await service.add(failures.url, '--events', 'document.failed');
  const client = service.client();

  const inline = await client.submit(REPORT, { headers: { 'idempotency-key': 'one' } });
  const queued = await client.submit(readFileSync(documents.mixed.path), { headers: ASYNC });
  await client.waitForJob(queued.json.jobId);
  const failed = await client.submit(REPORT, { args: { pages: '9' }, headers: ASYNC });
  await client.waitForJob(failed.json.jobId);
  const cached = await client.submit(REPORT, { headers: { 'idempotency-key': 'two' } });
  const plainlyCached = await client.submit(REPORT);
  expect([cached.json.meta.cached, plainlyCached.json.meta.cached]).toEqual([true, true]);
  // Replays, and documents that are refused before there is a job.
  for (const key of ['one', 'two']) await client.submit(REPORT, { headers: { 'idempotency-key': key } });
  expect((await client.submit(readFileSync(documents.encrypted.path))).status).toBe(400);
  expect((await client.submit('no document')).status).toBe(415);
  await until(() => all.received.length >= 5 && failures.received.length >= 1, 'six deliveries');
  await until(async () => !(await statuses(service)).includes('pending'), 'no more to deliver');

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
    const verdict = JSON.parse((await runCli(verify, { home: service.home })).stdout);
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
  const plain = await runCli(['admin', 'webhooks'], { home: service.home });
  const rows = await runCli(['admin', 'webhooks', 'deliveries'], { home: service.home });
  expect(plain.stdout).toContain(endpointId);
  for (const text of [service.log(), plain.stdout, plain.stderr, rows.stdout, JSON.stringify(listed)])
    expect(text).not.toMatch(/whsec_|\/hook\?|v1=/);
  expect(service.log()).toContain(endpointId);
  expect(service.log()).not.toContain('/hook');
  await service.serving().stop();
  for (const name of readdirSync(service.home.dataDir).filter((file) => file.startsWith('ocr.db')))
    expect(readFileSync(join(service.home.dataDir, name)).includes('whsec_'), name).toBe(false);
});

test('six attempts in their rhythm, then dead; sent again under the same id when asked', async () => {
  const service = await startWebhookService();
  let isUp = false;
  const receiver = await startReceiver((response, _delivery, index) => {
    response.writeHead(isUp ? 204 : ([500, 404, 302, 400, 503, 429][index % 6] ?? 500), { location: '/elsewhere' });
    response.end(isUp ? undefined : `answer ${index}`);
  });
  await service.add(receiver.url);
  await service.client().submit(newReport());
  await until(async () => (await statuses(service)).includes('dead'), 'the delivery to be dead');
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
  await until(async () => (await statuses(service)).includes('delivered'), 'the delivery to be delivered');
  expect(receiver.received[6]?.headers['x-service-delivery']).toBe(dead.deliveryId);
  expect(receiver.received[6]?.body).toEqual(receiver.received[0]?.body);
  const [delivered] = await service.admin('deliveries');
  expect(delivered.attempts[6]).toMatchObject({ number: 7, status: 204, answer: '' });

  // One that was delivered can be sent again too; a resend has six attempts of its own.
  isUp = false;
  await service.admin('resend', dead.deliveryId);
  await until(async () => (await statuses(service)).includes('dead'), 'the delivery to be dead again');
  expect(receiver.received).toHaveLength(13);
});

test('while a secret is rotated both sign', async () => {
  const service = await startWebhookService();
  const receiver = await startReceiver();
  // By its name, which is looked up, and which its certificate has.
  const { endpointId, secret } = await service.add(receiver.url.replace('127.0.0.1', 'localhost'));
  const rotated = await service.admin('rotate', endpointId);
  expect(rotated.secret).not.toBe(secret);
  const leftMs = Date.parse(rotated.previousSecretUntil) - Date.now();
  expect(Math.abs(leftMs - 24 * 3_600_000)).toBeLessThan(60_000);
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

test('an endpoint that does not answer delays neither others nor documents, nor a service that stops', async () => {
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
  expect((await statuses(service)).filter((status) => status === 'pending')).toHaveLength(20);
  const ids = new Set(slow.received.map(({ json }) => json.id));
  expect(await service.serving().stop()).toBe(0);
  // What was cut off goes on, as if it had not been begun.
  await service.start();
  await until(() => slow.received.length > ids.size, 'the next attempts');
  expect(ids).toContain(slow.received[ids.size]?.json.id);
  expect((await service.admin('deliveries', '--status', 'pending'))[0].attempts).toEqual([]);
});

test('kill -9 in and between attempts: it goes on where it was, under the same id', async () => {
  const service = await startWebhookService({ OCR_SERVE_WEBHOOK_RETRY_DELAYS_MS: '500,500,500,500,500' });
  let mode: 'fail' | 'hang' | 'take' = 'fail';
  const receiver = await startReceiver((response) => {
    if (mode === 'hang') return;
    response.writeHead(mode === 'fail' ? 500 : 200).end();
  });
  await service.add(receiver.url);
  await service.client().submit(newReport());
  const attempts = async () => (await service.admin('deliveries'))[0].attempts.length;
  await until(async () => (await attempts()) === 1, 'the first attempt to be written down');
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
  await until(async () => (await statuses(service)).includes('delivered'), 'the delivery');
  expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
  expect((await service.admin('deliveries'))[0].attempts.map(({ status }: { status: number }) => status)).toEqual([
    500, 200,
  ]);
});

test('kill -9 while documents end: every document that ended is delivered, to both endpoints', async () => {
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
    await until(async () => (await statuses(service)).length > round * 9, 'some deliveries');
    await service.kill();
    await service.start();
  }
  isFlaky = false;
  for (const jobId of jobs) expect((await service.client().waitForJob(jobId)).json.status).toBe('completed');
  await until(async () => !(await statuses(service)).includes('pending'), 'no more to deliver');
  for (const { received } of [...receivers, flaky])
    expect(new Set(received.map(({ json }) => json.data.jobId))).toEqual(new Set(jobs));
  // Once for each document and endpoint, whatever was repeated on the way.
  const listed = await service.admin('deliveries');
  expect(listed).toHaveLength(jobs.length * 3);
  expect(new Set(listed.map(({ status }: { status: string }) => status))).toEqual(new Set(['delivered']));
}, 120_000);

test('a removed endpoint gets nothing, nor what waited for it', async () => {
  const service = await startWebhookService({ OCR_SERVE_WEBHOOK_RETRY_DELAYS_MS: '2000' });
  const [gone, stays] = [await startReceiver((response) => response.writeHead(500).end()), await startReceiver()];
  const { endpointId } = await service.add(gone.url);
  await service.add(stays.url);
  await service.client().submit(newReport());
  await until(() => gone.received.length === 1 && stays.received.length === 1, 'the first attempts');
  await until(async () => (await service.admin('deliveries', '--endpoint', endpointId))[0].attempts.length === 1, 'it');
  expect(await service.admin('remove', endpointId)).toEqual({ endpointId, removed: true });
  await service.client().submit(newReport());
  await until(() => stays.received.length === 2, 'the delivery to the other');
  const [dead] = await service.admin('deliveries', '--endpoint', endpointId);
  expect(dead).toMatchObject({ status: 'dead', nextAttemptAt: null });
  expect(await service.admin('list')).toHaveLength(1);
  // Past the time of its second attempt.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(gone.received).toHaveLength(1);
  await expect(service.admin('resend', dead.deliveryId)).rejects.toThrow(/was removed/);
  await expect(service.admin('remove', endpointId)).rejects.toThrow(/NOT_FOUND/);
  await expect(service.admin('rotate', endpointId)).rejects.toThrow(/NOT_FOUND/);
  await expect(service.admin('resend', 'dlv_0')).rejects.toThrow(/NOT_FOUND/);
});

test('an endless answer is cut, another certificate refused, and silence ends in time', async () => {
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
  await until(async () => (await attempts()).length === all.length, 'an attempt at each');
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

test('ten endpoints, of a plan with webhooks, at the moment of the event', async () => {
  const service = await startWebhookService();
  const receiver = await startReceiver();
  const tries = await Promise.allSettled(Array.from({ length: 12 }, () => service.add(receiver.url)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  await expect(service.add(receiver.url)).rejects.toThrow(/WEBHOOK_REFUSED.*10 endpoints/);
  const [first] = await service.admin('list', '--org', service.orgId);
  await service.admin('remove', first.endpointId);
  await service.add(receiver.url);

  const run = (...args: string[]) => runCli(['admin', ...args], { home: service.home });
  await run('orgs', 'update', service.orgId, '--plan', 'STARTER');
  await service.client().submit(newReport());
  expect(await service.admin('deliveries')).toEqual([]);
  await expect(service.add(receiver.url)).rejects.toThrow(/WEBHOOK_REFUSED.*STARTER has no webhooks/);
  await run('orgs', 'update', service.orgId, '--plan', 'BUSINESS');
  await service.client().submit(newReport());
  await until(() => receiver.received.length === 10, 'a delivery to each');
  expect(receiver.received).toHaveLength(10);
}, 120_000);

test('what must not be an endpoint is refused when it is added', async () => {
  const service = await startWebhookService();
  const { home, orgId } = service;
  const add = (url: string, env = {}) =>
    runCli(['admin', 'webhooks', 'add', '--org', orgId, '--url', url, '--json'], { home, env });
  const refused = async (url: string, message: RegExp, env = {}) => {
    const run = await add(url, env);
    expect(run.exitCode, url).toBe(2);
    expect(JSON.parse(run.stdout).error, url).toMatchObject({
      code: 'WEBHOOK_REFUSED',
      message: expect.stringMatching(message),
    });
  };
  await refused('https://127.0.0.1:8443/', /127\.0\.0\.1 is not a public address/);
  await refused('https://localhost/', /localhost resolves to 127\.0\.0\.1, which is not/);
  await refused('https://[::ffff:10.0.0.1]/', /not a public address/);
  await refused('http://127.0.0.1/', /https:/, { OCR_SERVE_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
  await refused('https://user:planted@example.com/', /user name/);
  await refused('example.com', /not a URL/);
  await refused('https://name.invalid/', /its host: the name/);
  const noOne = await runCli(['admin', 'webhooks', 'add', '--org', 'org_0', '--url', 'https://1.1.1.1/', '--json'], {
    home,
  });
  expect(noOne.exitCode).toBe(5);
  const wrong = await runCli(
    ['admin', 'webhooks', 'add', '--org', orgId, '--url', 'https://1.1.1.1/', '--events', 'all'],
    { home },
  );
  expect(wrong.exitCode).toBe(2);
  expect(await service.admin('list')).toEqual([]);
  // The settings of its own file count as its own environment does.
  const config = join(home.dir, 'config.json');
  writeFileSync(config, JSON.stringify({ webhookAllowCidrs: ['127.0.0.0/8'], dataDir: home.dataDir }));
  const line = ['admin', 'webhooks', 'add', '--org', orgId, '--url', 'https://127.0.0.1:8443/', '--config', config];
  expect((await runCli(line, { home })).exitCode).toBe(0);
});

test('without the service: what is added is there when it starts, what is asked for again is sent then', async () => {
  const service = await startWebhookService();
  const receiver = await startReceiver((response, _delivery, index) => response.writeHead(index < 6 ? 500 : 200).end());
  const { endpointId } = await service.add(receiver.url);
  await service.client().submit(newReport());
  await until(async () => (await statuses(service)).includes('dead'), 'the delivery to be dead');
  await service.serving().stop();
  const [{ deliveryId }] = await service.admin('deliveries');
  await service.admin('resend', deliveryId);
  const { secret } = await service.admin('rotate', endpointId);
  await service.start();
  await until(() => receiver.received.length === 7, 'the delivery');
  const { headers, body } = receiver.received[6] as ReceivedDelivery;
  expect(oracle.constructEvent(body, String(headers['x-service-signature']), secret)).toMatchObject({ id: deliveryId });
});

test('a service that ends when it is idle delivers first', async () => {
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
  expect(await statuses(service)).toEqual(['delivered']);
});
