import { randomInt } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTILE_PROGRAM } from '../../contract/support/running-service.js';
import { spawnService } from '../../contract/support/spawned-service.js';
import { mountTinyDisk } from '../../support/tiny-disk.js';
import type { Fault } from '../fault.js';
import { startSenders } from '../senders.js';

const DISK_KIB = 48 * 1024;

/** A small file system fills up while documents come, and has space again later. The service is not restarted. */
export const fault: Fault = {
  name: 'a full disk, and space again',
  promises: [
    'nothing acknowledged is lost',
    'every acknowledged job ends once',
    'results are whole',
    'the service continues by itself',
  ],
  rounds: 5,
  run: async ({ rounds, createDirectory, skip, check, broken, count }) => {
    const dataDir = createDirectory();
    const disk = mountTinyDisk(dataDir, DISK_KIB);
    if (disk === undefined) return skip('only root may mount a small disk');
    try {
      const service = await spawnService(dataDir, { jobMaxAttempts: 1_000 }, HOSTILE_PROGRAM);
      const senders = startSenders({ service: () => service, isPolling: true });
      for (let round = 0; round < rounds; round++) {
        await sleep(randomInt(1_000));
        const filler = join(dataDir, 'filler');
        fillUp(filler);
        await sleep(2_000);
        rmSync(filler);
        const before = senders.acknowledged().length;
        const deadline = performance.now() + 30_000;
        while (senders.acknowledged().length === before && performance.now() < deadline) await sleep(50);
        if (senders.acknowledged().length === before)
          broken('the service continues by itself', 'no document was accepted within 30 s of space');
        count('times full');
      }
      await senders.stop();
      const exitCode = await service.kill('SIGTERM');
      if (exitCode !== 0) broken('the service continues by itself', `it ended with ${exitCode}`);
      await check(dataDir, senders);
    } finally {
      disk.unmount();
    }
  },
};

function fillUp(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (let size = 1024 * 1024; size >= 4096; ) {
      try {
        writeSync(file, Buffer.alloc(size));
      } catch {
        size /= 2;
      }
    }
  } finally {
    closeSync(file);
  }
}
