import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { documents, examples } from '../fixtures/manifest.js';
import { clientOf, createServiceHome, startOwnService, untilBusy, untilRefused } from '../support/own-service.js';

const inline = { OCR_SERVE_INLINE_MAX_PAGES: '1000' };
const scanned = readFileSync(documents.hundredScanned.path);

test('a second signal → ends at once; the jobs go on at the next start', async () => {
  const home = createServiceHome();
  const serving = await startOwnService(home, inline, ['--workers', '1']);
  const client = clientOf(serving);
  const cut = client.submit(scanned, { args: { pages: '1-60' } }).catch((error: unknown) => error);
  await untilBusy(serving);
  const waiting = await client.submit(readFileSync(examples.report.path), { headers: { prefer: 'respond-async' } });
  serving.signal('SIGTERM');
  await untilRefused(serving.url);
  await sleep(100);
  serving.signal('SIGTERM');
  expect(await serving.ended).toBe(143);
  expect(await cut).toBeInstanceOf(Error);
  const again = await startOwnService(home, {}, ['--workers', '2']);
  expect((await clientOf(again).waitForJob(waiting.json.jobId)).json.status).toBe('completed');
});

test('a keep-alive connection → told that the service stops', async () => {
  const home = createServiceHome();
  const serving = await startOwnService(home, inline, ['--workers', '1']);
  const client = clientOf(serving);
  const { Agent, request } = await import('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const get = (path: string, method = 'GET') =>
    new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
      const sent = request(`${serving.url}${path}`, { agent, method, headers: { 'x-api-key': 'x' } }, (response) => {
        response.resume();
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
      });
      sent.on('error', reject);
      sent.end();
    });
  const answered = client.submit(scanned, { args: { pages: '1-2' } });
  await untilBusy(serving);
  await get('/healthz');
  serving.signal('SIGTERM');
  // An idle connection is closed; one that is used in that moment is refused in words.
  const refused = await get('/v1/ocr/TEXT_EXTRACTION', 'POST').catch(() => undefined);
  if (refused !== undefined && refused.status !== 401) {
    expect(refused.status).toBe(503);
    expect(refused.headers).toMatchObject({ connection: 'close', 'retry-after': expect.any(String) });
  }
  // New connections to /readyz are refused while the open calls are answered.
  await untilRefused(`${serving.url}/readyz`);
  // A busy machine takes longer than an inline call waits.
  expect([200, 202]).toContain((await answered).status);
  expect(await serving.ended).toBe(0);
});
