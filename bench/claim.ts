import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId } from '../src/contract/identifiers.js';
import { createOrganisation } from '../src/store/access.js';
import { createQueue } from '../src/store/create-queue.js';
import { openStore } from '../src/store/sqlite/open-store.js';
import type { Store } from '../src/store/store.js';
import { ANY } from '../src/store/turns.js';
import { one, run, type Unit } from '../src/store/unit.js';
import { median } from './median.js';

const WAITING = 100_000;
const CLAIMS = 200;
/** Free slots of a machine with many cores. */
const SLOTS = 16;

/** A claim that takes the oldest job, whoever sent it. */
const FIFO = `
  UPDATE job SET status = 'processing', attempts = attempts + 1, token = :token, lease_until = :leaseUntilMs, started_at = 1
  WHERE id = (SELECT id FROM job WHERE status = 'queued' ORDER BY created_at, id LIMIT 1) RETURNING id, document_id AS "documentId"`;

/** `npm run bench -- claim`: the fair claim beside one that takes the oldest job, at 100,000 waiting jobs. */
export async function printClaims(): Promise<void> {
  for (const organisations of [1, 20, 200]) await printClaim(organisations);
}

async function printClaim(organisations: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-bench-claim-'));
  const store = await openStore(join(directory, 'ocr.db'));
  try {
    await fill(store, organisations);
    const queue = createQueue(store);
    const fair: number[] = [];
    const fifo: number[] = [];
    const several: number[] = [];
    for (let i = 0; i < CLAIMS; i++) {
      fair.push(await measure(() => queue.claim(10_000)));
      fifo.push(await measure(() => store.write(claimOldest, { isSynced: false })));
      if (i % 4 === 3) several.push(await measure(() => queue.claim(10_000, ANY, SLOTS)));
      // At most four jobs run, the number of a machine with four cores.
      if (i % 2 === 1) await store.write(() => run(`UPDATE job SET status = 'completed' WHERE status = 'processing'`));
    }
    console.log(
      `${`a claim, 100,000 jobs of ${organisations} organisations wait`.padEnd(58)} ${median(fair).toFixed(2)} ms   ` +
        `the oldest job: ${median(fifo).toFixed(2)} ms   ratio ${(median(fair) / median(fifo)).toFixed(1)}   ` +
        `${SLOTS} at once: ${median(several).toFixed(2)} ms`,
    );
  } finally {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function* claimOldest(): Unit<void> {
  const job = yield* one<{ documentId: string }>(FIFO, { token: 'token', leaseUntilMs: Date.now() + 10_000 });
  yield* one('SELECT mime_type, page_count FROM document WHERE id = :id', { id: job?.documentId ?? '' });
}

async function fill(store: Store, organisations: number): Promise<void> {
  const ids: string[] = [];
  for (let i = 0; i < organisations; i++) ids.push(await createOrganisation(store, `Organisation ${i}`));
  await store.write(function* () {
    yield* run(`CREATE INDEX job_oldest ON job (created_at, id) WHERE status = 'queued'`);
    for (let i = 0; i < WAITING; i++) {
      const values = { organisationId: ids[i % organisations] ?? '', documentId: createId('doc'), createdAt: i };
      yield* run(
        `INSERT INTO document (id, organisation_id, sha256, size_bytes, mime_type, page_count, created_at)
         VALUES (:documentId, :organisationId, 'ab', 1, 'application/pdf', 1, :createdAt)`,
        values,
      );
      yield* run(
        `INSERT INTO job (id, organisation_id, request_id, document_id, function, args, cache_key, status, priority, attempts,
           interruptions, created_at, place) VALUES (:jobId, :organisationId, :requestId, :documentId, 'TEXT_EXTRACTION', '{}',
           :documentId, 'queued', :priority, 0, 0, :createdAt, :createdAt)`,
        { ...values, jobId: createId('job'), requestId: createId('req'), priority: i % 2 },
      );
    }
    for (const [index, organisationId] of ids.entries())
      yield* run('INSERT INTO worker_time (organisation_id, fades_at) VALUES (:organisationId, :index)', {
        organisationId,
        index,
      });
  });
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
