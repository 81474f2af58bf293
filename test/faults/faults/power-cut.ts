import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../../dist/store/sqlite/open-store.js';
import { one } from '../../../dist/store/unit.js';
import { HOSTILE_PROGRAM } from '../../contract/support/running-service.js';
import { type SpawnedService, spawnService } from '../../contract/support/spawned-service.js';
import type { Fault, FaultRun } from '../fault.js';
import { cutPower } from '../power-cut-disk.js';
import { type Sent, startSenders } from '../senders.js';

/** Time of one service; a power cut may come at any moment of it, of its start and its end. */
const SERVICE_MS = 3_000;
/** Documents after a start whose acknowledgement is a moment of its own kind. */
const EARLY_DOCUMENTS = 20;
const SERVICES = ['kill', 'failed sync', 'kill', 'stop'] as const;

/**
 * Power cuts: what was not synced is lost, or a part of it, in any order. One run of several services is written down; the
 * disks of many moments of it are made afterwards, and each has to keep what was acknowledged until then.
 */
export const fault: Fault = {
  name: 'a power cut that drops unsynced writes',
  promises: [
    'nothing acknowledged is lost',
    'every acknowledged job ends once',
    'results are whole',
    'a repeated call gets the same job',
  ],
  rounds: 40,
  run: async (run) => {
    const { rounds, createDirectory, createShim, check, broken, count } = run;
    const dataDir = createDirectory();
    const shim = createShim(dataDir, { isLogging: true });
    let service: SpawnedService | undefined;
    const senders = startSenders({
      service: () => service,
      callers: 4,
      now: shim.readLogBytes,
      isPolling: true,
    });
    const starts: number[] = [];
    for (const end of SERVICES) {
      shim.fail();
      starts.push(shim.readLogBytes());
      service = await spawnService(dataDir, { jobMaxAttempts: 1_000 }, HOSTILE_PROGRAM, { env: shim.env });
      await sleep(SERVICE_MS);
      if (end === 'failed sync') {
        // The pages of this sync never reach the disk unless somebody writes them again.
        shim.fail({ operations: ['sync'], file: 'ocr.db-wal', error: 'EIO', times: 1 });
        await service.ended;
      } else {
        if (end === 'stop') await senders.stop();
        await service.kill(end === 'stop' ? 'SIGTERM' : 'SIGKILL');
      }
      service = undefined;
    }
    const cuts = chooseCuts(rounds, starts, shim.readLogBytes(), senders.acknowledged());
    const cutDisk = join(createDirectory(), 'disk');
    await cutPower(shim.logPath, dataDir, cuts, cutDisk, async (cutAt) => {
      count('power cuts');
      const until = senders.sent.map((one) => forgetAfter(one, cutAt));
      await checkSeenEnds(cutDisk, until, broken);
      await check(cutDisk, { sent: until, faults: [] });
    });
    await check(dataDir, senders);
  },
};

/**
 * Chooses moments in ascending order: a third at any byte of the log, a third just after an acknowledgement, and a third just
 * after one of the first acknowledgements of a service, which may depend on what an earlier one left.
 */
function chooseCuts(count: number, starts: readonly number[], logBytes: number, sent: readonly Sent[]): number[] {
  const acknowledged = sent.flatMap(({ acknowledgedAt }) => acknowledgedAt ?? []).sort((one, other) => one - other);
  const early = starts.flatMap((start) => acknowledged.filter((at) => at > start).slice(0, EARLY_DOCUMENTS));
  const pick = (moments: readonly number[]) => moments[randomInt(Math.max(1, moments.length))] ?? randomInt(logBytes);
  const kinds = [() => randomInt(logBytes), () => pick(acknowledged), () => pick(early)];
  const cuts = Array.from({ length: count }, (_, round) => kinds[round % kinds.length]?.() ?? 0);
  return cuts.sort((one, other) => one - other);
}

/** Returns what the sender knew at the cut. */
function forgetAfter({ text, key, ...rest }: Sent, cutAt: number): Sent {
  const { acknowledgedAt = Number.POSITIVE_INFINITY, endedAt = Number.POSITIVE_INFINITY, requestId, jobId } = rest;
  if (acknowledgedAt > cutAt || requestId === undefined || jobId === undefined) return { text, key };
  return { text, key, requestId, jobId, ...(endedAt > cutAt ? {} : { endedAt, result: rest.result ?? '' }) };
}

/** A job that was shown as completed is completed on the disk, before any service runs on it. */
async function checkSeenEnds(disk: string, sent: readonly Sent[], broken: FaultRun['broken']): Promise<void> {
  const ended = sent.filter(({ endedAt }) => endedAt !== undefined);
  if (ended.length === 0) return;
  const store = await openStore(join(disk, 'ocr.db'));
  try {
    for (const { jobId = '' } of ended) {
      const job = await store.read(one<{ status: string }>('SELECT status FROM job WHERE id = :jobId', { jobId }));
      if (job?.status !== 'completed')
        broken('every acknowledged job ends once', `${jobId} was shown as completed and is ${job?.status}`);
    }
  } finally {
    await store.close();
  }
}
