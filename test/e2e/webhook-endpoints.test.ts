import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess } from '../support/run-in-process.js';
import { until } from '../support/until.js';
import { startReceiver } from '../support/webhook-receiver.js';
import { newReport, startWebhookService } from '../support/webhook-service.js';

test('a removed endpoint → gets nothing, nor what waited for it', async () => {
  const service = await startWebhookService({ OCR_SERVE_WEBHOOK_RETRY_DELAYS_MS: '600000' });
  const [gone, stays] = [await startReceiver((response) => response.writeHead(500).end()), await startReceiver()];
  const { endpointId } = await service.add(gone.url);
  await service.add(stays.url);
  await service.client().submit(newReport());
  await until(() => gone.received.length === 1 && stays.received.length === 1, 'the first attempts');
  await until(() => service.countAttempts() === 2, 'both to be written down');
  expect(await service.admin('remove', endpointId)).toEqual({ endpointId, removed: true });
  await service.client().submit(newReport());
  await until(() => stays.received.length === 2, 'the delivery to the other');
  const [dead] = await service.admin('deliveries', '--endpoint', endpointId);
  expect(dead).toMatchObject({ status: 'dead', nextAttemptAt: null });
  expect(await service.admin('list')).toHaveLength(1);
  expect(gone.received).toHaveLength(1);
  await expect(service.admin('resend', dead.deliveryId)).rejects.toThrow(/was removed/);
  await expect(service.admin('remove', endpointId)).rejects.toThrow(/NOT_FOUND/);
  await expect(service.admin('rotate', endpointId)).rejects.toThrow(/NOT_FOUND/);
  await expect(service.admin('deliveries', '--endpoint', 'whe_0')).rejects.toThrow(/NOT_FOUND/);
  await expect(service.admin('resend', 'dlv_0')).rejects.toThrow(/NOT_FOUND/);
});

test('an eleventh endpoint, an address twice, or a plan without webhooks → refused', async () => {
  const service = await startWebhookService();
  const receiver = await startReceiver();
  const tries = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => service.add(`${receiver.url}?${n}`)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  await expect(service.add(receiver.url)).rejects.toThrow(/WEBHOOK_REFUSED.*10 endpoints/);
  const [first] = await service.admin('list', '--org', service.orgId);
  await service.admin('remove', first.endpointId);
  const [second] = await service.admin('list', '--org', service.orgId);
  await expect(service.add(second.url)).rejects.toThrow(/WEBHOOK_REFUSED.*\?\d+ is an endpoint already/);
  await service.add(first.url);

  const run = (...args: string[]) => runInProcess(['admin', ...args], { home: service.home });
  await run('orgs', 'update', service.orgId, '--plan', 'STARTER');
  await service.client().submit(newReport());
  expect(await service.admin('deliveries')).toEqual([]);
  await expect(service.add(receiver.url)).rejects.toThrow(/WEBHOOK_REFUSED.*STARTER has no webhooks/);
  await run('orgs', 'update', service.orgId, '--plan', 'BUSINESS');
  await service.client().submit(newReport());
  await until(() => receiver.received.length === 10, 'a delivery to each');
  expect(receiver.received).toHaveLength(10);
}, 120_000);

test('addresses that must not be endpoints → refused when they are added', async () => {
  const service = await startWebhookService();
  const { home, orgId } = service;
  const add = (url: string, env = {}, ...more: string[]) =>
    runInProcess(['admin', 'webhooks', 'add', '--org', orgId, '--url', url, ...more], { home, env });
  const refused = async (url: string, message: RegExp, env = {}) => {
    const run = await add(url, env, '--json');
    expect(run.exitCode, url).toBe(2);
    expect(JSON.parse(run.stdout).error, url).toMatchObject({
      code: 'WEBHOOK_REFUSED',
      message: expect.stringMatching(message),
    });
  };
  expect((await add('https://127.0.0.1:8443/')).stderr).toContain('webhookAllowCidrs');
  await refused('https://127.0.0.1:8443/', /127\.0\.0\.1 is not a public address/);
  await refused('https://localhost/', /localhost resolves to 127\.0\.0\.1, which is not/);
  await refused('https://[::ffff:10.0.0.1]/', /not a public address/);
  await refused('http://127.0.0.1/', /https:/, { OCR_SERVE_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
  await refused('https://user:planted@example.com/', /user name/);
  await refused('example.com', /not a URL/);
  await refused('https://name.invalid/', /its host: the name/);
  const noOne = await runInProcess(
    ['admin', 'webhooks', 'add', '--org', 'org_0', '--url', 'https://1.1.1.1/', '--json'],
    {
      home,
    },
  );
  expect(noOne.exitCode).toBe(5);
  const wrong = await runInProcess(
    ['admin', 'webhooks', 'add', '--org', orgId, '--url', 'https://1.1.1.1/', '--events', 'all'],
    { home },
  );
  expect(wrong.exitCode).toBe(2);
  expect(await service.admin('list')).toEqual([]);
  // The settings of its own file count as its own environment does.
  const config = join(home.dir, 'config.json');
  writeFileSync(config, JSON.stringify({ webhookAllowCidrs: ['127.0.0.0/8'], dataDir: home.dataDir }));
  const line = ['admin', 'webhooks', 'add', '--org', orgId, '--url', 'https://127.0.0.1:8443/', '--config', config];
  expect((await runInProcess(line, { home })).exitCode).toBe(0);
});
