import type { Context } from '../../context.js';
import { countOf } from '../../contract/count-of.js';
import { OcrError } from '../../contract/ocr-error.js';
import { killCommand } from '../../local/kill-command.js';
import { localServerId } from '../../local/service-locator.js';

/** Longer than the time in which a stopping service finishes its calls. */
const STOP_TIMEOUT_MS = 35_000;

export interface StopOptions {
  /** True when unfinished jobs are cancelled, also those of a service that has ended already. */
  cancelsJobs: boolean;
}

/**
 * Stops the service on this machine; its unfinished jobs go on at its next start, or are cancelled.
 * @throws OcrError LOCAL_UNAVAILABLE
 */
export async function stop(context: Context, { cancelsJobs }: StopOptions): Promise<void> {
  const { dataDir } = await context.directories();
  const { probeService } = await import('../../local/probe-service.js');
  const found = await probeService(dataDir);
  if (found === undefined) {
    const { findUnresponsiveService } = await import('../../local/find-unresponsive-service.js');
    const pid = await findUnresponsiveService(dataDir);
    if (pid === undefined) {
      const cancelled = cancelsJobs ? await cancelJobs(context, dataDir) : undefined;
      const what = cancelled === undefined ? '' : ` ${describeCancelled(cancelled)}`;
      return await print(context, { stopped: false, cancelled }, `No service is running on this machine.${what}`);
    }
    throw new OcrError('LOCAL_UNAVAILABLE', `The service (process ${pid}) does not answer`, {
      hint: `${killCommand(pid)}   (its jobs go on at the next start)`,
    });
  }
  const { stopService } = await import('../../local/stop-service.js');
  if (!(await stopService(found, STOP_TIMEOUT_MS, context.signal))) {
    throw new OcrError('LOCAL_UNAVAILABLE', `The service (process ${found.file.pid}) does not stop`, {
      hint: 'ocr local logs',
    });
  }
  // After the stop, so that no document comes in between.
  if (cancelsJobs) {
    const cancelled = await cancelJobs(context, dataDir);
    return await print(context, { stopped: true, cancelled }, `Stopped. ${describeCancelled(cancelled)}`);
  }
  const unfinished = found.health.unfinishedJobs ?? 0;
  const jobs =
    unfinished === 0
      ? ''
      : ` ${unfinished} unfinished ${unfinished === 1 ? 'job goes' : 'jobs go'} on at its next start.`;
  await print(context, { stopped: true }, `Stopped.${jobs}`);
}

/** Cancels what is unfinished in the data directory, and notes it: nobody can ask the service while it is stopped. */
async function cancelJobs(context: Context, dataDir: string): Promise<number> {
  (await import('../../local/missing-packages.js')).refuseWithoutPackages();
  const { cancelJobsOfService } = await import('../../service/administration/cancel-jobs.js');
  const cancelled = new Set(await cancelJobsOfService(dataDir, context.env));
  const ledger = await context.ledger();
  for (const record of await ledger.list({ unfinishedOnly: true })) {
    const { jobId, serverId } = record;
    if (jobId === undefined || serverId !== localServerId(dataDir) || !cancelled.has(jobId)) continue;
    const error = { code: 'CANCELLED', message: `Job ${jobId} was cancelled`, retryable: false };
    await ledger.finish(record, { status: 'failed', error });
  }
  return cancelled.size;
}

function describeCancelled(count: number): string {
  return count === 0 ? 'There were no unfinished jobs.' : `Cancelled ${countOf(count, 'unfinished job')}.`;
}

async function print(
  context: Context,
  state: { stopped: boolean; cancelled?: number | undefined },
  message: string,
): Promise<void> {
  if (context.output.isJson) await context.output.json(state);
  else context.output.note(message);
}
