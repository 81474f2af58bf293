// A worker on a store that it shares with others: node worker-process.mjs <dataDir> <settings as JSON> <documentProgram>
// Prints "<jobId> <what>" for each event of a job.
import { join } from 'node:path';
import { loadServiceConfig } from '../../../dist/service/config/service-config.js';
import { openBlobs } from '../../../dist/service/data-directory/open-blobs.js';
import { UNCONFINED } from '../../../dist/service/documents/confinement/find-confinement.js';
import { createDocumentPool } from '../../../dist/service/documents/pool.js';
import { createJobRunner } from '../../../dist/service/jobs/job-runner.js';
import { createQueue } from '../../../dist/store/create-queue.js';
import { openStore } from '../../../dist/store/sqlite/open-store.js';

const [dataDir, settings, program] = process.argv.slice(2);
const { config: defaults } = loadServiceConfig({ flags: { dataDir, workers: 1 }, env: {} });
const config = { ...defaults, ...JSON.parse(settings) };
const store = await openStore(join(dataDir, 'ocr.db'));
const { blobs } = await openBlobs(config, store);
const say = ({ jobId }, what) => process.stdout.write(`${jobId} ${what}\n`);
const pool = createDocumentPool({
  program,
  confinement: { system: UNCONFINED, memoryBytes: 2 ** 32, mayWrite: true },
  // Each worker on the store has its own room.
  room: join(blobs.readingRoom, `run-${process.pid}`),
  size: 1,
  keepWarm: 0,
  idleMs: 60_000,
  recycleAfterTasks: 100,
  recycleAtBytes: 2 ** 40,
});
const queue = createQueue(store);
const jobs = createJobRunner({
  config,
  bell: store.bell,
  queue: {
    ...queue,
    claim: async (...slots) => {
      const claimed = await queue.claim(...slots);
      for (const job of claimed) say({ jobId: job.id }, 'claimed');
      return claimed;
    },
    complete: async (job, ...outcome) => {
      const isOurs = await queue.complete(job, ...outcome);
      say({ jobId: job.id }, isOurs ? 'completed' : 'discarded');
      return isOurs;
    },
  },
  blobs,
  recognition: { identify: () => 'engine' },
  vault: { open: () => ({}) },
  pool,
  log: { info: () => {}, error: () => {}, warn: say },
  onJobEnded: () => {},
  onRun: () => {},
});
setInterval(() => jobs.wake(), 50);
