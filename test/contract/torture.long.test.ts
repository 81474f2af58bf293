import { randomBytes, randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../dist/store/sqlite/open-store.js';
import { all, one } from '../../dist/store/unit.js';
import { call } from './support/http.js';
import { createDataDir, HOSTILE_PROGRAM, waitForNoBlobs } from './support/running-service.js';
import { findChildren, killSpawnedServices, type SpawnedService, spawnService } from './support/spawned-service.js';

// kill -9 at random moments, of the service or of a document process, while callers continue. A longer run:
//   OCR_TORTURE_KILLS=1000 OCR_TORTURE_JOBS=20000 npm run test:long -- test/contract/torture.long.test.ts

const KILLS = Number(process.env.OCR_TORTURE_KILLS ?? 20);
const JOBS = Number(process.env.OCR_TORTURE_JOBS ?? 300);
const CALLERS = 8;
const TIMEOUT_MS = 120_000 + KILLS * 4_000 + JOBS * 200;

let dataDir: string;
afterEach(() => {
  killSpawnedServices();
  rmSync(dataDir, { recursive: true, force: true });
});

test(`${KILLS} kills → none of ${JOBS} acknowledged jobs is lost or recorded twice`, {
  timeout: TIMEOUT_MS,
}, async () => {
  dataDir = createDataDir();
  // The kills of this test count as attempts of the document, so the limit is high.
  const start = () => spawnService(dataDir, { jobMaxAttempts: 1_000 }, HOSTILE_PROGRAM);
  let service: SpawnedService | undefined = await start();
  /** Texts by requestId. */
  const acknowledged = new Map<string, string>();
  let documents = 0;
  let kills = 0;
  const isOver = () => kills >= KILLS && acknowledged.size >= JOBS;

  /** Sends one document after the other, each until it is acknowledged. */
  async function sendDocuments(): Promise<void> {
    while (!isOver()) {
      const number = documents++;
      const text = `${number}-${randomBytes(1_000).toString('hex')}`;
      const headers = { prefer: 'respond-async', 'idempotency-key': `document-${number}` };
      for (;;) {
        // One in four documents is large enough to be a file; the others are rows of the store.
        const file = `%PDF-1.4 TEXT=${text} ${'x'.repeat(number % 4 === 0 ? 100_000 : 0)}`;
        const answer = await service?.client.submit(file, { headers }).catch(() => undefined);
        if (answer?.status === 202) {
          acknowledged.set(answer.json.requestId, text);
          break;
        }
        // Without an answer the service was down or the call was cut. The only other valid answer is PROVIDER_UNAVAILABLE.
        if (answer !== undefined)
          expect(answer.json?.error, answer.text).toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
        await sleep(20);
      }
    }
  }

  async function killAtRandom(): Promise<void> {
    while (!isOver()) {
      // A short wait kills the service while it starts.
      await sleep(randomInt(kills < KILLS ? 400 : 1_000));
      if (kills >= KILLS) continue;
      kills++;
      const processes = findChildren(service?.child.pid as number);
      const victim = processes[randomInt(Math.max(1, processes.length))];
      if (victim !== undefined && randomInt(2) === 0) {
        killProcess(victim);
        continue;
      }
      await service?.kill('SIGKILL');
      service = undefined;
      if (randomInt(4) === 0 && kills < KILLS) {
        kills++;
        await Promise.all([start().catch(() => undefined), sleep(randomInt(600)).then(killSpawnedServices)]);
      }
      service = await start();
    }
  }

  await Promise.all([killAtRandom(), ...Array.from({ length: CALLERS }, sendDocuments)]);
  const { url } = service as SpawnedService;
  const countUnfinished = async () => (await call(`${url}/healthz`)).json.unfinishedJobs as number;
  await expect.poll(countUnfinished, { timeout: TIMEOUT_MS, interval: 200 }).toBe(0);
  expect(await waitForNoBlobs(dataDir, 20_000)).toEqual([]);
  expect(await service?.kill('SIGTERM')).toBe(0);

  const store = await openStore(join(dataDir, 'ocr.db'));
  try {
    expect(await store.read(all('PRAGMA integrity_check'))).toEqual([{ integrity_check: 'ok' }]);
    const jobs = await store.read(
      all<{ id: string; status: string; body: string }>(
        'SELECT request_id AS id, status, body FROM job LEFT JOIN result ON result.job_id = job.id',
      ),
    );
    // A resent document has the same key, so it is the same job and counts once.
    expect(jobs.length).toBe(documents);
    expect(acknowledged.size).toBe(documents);
    expect((await store.read(one<{ n: number }>('SELECT sum(documents) AS n FROM usage')))?.n).toBe(documents);
    expect(
      (
        await store.read(
          one<{ n: number }>('SELECT count(*) AS n FROM request WHERE job_id IS NOT NULL AND replay_of IS NULL'),
        )
      )?.n,
    ).toBe(documents);
    for (const { id, status, body } of jobs) {
      expect(status, id).toBe('completed');
      expect(JSON.parse(body), id).toEqual({ text: acknowledged.get(id) });
    }
  } finally {
    await store.close();
  }
});

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}
