import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { probeService } from '../../dist/local/probe-service.js';
import { createStopper } from '../../dist/local/stop-service.js';
import { proveHealth, proveStop, type ServiceFile, STOP_PROOF_HEADER } from '../../src/contract/service-file.js';
import { call } from '../contract/support/http.js';
import { readService } from '../support/local-service.js';
import { createServiceHome, startOwnService } from '../support/own-service.js';

const STOP_TIMEOUT_MS = 35_000;
const noSignal = (_pid: number, name: NodeJS.Signals) => {
  throw new Error(`${name} was sent`);
};

test.each(['win32', 'linux'] as const)(
  'a service that is asked on %s → cleans up and ends with 0, without a signal',
  async (platform) => {
    const home = createServiceHome();
    const serving = await startOwnService(home);
    const found = await probeService(home.dataDir);
    if (found === undefined) throw new Error('the service does not answer');
    expect(await createStopper({ platform, signal: noSignal })(found, STOP_TIMEOUT_MS)).toBe(true);
    expect(await serving.ended).toBe(0);
    expect(existsSync(join(home.dataDir, 'service.json'))).toBe(false);
    expect(serving.log()).toContain('"msg":"stopped"');
  },
);

test('a stop without the right proof, or through a proxy → 404, and the service goes on', async () => {
  const home = createServiceHome();
  const serving = await startOwnService(home);
  const file = readService(home);
  const { instanceId, proofKey } = file;
  const stop = (headers: Record<string, string>) => call(`${serving.url}/stop`, { method: 'POST', headers });
  const proof = { [STOP_PROOF_HEADER]: proveStop(file) };
  // The health check proves any nonce to anybody: none of its answers may stop the service.
  const { proof: answered } = (await call(`${serving.url}/healthz?nonce=${instanceId}`)).json;
  expect(answered).toBe(proveHealth(proofKey, instanceId));
  for (const headers of [
    {},
    { [STOP_PROOF_HEADER]: answered },
    { [STOP_PROOF_HEADER]: proofKey },
    { [STOP_PROOF_HEADER]: proveStop({ proofKey, instanceId: 'an earlier start' }) },
    { ...proof, 'x-forwarded-for': '127.0.0.1' },
  ])
    expect((await stop(headers)).status).toBe(404);
  expect((await call(`${serving.url}/stop`, { headers: proof })).status).toBe(404);
  expect((await call(`${serving.url}/healthz`)).json.status).toBe('ok');
});

test('a service of an earlier version, which does not know the call → SIGTERM, but no signal on Windows', async () => {
  const child = startSleeper();
  const ended = new Promise((resolve) => child.once('exit', (_code, name) => resolve(name)));
  const server = createServer((_request, response) => response.writeHead(404).end());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const file: ServiceFile = {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    version: '0.0.1',
    instanceId: 'i',
    proofKey: 'p',
    startedAt: new Date().toISOString(),
    stopsWhenIdle: true,
  };
  const found = { file, health: { status: 'ok', version: '0.0.1', instanceId: 'i' } } as const;
  expect(await createStopper({ platform: 'win32', signal: noSignal })(found, 100)).toBe(false);
  expect(await createStopper({ platform: 'darwin' })(found, STOP_TIMEOUT_MS)).toBe(true);
  expect(await ended).toBe('SIGTERM');
});

function startSleeper(): ChildProcess {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
