import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTILE_PROGRAM } from '../../contract/support/running-service.js';
import { type SpawnedService, spawnService } from '../../contract/support/spawned-service.js';
import type { Fault } from '../fault.js';
import { startSenders } from '../senders.js';

/** kill -9 of the service at random moments, some of them while it starts. */
export const fault: Fault = {
  name: 'kill -9 at a random moment',
  promises: [
    'nothing acknowledged is lost',
    'every acknowledged job ends once',
    'results are whole',
    'a repeated call gets the same job',
  ],
  rounds: 20,
  run: async ({ rounds, createDirectory, check, count }) => {
    const dataDir = createDirectory();
    const start = () => spawnService(dataDir, { jobMaxAttempts: 1_000 }, HOSTILE_PROGRAM).catch(() => undefined);
    let service: SpawnedService | undefined;
    const senders = startSenders({ service: () => service, isPolling: true });
    for (let round = 0; round < rounds; round++) {
      service = await start();
      await sleep(randomInt(1_500));
      await service?.kill('SIGKILL');
      service = undefined;
      count('kills');
    }
    service = await start();
    await sleep(500);
    await senders.stop();
    await service?.kill('SIGKILL');
    await check(dataDir, senders);
  },
};
