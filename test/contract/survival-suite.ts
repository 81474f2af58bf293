import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect } from 'vitest';
import { createDataDir, HOSTILE_PROGRAM, waitForNoBlobs } from './support/running-service.js';
import { killSpawnedServices, spawnService } from './support/spawned-service.js';

/** Returns a function that creates data directories; each is removed after its test, with the services on it. */
export function useDataDirs(): () => string {
  const directories = new Set<string>();
  afterEach(() => {
    killSpawnedServices();
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
    directories.clear();
  });
  return () => {
    const dataDir = createDataDir();
    directories.add(dataDir);
    return dataDir;
  };
}

const KILLS = 3;

/** Kills a service some times while six callers send documents, then checks the jobs at the next start. */
export async function killDuringUploads(
  dataDir: string,
  { settings = {}, env = {} }: { settings?: object; env?: Record<string, string> } = {},
): Promise<void> {
  const acknowledged = new Set<string>();
  for (let round = 0; round < KILLS; round++) {
    const running = await spawnService(dataDir, settings, HOSTILE_PROGRAM, { env });
    const senders = Array.from({ length: 6 }, async (_, sender) => {
      for (let i = 0; ; i++) {
        // Half of the documents are rows of the store, half are files, or objects in a bucket.
        const file = `%PDF-1.4 TEXT=${round}-${sender}-${i} ${'x'.repeat(i % 2 === 0 ? 20_000 : 100_000)}`;
        const answer = await running.client.submit(file, { headers: { prefer: 'respond-async' } });
        acknowledged.add(`${answer.json.jobId} ${round}-${sender}-${i}`);
      }
    });
    const ended = Promise.allSettled(senders);
    const before = acknowledged.size;
    await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 6);
    await sleep(Math.random() * 300);
    await running.kill('SIGKILL');
    await ended;
  }
  const last = await spawnService(dataDir, settings, HOSTILE_PROGRAM, { env });
  expect(acknowledged.size).toBeGreaterThan(6 * KILLS);
  for (const entry of acknowledged) {
    const [jobId = '', text] = entry.split(' ');
    expect((await last.client.waitForJob(jobId)).json).toMatchObject({ status: 'completed', result: { text } });
  }
  expect(await waitForNoBlobs(dataDir)).toEqual([]);
  await last.kill('SIGTERM');
}
