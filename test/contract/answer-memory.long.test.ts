import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openBeside } from './support/organisations.js';
import { HOSTILE_PROGRAM, startTestService } from './support/running-service.js';

test('a caller that does not read its large results → holds at most half of the answer memory; others are served', async () => {
  const MIB = 1024 * 1024;
  const service = await startTestService({
    documentProgram: HOSTILE_PROGRAM,
    config: { answerMemoryBytes: 60 * MIB, inlineMaxBytes: 50 * MIB },
  });
  onTestFinished(() => service.remove());
  const beside = await openBeside(service);
  onTestFinished(() => beside.close());
  const other = await beside.add();
  // The text is larger than the system's socket buffers.
  const large = `%PDF-1.4 TEXT=${'x'.repeat(24 * MIB)}`;
  const { jobId } = (await service.submit(large, { headers: { prefer: 'respond-async' } })).json;
  const path = `/v1/ocr/jobs/${jobId}`;
  expect((await service.waitForJob(jobId)).json.result.text).toHaveLength(24 * MIB);

  const { hostname, port } = new URL(service.url);
  const idle = net.connect({ host: hostname, port: Number(port) }).pause();
  onTestFinished(() => void idle.destroy());
  idle.on('error', () => {});
  idle.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\n\r\n`);
  await expect.poll(async () => (await service.get(path)).status).toBe(503);
  const refused = await service.submit(large);
  expect(refused.json.error).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', retryable: true });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await service.submit('%PDF-1.4 TEXT=small')).json.result).toEqual({ text: 'small' });
  expect((await other.submit(large)).json.result.text).toHaveLength(24 * MIB);

  idle.destroy();
  await expect.poll(async () => (await service.get(path)).status).toBe(200);
});
