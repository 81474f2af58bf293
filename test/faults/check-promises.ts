import { join } from 'node:path';
import { openStore } from '../../dist/store/sqlite/open-store.js';
import { all } from '../../dist/store/unit.js';
import { waitForNoBlobs } from '../contract/support/running-service.js';
import type { SpawnedService } from '../contract/support/spawned-service.js';
import type { FaultRun } from './fault.js';
import { type Senders, untilIdle } from './senders.js';

interface JobRow {
  jobId: string;
  requestId: string;
  status: string;
  error: string | null;
  body: string | null;
}

/** Starts a service on the directory, lets it finish, and compares its store with what the senders were told. */
export async function checkPromises(
  dataDir: string,
  { sent, faults }: Pick<Senders, 'sent' | 'faults'>,
  start: () => Promise<SpawnedService>,
  broken: FaultRun['broken'],
): Promise<void> {
  for (const fault of faults) broken('nothing acknowledged is lost', `an answer outside the contract: ${fault}`);
  const last = await start();
  await untilIdle(last);
  const leftovers = await waitForNoBlobs(dataDir);
  if (leftovers.length > 0) broken('every acknowledged job ends once', `documents without a job: ${leftovers.join()}`);
  const exitCode = await last.kill('SIGTERM');
  if (exitCode !== 0) broken('the service continues by itself', `the last service ended with ${exitCode}`);

  const store = await openStore(join(dataDir, 'ocr.db'));
  try {
    const [integrity] = await store.read(all<{ integrity_check: string }>('PRAGMA integrity_check'));
    if (integrity?.integrity_check !== 'ok')
      broken('nothing acknowledged is lost', `the store is damaged: ${integrity?.integrity_check}`);
    const jobs = await store.read(
      all<JobRow>(`SELECT id AS "jobId", request_id AS "requestId", status, error_message AS error, body
       FROM job LEFT JOIN result ON result.job_id = job.id`),
    );
    const byId = new Map(jobs.map((job) => [job.jobId, job]));
    const copies = new Map<string, number>();
    for (const { body } of jobs) if (body !== null) copies.set(body, (copies.get(body) ?? 0) + 1);
    for (const { text, requestId, jobId, result } of sent) {
      const body = JSON.stringify({ text });
      const ends = copies.get(body) ?? 0;
      if (ends > 1) broken('a repeated call gets the same job', `${ends} jobs have the result ${text}`);
      if (jobId === undefined) continue;
      const job = byId.get(jobId);
      if (job === undefined) broken('nothing acknowledged is lost', `there is no job ${jobId}`);
      else if (job.requestId !== requestId)
        broken('a repeated call gets the same job', `${jobId} belongs to ${job.requestId}, not to ${requestId}`);
      else if (job.status !== 'completed')
        broken('every acknowledged job ends once', `${jobId} is ${job.status}: ${job.error}`);
      else if (job.body !== body) broken('results are whole', `${jobId} has ${job.body?.slice(0, 100)}, not ${body}`);
      if (result !== undefined && result !== text) broken('results are whole', `${jobId} was shown with ${result}`);
    }
  } finally {
    await store.close();
  }
}
