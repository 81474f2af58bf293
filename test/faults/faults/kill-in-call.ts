import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTILE_PROGRAM } from '../../contract/support/running-service.js';
import { type SpawnedService, spawnService } from '../../contract/support/spawned-service.js';
import type { Fault } from '../fault.js';
import { startSenders } from '../senders.js';

const OPERATIONS = ['write', 'sync', 'rename', 'create'] as const;
/** Bounds of the calls that succeed before the kill; starting alone takes some 200. */
const MAX_CALLS = { write: 3_000, sync: 100, rename: 20, create: 40 };
const MAX_ROUND_MS = 8_000;

/** kill -9 in place of a system call: between two writes, between a write and its sync, before a rename. */
export const fault: Fault = {
  name: 'kill -9 in place of a write, sync, rename or creation',
  promises: [
    'nothing acknowledged is lost',
    'every acknowledged job ends once',
    'results are whole',
    'a repeated call gets the same job',
  ],
  rounds: 24,
  run: async ({ rounds, createDirectory, createShim, check, count }) => {
    const dataDir = createDirectory();
    const shim = createShim(dataDir);
    const start = () =>
      spawnService(dataDir, { jobMaxAttempts: 1_000 }, HOSTILE_PROGRAM, { env: shim.env }).catch(() => undefined);
    let service: SpawnedService | undefined;
    const senders = startSenders({ service: () => service });
    for (let round = 0; round < rounds; round++) {
      const operation = OPERATIONS[round % OPERATIONS.length] ?? 'write';
      shim.fail({ operations: [operation], file: '', error: 'kill', after: randomInt(MAX_CALLS[operation]) });
      service = await start();
      const isKilled = await Promise.race([service?.ended.then(() => true), sleep(MAX_ROUND_MS, false)]);
      if (isKilled === false) await service?.kill('SIGKILL');
      else count(`kills in ${operation}`);
      service = undefined;
    }
    shim.fail();
    service = await start();
    await sleep(500);
    await senders.stop();
    await service?.kill('SIGKILL');
    await check(dataDir, senders);
  },
};
