import type { Context } from '../../context.js';
import type { SubmissionRecord } from '../../ledger/record.js';

/** A job that a command acts on. */
export interface NamedJob {
  jobId: string;
  /** Its record, if it was read before. */
  known?: SubmissionRecord;
}

/** Finds the unfinished jobs of the ledger that are wanted, oldest first. */
export async function findUnfinishedJobs(
  context: Context,
  isWanted: (record: SubmissionRecord) => boolean,
): Promise<NamedJob[]> {
  const records = await (await context.ledger()).list({ unfinishedOnly: true });
  const jobs = new Map<string, NamedJob>();
  for (const known of records.reverse()) {
    const { jobId, serverId } = known;
    if (jobId !== undefined && isWanted(known)) jobs.set(`${jobId} ${serverId}`, { jobId, known });
  }
  return [...jobs.values()];
}
