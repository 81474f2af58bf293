import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTILE_PROGRAM } from '../../contract/support/running-service.js';
import { findChildren, spawnService } from '../../contract/support/spawned-service.js';
import type { Fault } from '../fault.js';
import { startSenders } from '../senders.js';

const LEASE_MS = 2_000;

/** SIGSTOP and SIGCONT of the service, or of a document process, for longer than a lease. */
export const fault: Fault = {
  name: 'a pause (SIGSTOP) longer than a lease',
  promises: [
    'nothing acknowledged is lost',
    'every acknowledged job ends once',
    'results are whole',
    'the service continues by itself',
  ],
  rounds: 8,
  run: async ({ rounds, createDirectory, check, broken, count }) => {
    const dataDir = createDirectory();
    const settings = { jobMaxAttempts: 1_000, jobLeaseMs: LEASE_MS };
    const service = await spawnService(dataDir, settings, HOSTILE_PROGRAM);
    const senders = startSenders({ service: () => service, isPolling: true, pageMs: 20 });
    for (let round = 0; round < rounds; round++) {
      await sleep(randomInt(500, 1_500));
      const pid = service.child.pid as number;
      const children = findChildren(pid);
      const victim = round % 2 === 0 ? pid : (children[randomInt(Math.max(1, children.length))] ?? pid);
      signal(victim, 'SIGSTOP');
      await sleep(randomInt(LEASE_MS, 2 * LEASE_MS));
      signal(victim, 'SIGCONT');
      count(victim === pid ? 'pauses of the service' : 'pauses of a document process');
    }
    await senders.stop();
    const exitCode = await service.kill('SIGTERM');
    if (exitCode !== 0) broken('the service continues by itself', `it ended with ${exitCode}`);
    await check(dataDir, senders);
  },
};

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has just ended.
  }
}
