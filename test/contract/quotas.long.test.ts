import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { all, one } from '../../dist/store/unit.js';
import { until } from '../support/until.js';
import { call } from './support/http.js';
import { openBeside } from './support/organisations.js';
import { createDataDir, HOSTILE_PROGRAM } from './support/running-service.js';
import { killSpawnedServices, spawnService } from './support/spawned-service.js';

afterAll(killSpawnedServices);

const ASYNC = { prefer: 'respond-async' };
let count = 0;
const makeDocument = (text = '') => Buffer.from(`%PDF-1.4 TEXT=${++count} ${text}`);

test('three kills during uploads → exactly the completed documents count', async () => {
  const dataDir = createDataDir();
  const acknowledged = new Set<string>();
  for (let round = 0; round < 3; round++) {
    const spawned = await spawnService(dataDir, {}, HOSTILE_PROGRAM);
    const before = acknowledged.size;
    const senders = Array.from({ length: 6 }, async () => {
      for (let i = 0; ; i++) {
        const answer = await spawned.client.submit(makeDocument(i % 3 === 0 ? 'DO=fault' : ''), { headers: ASYNC });
        acknowledged.add(answer.json.jobId);
      }
    });
    const ended = Promise.allSettled(senders);
    await until(() => acknowledged.size > before + 12, 'documents to be accepted');
    await spawned.kill('SIGKILL');
    await ended;
  }
  const last = await spawnService(dataDir, {}, HOSTILE_PROGRAM);
  for (const jobId of acknowledged) await last.client.waitForJob(jobId);
  await until(async () => (await call(`${last.url}/healthz`)).json.unfinishedJobs === 0, 'every job to end');
  await last.kill('SIGTERM');
  const store = await openBeside({ url: last.url, dataDir });
  const [{ id = '' } = {}] = await store.store.read(all<{ id: string }>('SELECT id FROM organisation'));
  const count = async (status: string) =>
    (await store.store.read(one<{ n: number }>('SELECT count(*) AS n FROM job WHERE status = :status', { status })))?.n;
  expect(await count('failed')).toBeGreaterThan(3);
  expect(await store.countUsage(id)).toBe(await count('completed'));
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});
