import net from 'node:net';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { call } from './support/http.js';
import { HOSTILE_PROGRAM, startTestService, type TestService, waitForNoBlobs } from './support/running-service.js';

// Callers that send wrong, slow or incomplete HTTP, byte by byte, each on its own socket.

let running: TestService;

beforeAll(async () => {
  running = await startTestService({
    documentProgram: HOSTILE_PROGRAM,
    config: { headersTimeoutMs: 800, requestTimeoutMs: 3_000, minUploadRate: 1024, maxFileBytes: 4 * 1024 * 1024 },
  });
});
afterAll(() => running.remove());
afterEach(async () => {
  // After any request, no file stays, and the next caller is served.
  expect((await running.submit('%PDF-1.4 TEXT=next')).json?.result).toEqual({ text: 'next' });
  expect(await waitForNoBlobs(running.dataDir)).toEqual([]);
});

test('a caller that does not read its answer → cut off', async () => {
  const { hostname, port } = new URL(running.url);
  const socket = net.connect({ host: hostname, port: Number(port) }).pause();
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  // The answers are larger than the system's buffers.
  const asked = `GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\nX-API-Key: ${running.key}\r\n\r\n`;
  socket.write(asked.repeat(200));
  const countOpen = async () => (await call(`${running.url}/healthz`)).json.openRequests;
  await expect.poll(countOpen).toBeGreaterThan(0);
  await expect.poll(countOpen).toBe(0);
});
