import type { Context } from '../../context.js';
import { isTerminal } from '../../contract/envelopes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { isFinished, type SubmissionRecord } from '../../ledger/record.js';
import { endIfGone, isOfOtherKey, noteStatus } from '../../submission-lifecycle/note-state.js';
import { createSemaphore } from '../../submission-lifecycle/semaphore.js';
import { findJob } from './find-job.js';

/** Bounds the time that a person waits for a list; later answers are not shown. */
const MAX_WAIT_MS = 3_000;
/** Calls at once; each is small. */
const CONCURRENCY = 64;

export interface RefreshedStates {
  records: readonly SubmissionRecord[];
  /** Records whose state may have changed, since the service did not answer. */
  unanswered: readonly SubmissionRecord[];
  /** Why it did not. */
  reason: string;
}

/**
 * Refreshes the states of jobs. The service is asked once about each job that may still change. After a service has not
 * answered, it is not asked again; the service on this machine is not started.
 */
export async function refreshStates(context: Context, records: readonly SubmissionRecord[]): Promise<RefreshedStates> {
  const { clock, signal } = context;
  const open = records.filter((record) => !isFinished(record) && !isTerminal(record.status));
  const refreshed = new Map<string, SubmissionRecord>();
  /** Reasons not to ask a service, by its id. */
  const silent = await findStoppedService(context, open);
  const semaphore = createSemaphore(CONCURRENCY);
  const ended = new AbortController();

  const refreshOne = async (record: SubmissionRecord): Promise<void> => {
    const release = await semaphore.acquire();
    try {
      if (!ended.signal.aborted && !silent.has(record.serverId))
        refreshed.set(record.id, await fetchState(context, record));
    } catch (error) {
      if (!(error instanceof OcrError) || signal.aborted) throw error;
      silent.set(record.serverId, error.message);
    } finally {
      release();
    }
  };

  const timeUp = clock.sleep(MAX_WAIT_MS, AbortSignal.any([signal, ended.signal]));
  await Promise.race([Promise.all(open.map(refreshOne)), timeUp]);
  ended.abort();
  const [reason = `no answer within ${MAX_WAIT_MS / 1_000} s`] = silent.values();
  return {
    records: records.map((record) => refreshed.get(record.id) ?? record),
    unanswered: open.filter(({ id }) => !refreshed.has(id)),
    reason,
  };
}

async function fetchState(context: Context, record: SubmissionRecord): Promise<SubmissionRecord> {
  const ledger = await context.ledger();
  const { jobId = '' } = record;
  const { api } = await findJob(context, jobId, record);
  try {
    const { status } = await api.getJob(jobId, { isBestEffort: true });
    return await noteStatus(ledger, record, status);
  } catch (error) {
    if (await isOfOtherKey(api, record)) throw error;
    if (!(await endIfGone(api, ledger, record, error))) throw error;
    return { ...record, status: 'gone', finishedAt: new Date(context.clock.now()).toISOString() };
  }
}

/** Returns the service on this machine with the reason not to ask it, when it has records and does not run. */
async function findStoppedService(
  context: Context,
  records: readonly SubmissionRecord[],
): Promise<Map<string, string>> {
  const [{ localServerId }, { probeService }, { dataDir }] = await Promise.all([
    import('../../local/service-locator.js'),
    import('../../local/probe-service.js'),
    context.directories(),
  ]);
  const serverId = localServerId(dataDir);
  const isStopped =
    records.some((record) => record.serverId === serverId) && (await probeService(dataDir)) === undefined;
  return new Map(
    isStopped ? [[serverId, 'the service on this machine is not running; its jobs go on with: ocr local start']] : [],
  );
}
