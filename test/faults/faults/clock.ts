import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTILE_PROGRAM } from '../../contract/support/running-service.js';
import { spawnService } from '../../contract/support/spawned-service.js';
import type { Fault } from '../fault.js';
import { startSenders } from '../senders.js';

const HOUR_MS = 3_600_000;
const JUMPS_MS = [HOUR_MS, -HOUR_MS, 24 * HOUR_MS, 0, -24 * HOUR_MS, 5_000];

/** The time of day is set while documents are read, hours and days forward and back. No document may be read twice. */
export const fault: Fault = {
  name: 'the clock is set by hours and days',
  promises: [
    'nothing acknowledged is lost',
    'every acknowledged job ends once',
    'results are whole',
    'the service continues by itself',
  ],
  rounds: 12,
  run: async ({ rounds, createDirectory, createShim, check, broken, count }) => {
    const dataDir = createDirectory();
    const markers = createDirectory();
    const shim = createShim(dataDir);
    const service = await spawnService(dataDir, { jobMaxAttempts: 1_000 }, HOSTILE_PROGRAM, { env: shim.env });
    const senders = startSenders({
      service: () => service,
      pageMs: 300,
      isFollowing: true,
      markers,
    });
    for (let round = 0; round < rounds; round++) {
      await sleep(randomInt(1_000, 2_500));
      shim.moveClock(JUMPS_MS[round % JUMPS_MS.length] ?? 0);
      count('jumps');
    }
    const before = senders.acknowledged().length;
    await sleep(5_000);
    if (senders.acknowledged().length === before) broken('the service continues by itself', 'it takes no documents');
    await senders.stop();
    const exitCode = await service.kill('SIGTERM');
    if (exitCode !== 0) broken('the service continues by itself', `it ended with ${exitCode}`);
    for (const name of readdirSync(markers)) {
      const reads = readFileSync(join(markers, name), 'utf8').trim().split('\n').length;
      if (reads > 1) broken('every acknowledged job ends once', `document ${name} was read ${reads} times`);
    }
    await check(dataDir, senders);
  },
};
