import { setTimeout as sleep } from 'node:timers/promises';
import { createId } from '../../contract/identifiers.js';
import type { Blobs } from '../../store/blobs/blobs.js';
import type { Store } from '../../store/store.js';
import { explainLackOfResources } from '../http/service-error.js';
import type { JobRunner } from '../jobs/job-runner.js';
import type { Log } from '../log.js';
import type { Activity } from './activity.js';

/** Time that a result stays valid, so that frequent calls do not write each time. */
const BELIEVED_MS = 1_000;
const PATIENCE_MS = 2_000;
const PROBE_BYTES = 4096;

export interface Readiness {
  /** Returns the reason why the service takes no work; undefined while it does. */
  findObstacle(): Promise<string | undefined>;
}

/** Tests by asking the store and writing a few bytes where uploads go, because a full disk only fails writes. */
export function createReadiness(options: {
  activity: Activity;
  store: Store;
  blobs: Blobs;
  jobs: Pick<JobRunner, 'blockedReason'>;
  log: Log;
}): Readiness {
  const { activity, store, blobs, jobs, log } = options;
  let latest: { atMs: number; obstacle: Promise<string | undefined> } | undefined;
  let lastObstacle: string | undefined;

  async function probe(): Promise<string | undefined> {
    const obstacle = await Promise.race([
      tryToWrite(store, blobs).then(
        () => undefined,
        (error: unknown) => explainLackOfResources(error) ?? 'its data directory cannot be written',
      ),
      sleep(PATIENCE_MS, 'its data directory does not take anything', { ref: false }),
    ]);
    if (obstacle !== lastObstacle) log.warn({ reason: obstacle }, obstacle === undefined ? 'ready again' : 'not ready');
    lastObstacle = obstacle;
    return obstacle;
  }

  return {
    findObstacle: async () => {
      if (activity.isStopping) return 'it is stopping';
      if (!activity.isReady) return 'it is starting';
      if (latest === undefined || performance.now() - latest.atMs > BELIEVED_MS)
        latest = { atMs: performance.now(), obstacle: probe() };
      // A small write may succeed where a result does not fit.
      return (await latest.obstacle) ?? jobs.blockedReason;
    },
  };
}

async function tryToWrite(store: Store, blobs: Blobs): Promise<void> {
  const blob = blobs.receive(`${createId('req')}.part`);
  try {
    await blob.append(Buffer.alloc(PROBE_BYTES));
    await blob.spill();
  } finally {
    await blob.discard();
  }
  await store.probe();
}
