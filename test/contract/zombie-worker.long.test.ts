import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import { openBlobs } from '../../dist/service/data-directory/open-blobs.js';
import { createOrganisation } from '../../dist/store/access.js';
import { createQueue } from '../../dist/store/create-queue.js';
import { openStore } from '../../dist/store/sqlite/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { one } from '../../dist/store/unit.js';
import { makeAcceptance } from './support/make-acceptance.js';
import { createDataDir, HOSTILE_PROGRAM, waitForNoBlobs } from './support/running-service.js';

const WORKER = fileURLToPath(new URL('./support/worker-process.mjs', import.meta.url));

let dataDir: string;
let store: Store;
let organisationId: string;
const workers: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = createDataDir();
  store = await openStore(join(dataDir, 'ocr.db'));
  organisationId = await createOrganisation(store, 'Test');
});
afterEach(async () => {
  for (const worker of workers.splice(0)) worker.kill('SIGKILL');
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts a worker in its own process group; `said` returns its output so far. */
function startWorker(): { child: ChildProcess; pid: number; said: () => string } {
  const settings = JSON.stringify({ jobLeaseMs: 900 });
  const child = spawn(process.execPath, [WORKER, dataDir, settings, HOSTILE_PROGRAM], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  workers.push(child);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { child, pid: child.pid as number, said: () => text };
}

async function accept(content: string): Promise<string> {
  const jobId = createId('job');
  const documentId = createId('doc');
  const { blobs } = await openBlobs({ dataDir, databaseUrl: undefined, blobsUrl: undefined }, store);
  const blob = blobs.receive(`${createId('req')}.part`);
  await blob.append(Buffer.from(content));
  const facts = {
    id: documentId,
    sha256: createHash('sha256').update(content).digest('hex'),
    sizeBytes: content.length,
  };
  const bytes = await blob.keep(facts);
  const document = { ...facts, mimeType: 'application/pdf', pageCount: 10, bytes };
  await createQueue(store).accept(
    makeAcceptance(organisationId, { jobId, args: '{"args":{}}', cacheKey: jobId, document }),
  );
  return jobId;
}

const PATIENCE = { interval: 20 };
const readJob = async (jobId: string) =>
  await store.read(
    one<{ status: string; attempts: number; finishedAt: number; body: string }>(
      `SELECT status, attempts, finished_at AS "finishedAt", body FROM job LEFT JOIN result ON job_id = id WHERE id = :jobId`,
      { jobId },
    ),
  );

test('a worker that continues after its lease → its result is discarded', async () => {
  const marker = join(dataDir, 'marker');
  const jobId = await accept(`%PDF-1.4 PAGES=15 DO=slow PAGE_MS=100 TEXT=ppid ALWAYS=1 MARKER=${marker}`);
  const zombie = startWorker();
  // The document process has the document, so its result arrives while the worker is stopped.
  await expect.poll(() => existsSync(marker), PATIENCE).toBe(true);
  process.kill(zombie.pid, 'SIGSTOP');
  const heir = startWorker();
  await expect.poll(heir.said, PATIENCE).toContain(`${jobId} completed`);
  const ended = await readJob(jobId);
  process.kill(zombie.pid, 'SIGCONT');
  await expect.poll(zombie.said, PATIENCE).toMatch(/ discarded/);
  expect(ended).toMatchObject({ status: 'completed', attempts: 1, body: JSON.stringify({ text: String(heir.pid) }) });
  expect(await readJob(jobId)).toEqual(ended);
  await expect
    .poll(zombie.said, PATIENCE)
    .toContain(`${jobId} the lease of a job was lost: how it ended here is discarded`);
  expect(await waitForNoBlobs(dataDir)).toEqual([]);

  // The worker takes jobs again.
  process.kill(heir.pid, 'SIGKILL');
  const next = await accept('%PDF-1.4 TEXT=ppid');
  await expect.poll(zombie.said, PATIENCE).toContain(`${next} completed`);
  expect(await readJob(next)).toMatchObject({ attempts: 1, body: JSON.stringify({ text: String(zombie.pid) }) });
});

test('a killed worker → another worker ends its job, once', async () => {
  const jobId = await accept('%PDF-1.4 PAGES=15 DO=slow PAGE_MS=50 TEXT=ppid');
  const first = startWorker();
  await expect.poll(first.said, PATIENCE).toContain(`${jobId} claimed`);
  const second = startWorker();
  process.kill(first.pid, 'SIGKILL');
  await expect.poll(second.said, PATIENCE).toContain(`${jobId} completed`);
  expect(await readJob(jobId)).toMatchObject({ attempts: 1, body: JSON.stringify({ text: String(second.pid) }) });
});
