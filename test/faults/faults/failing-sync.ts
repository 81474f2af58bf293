import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTILE_PROGRAM } from '../../contract/support/running-service.js';
import { type SpawnedService, spawnService } from '../../contract/support/spawned-service.js';
import type { FaultRule } from '../../support/fault-shim/fault-shim.js';
import type { Fault } from '../fault.js';
import { startSenders } from '../senders.js';

const RULES: ReadonlyArray<() => FaultRule> = [
  () => ({ operations: ['sync'], file: 'ocr.db-wal', error: 'EIO', after: randomInt(60), times: 1 }),
  () => ({ operations: ['sync'], file: 'ocr.db-wal', error: 'ENOSPC', after: randomInt(60), times: 1 }),
  () => ({ operations: ['write'], file: 'ocr.db-wal', error: 'EIO', after: randomInt(2_000), times: 1 }),
  () => ({ operations: ['sync'], file: 'ocr.db', error: 'EIO', after: randomInt(3), times: 1 }),
  () => ({ operations: ['write'], file: 'ocr.db', error: 'EIO', after: randomInt(1_000), times: 1 }),
  // A document's own file, and its directory: only its call fails.
  () => ({ operations: ['sync'], file: 'documents', error: 'EIO', after: randomInt(10), times: 2 }),
  () => ({ operations: ['write', 'sync'], file: '.part', error: 'EIO', after: randomInt(10), times: 2 }),
];
const MAX_ROUND_MS = 10_000;

/** EIO and ENOSPC from syncs and writes of the store and the documents. */
export const fault: Fault = {
  name: 'EIO or ENOSPC from a sync, EIO from a write',
  promises: [
    'nothing acknowledged is lost',
    'every acknowledged job ends once',
    'results are whole',
    'a repeated call gets the same job',
    'the service says what failed and ends',
  ],
  rounds: 21,
  run: async ({ rounds, createDirectory, createShim, check, broken, count }) => {
    const dataDir = createDirectory();
    const shim = createShim(dataDir);
    let service: SpawnedService | undefined;
    const senders = startSenders({ service: () => service, isPolling: true });
    for (let round = 0; round < rounds; round++) {
      const log: Buffer[] = [];
      const rule = (RULES[round % RULES.length] as () => FaultRule)();
      const isOfStore = rule.file.startsWith('ocr.db');
      shim.fail();
      const running = await spawnService(dataDir, { jobMaxAttempts: 1_000 }, HOSTILE_PROGRAM, { env: shim.env, log });
      service = running;
      shim.fail(rule);
      const exitCode = await Promise.race([running.ended, sleep(isOfStore ? MAX_ROUND_MS : 2_000, 'running' as const)]);
      service = undefined;
      const hasMet = shim.countHits(0) > (rule.after ?? 0);
      if (hasMet) count(`${rule.error} of ${rule.operations.join('/')} on ${rule.file}`);
      if (exitCode === 'running') await running.kill('SIGKILL');
      if (!hasMet) continue;
      const text = Buffer.concat(log).toString();
      if (isOfStore && !(exitCode === 1 && text.includes('the disk has failed: stopping')))
        broken('the service says what failed and ends', `${JSON.stringify(rule)}: it ended with ${exitCode}`);
      if (!isOfStore && exitCode !== 'running')
        broken('the service continues by itself', `${JSON.stringify(rule)}: it ended with ${exitCode}`);
    }
    shim.fail();
    await senders.stop();
    await check(dataDir, senders);
  },
};
