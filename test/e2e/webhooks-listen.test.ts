import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { verifyWebhook } from '../../dist/library/index.js';
import { failure, type Reply, startContractServer, TEXT_EXTRACTION } from '../support/contract-server.js';
import { clientOf, createServiceHome, startOwnService } from '../support/own-service.js';
import { clockOf, type InProcessRun, runInProcess, startInProcess } from '../support/run-in-process.js';
import type { TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';
import { startReceiver } from '../support/webhook-receiver.js';
import { newReport, startWebhookService } from '../support/webhook-service.js';

/** A request as the receiver saw it. */
interface Received {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A receiver on plain http, as developers have one. */
async function startPlainReceiver(
  respond: (response: ServerResponse) => void = (response) => response.writeHead(204).end(),
) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      respond(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(async () => void (await close()));
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, close };
}

/** A service of its own process, and the command beside it. */
async function setUp() {
  const home = createServiceHome();
  const serving = await startOwnService(home, {}, ['--workers', '1']);
  const env = { OCR_BASE_URL: serving.url, OCR_API_KEY: clientKey(serving.dataDir) };
  return { home, serving, env };
}

function clientKey(dataDir: string): string {
  return process.getBuiltinModule('node:fs').readFileSync(`${dataDir}/api-key`, 'utf8').trim();
}

const systemClock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};

/** Starts the command; it ends with the test. */
function startListen(
  args: string[],
  { home, env }: { home: TemporaryHome; env: Record<string, string> },
): InProcessRun {
  const run = startInProcess(['webhooks', 'listen', ...args], { home, env, clock: systemClock });
  onTestFinished(async () => {
    run.kill('SIGTERM');
    await run.catch(() => {});
  });
  return run;
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

test('events → printed and forwarded with a valid signature; a receiver that fails is said, and the next is forwarded', async () => {
  const { home, serving, env } = await setUp();
  const answers = [204, 500, 200];
  const receiver = await startPlainReceiver((response) => response.writeHead(answers.shift() ?? 200).end('ok'));
  const run = startListen(['--forward-to', receiver.url], { home, env });
  await until(() => run.stderr.includes('Listening'), 'the stream to be open');
  const secret = /^Signing secret: (whsec_\S+)\n$/.exec(run.stdout)?.[1] ?? '';
  expect(secret).not.toBe('');
  for (let i = 1; i <= 3; i++) {
    await clientOf(serving).submit(newReport());
    await until(() => lines(run.stdout).length === 1 + i, 'the event to be printed');
  }
  await receiver.close();
  await clientOf(serving).submit(newReport());
  await until(() => lines(run.stdout).length === 5, 'the event that nobody received');
  const [, accepted, refused, next, unheard] = lines(run.stdout);
  expect(accepted).toMatch(/ {2}document\.processed {2}evt_\w+ {2}req_\w+ {2}job_\w+ {2}-> 204 \(\d+ ms\)$/);
  expect(refused).toMatch(/-> failed: 500 \(\d+ ms\)$/);
  expect(next).toMatch(/-> 200 /);
  expect(unheard).toMatch(/-> failed: nothing listens at 127\.0\.0\.1:\d+$/);
  expect(receiver.received).toHaveLength(3);
  for (const { headers, body } of receiver.received) {
    const event = verifyWebhook({ body, signature: headers['x-service-signature'], secrets: secret });
    expect(headers).toMatchObject({
      'x-service-delivery': event.id,
      'x-service-event': event.type,
      'content-type': expect.stringContaining('json'),
    });
  }
  run.kill('SIGINT');
  const ended = await run;
  expect(ended.exitCode).toBe(130);
  expect(ended.stderr).toMatch(
    /\nocr: Interrupted\nThe signing secret ends with this command, and the next one has its own\. Run [^\n]+\n$/,
  );
});

test('--json and --events → the secret, then one line for each chosen event', async () => {
  const { home, serving, env } = await setUp();
  const receiver = await startPlainReceiver();
  const processed = startListen(['--json', '--forward-to', receiver.url, '--events', 'document.processed'], {
    home,
    env,
  });
  const failed = startListen(['--json', '--events', 'document.failed'], { home, env });
  await until(async () => (await clientOf(serving).get('/healthz')).json.openRequests >= 2, 'both streams to be open');
  await clientOf(serving).submit(newReport());
  await until(() => lines(processed.stdout).length === 2, 'the event');
  const [head, { event, forwarded }] = lines(processed.stdout).map((line) => JSON.parse(line));
  expect(head).toEqual({ secret: expect.stringMatching(/^whsec_/), forwardTo: receiver.url });
  expect(event).toMatchObject({ type: 'document.processed', data: { status: 'completed' } });
  expect(forwarded).toEqual({ url: receiver.url, status: 204, ms: expect.any(Number), error: null });
  expect(lines(failed.stdout).map((line) => JSON.parse(line))).toEqual([{ secret: null, forwardTo: null }]);
  processed.kill('SIGTERM');
  const ended = await processed;
  expect(ended.exitCode).toBe(143);
  expect(ended.stderr).toBe('');
});

test('a service that is started anew → the stream is opened again, and nothing is missed', async () => {
  const home = createServiceHome();
  const first = await startOwnService(home, {}, ['--workers', '1']);
  const port = new URL(first.url).port;
  const env = { OCR_BASE_URL: first.url, OCR_API_KEY: clientKey(first.dataDir) };
  const run = startListen([], { home, env });
  await until(() => run.stderr.includes('Listening'), 'the stream to be open');
  await clientOf(first).submit(newReport());
  await until(() => lines(run.stdout).length === 1, 'the first event');
  expect(await first.stop()).toBe(0);
  await until(() => run.stderr.includes('The stream broke off'), 'the break to be said');
  const second = await startOwnService(home, {}, ['--workers', '1', '--port', port]);
  await clientOf(second).submit(newReport());
  await until(() => lines(run.stdout).length === 2, 'the second event');
  run.kill('SIGINT');
  await run;
});

/** Returns a stream of one event, which ends after it, as the contract server's reply. */
const streamOf = (id: string): Reply => ({
  headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  body: `id: ${id}\nevent: document.processed\ndata: {"createdAt":"2026-01-01T00:00:00.000Z"}\n\n`,
});

test('503, 429 and dropped connections while the stream is opened again → it goes on after the last event; 403 ends it with 4', async () => {
  const home = createServiceHome();
  const server = await startContractServer();
  onTestFinished(() => server.close());
  server.script.catalog = [
    { body: { functions: [TEXT_EXTRACTION], extensions: ['events'] } },
    failure(503, 'PROVIDER_UNAVAILABLE', 'The service is starting', true),
    streamOf('evt_1'),
    { ...failure(503, 'PROVIDER_UNAVAILABLE', 'The service is stopping', true), headers: { 'retry-after': '30' } },
    { hangsUp: true },
    { status: 502, body: '<h1>Bad gateway</h1>' },
    {
      ...failure(429, 'RATE_LIMITED', 'The organisation follows its events 10 times already', true),
      headers: { 'retry-after': '3600' },
    },
    streamOf('evt_2'),
    failure(403, 'FORBIDDEN', 'The key was revoked', false),
  ];
  const run = await runInProcess(['webhooks', 'listen'], { home, env: server.env });
  expect(run.exitCode).toBe(4);
  expect(lines(run.stdout).map((line) => line.split('  ')[2])).toEqual(['evt_1', 'evt_2']);
  const opened = server.calls.slice(1);
  expect(opened.map(({ path }) => path)).toEqual(Array(8).fill('/v1/ocr/events'));
  const last = opened.map(({ headers }) => headers['last-event-id'] ?? null);
  expect(last).toEqual([null, null, ...Array(5).fill('evt_1'), 'evt_2']);
  // A break is said once, however many attempts follow, and so is its end.
  expect(lines(run.stderr).filter((line) => /^(?:The stream|Listening)/.test(line))).toEqual([
    'The stream cannot be opened (The service is starting); it is tried until the service answers.',
    'Listening.',
    'The stream broke off; it is opened again once the service answers.',
    'The stream is open again; nothing was missed.',
    'The stream broke off; it is opened again once the service answers.',
  ]);
  // A Retry-After is obeyed, within a minute.
  expect(clockOf(home).sleepsMs).toEqual([1_000, 1_000, 30_000, 4_000, 8_000, 60_000, 1_000]);
});

test.each([
  ['404', failure(404, 'NOT_FOUND', 'No such path', false), 5],
  ['an internal error that stays', failure(500, 'INTERNAL', 'A bug', false), 1],
  ['200 with a page instead of a stream', { body: '<h1>Sign in</h1>' }, 7],
])('%s in place of the stream → the command ends with its exit code', async (_, answer, exitCode) => {
  const home = createServiceHome();
  const server = await startContractServer();
  onTestFinished(() => server.close());
  server.script.catalog = [{ body: { functions: [TEXT_EXTRACTION], extensions: ['events'] } }, answer];
  const run = await runInProcess(['webhooks', 'listen'], { home, env: server.env });
  expect(run.exitCode).toBe(exitCode);
  expect(run.stderr).not.toContain('Listening');
});

test('a service without events → 2, and nothing is asked of it but its catalog; a bad flag → 2', async () => {
  const home = createServiceHome();
  const server = await startContractServer();
  onTestFinished(() => server.close());
  const run = await runInProcess(['webhooks', 'listen'], { home, env: server.env });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('this service cannot send events');
  expect(server.calls.map(({ path }) => path)).toEqual(['/v1/ocr/functions']);
  for (const flags of [
    ['--forward-to', 'localhost:3000'],
    ['--forward-to', 'ftp://x'],
    ['--events', 'invoice.paid'],
  ])
    expect((await runInProcess(['webhooks', 'listen', ...flags], { home, env: server.env })).exitCode).toBe(2);
});

test('ocr admin webhooks test → a sample that is marked and signed, to that endpoint alone', async () => {
  const service = await startWebhookService();
  const [receiver, other] = [await startReceiver(), await startReceiver()];
  const { endpointId, secret } = await service.add(receiver.url);
  await service.add(other.url);
  const sent = await service.admin('test', endpointId);
  expect(sent).toEqual({
    deliveryId: expect.stringMatching(/^dlv_/),
    endpointId,
    event: 'document.processed',
    status: 'pending',
    test: true,
  });
  await until(() => receiver.received.length === 1, 'the sample');
  const { headers, body } = receiver.received[0] as Received;
  const event = verifyWebhook({ body, signature: headers['x-service-signature'], secrets: secret });
  expect(event).toMatchObject({
    id: sent.deliveryId,
    type: 'document.processed',
    test: true,
    data: { status: 'completed' },
  });
  expect(other.received).toEqual([]);
  await until(() => service.statuses().join() === 'delivered', 'it to be delivered');
  const failing = await service.add(`${receiver.url}?failed`, '--events', 'document.failed');
  expect(await service.admin('test', failing.endpointId)).toMatchObject({ event: 'document.failed' });
  await expect(service.admin('test', 'whe_0')).rejects.toThrow(/NOT_FOUND/);
});
