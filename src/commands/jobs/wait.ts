import type { Context } from '../../context.js';
import { EXIT, type ExitCode } from '../../contract/exit-codes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { deliver } from '../../io/deliver.js';
import { createProgress } from '../../io/progress.js';
import { combineExitCodes } from '../../submissions/combine-exit-codes.js';
import { follow, settle, stillRunning } from '../../submissions/follow.js';
import { findJob } from './find-job.js';

export interface WaitOptions {
  jobIds: string[];
  /** Every unfinished job of this machine's ledger. */
  isAll: boolean;
  /** For all of them together. */
  waitTimeoutMs?: number;
}

/** Follows jobs to their end and prints their results in the order given, as extract does. */
export async function wait(context: Context, options: WaitOptions): Promise<void> {
  const settings = await context.settings();
  const jobIds = options.isAll ? await unfinishedJobs(context) : [...new Set(options.jobIds)];
  if (jobIds.length === 0) context.output.note('No job is unfinished.');
  const waitTimeoutMs = options.waitTimeoutMs ?? settings.waitTimeoutMs.value;
  const deadlineMs = context.clock.now() + waitTimeoutMs;
  const codes: ExitCode[] = [];
  for (const jobId of jobIds) {
    if (context.io.stdout.isClosed) break;
    try {
      const leftMs = Math.max(0, deadlineMs - context.clock.now());
      const ended = await waitForOne(context, jobId, { leftMs, waitTimeoutMs, isOneOfSeveral: jobIds.length > 1 });
      codes.push(ended?.exitCode ?? EXIT.ok);
    } catch (error) {
      if (!(error instanceof OcrError)) throw error;
      const name = await nameOf(context, jobId);
      await context.report(error, { input: name, compact: jobIds.length > 1 });
      codes.push(error.exitCode);
    }
  }
  context.exitCode = combineExitCodes(codes);
}

/** Returns how it ended where the job goes on without us. */
async function waitForOne(
  context: Context,
  jobId: string,
  { leftMs, waitTimeoutMs, isOneOfSeveral }: { leftMs: number; waitTimeoutMs: number; isOneOfSeveral: boolean },
): Promise<OcrError | undefined> {
  const { io, output, signal } = context;
  const { record, pending, api } = await findJob(context, jobId);
  const ledger = await context.ledger();
  const progress = createProgress({ isShown: io.stderr.isTerminal && !output.isQuiet && !output.isJson });
  try {
    const outcome = await follow(api, ledger, {
      pending,
      record,
      waitTimeoutMs: leftMs,
      pollsAtOnce: true,
      signal,
      onPoll({ status, progress: pages }) {
        const done = pages === undefined ? '' : `, ${pages.pagesDone} of ${pages.pageCount} pages`;
        progress.update(`${jobId} ${status}${done}`);
      },
    });
    await progress.stop();
    const to = { output, stdout: io.stdout, input: record?.input.name ?? jobId, isOneOfSeveral, file: undefined };
    if (outcome.state === 'pending') {
      const ended = stillRunning(outcome, waitTimeoutMs, signal);
      if (output.isJson) await deliver(outcome, to);
      else await context.report(ended);
      return ended;
    }
    if (outcome.state === 'completed') await deliver(outcome, to);
    if (record !== undefined) await settle(ledger, record, outcome);
    if (outcome.state === 'failed') throw outcome.error;
    return undefined;
  } finally {
    await progress.stop();
  }
}

async function unfinishedJobs(context: Context): Promise<string[]> {
  const records = await (await context.ledger()).list({ unfinishedOnly: true });
  // The oldest is the likeliest to be done.
  return records.flatMap(({ jobId }) => jobId ?? []).reverse();
}

async function nameOf(context: Context, jobId: string): Promise<string> {
  const record = await (await context.ledger()).findJob(jobId).catch(() => undefined);
  return record?.input.name ?? jobId;
}
