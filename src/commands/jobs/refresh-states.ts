import type { Context } from '../../context.js';
import { isTerminal } from '../../contract/envelopes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { isFinished, type SubmissionRecord } from '../../ledger/record.js';
import { endIfGone, noteStatus } from '../../submission-lifecycle/note-state.js';
import { createSemaphore } from '../../submission-lifecycle/semaphore.js';
import { findJob } from './find-job.js';

/** A list is looked at now: what is not known by then is shown as it was last heard of. */
const ASK_FOR_MS = 3_000;
const CONCURRENCY = 64;

export interface RefreshedStates {
  records: SubmissionRecord[];
  /** Those that may be otherwise by now, and why they could not be asked for. */
  unheard: SubmissionRecord[];
  reason: string;
}

/**
 * Jobs as their services know them now. Each that may still change is asked for once; of a service that does not answer
 * none further is, and one on this machine that does not run is not started for it.
 */
export async function refreshStates(context: Context, records: readonly SubmissionRecord[]): Promise<RefreshedStates> {
  const { clock, signal } = context;
  const open = records.filter((record) => !isFinished(record) && !isTerminal(record.status));
  const heard = new Map<string, SubmissionRecord>();
  /** Why a service is not asked, by its id. */
  const silent = await findAsleep(context, open);
  const semaphore = createSemaphore(CONCURRENCY);
  const isOver = new AbortController();

  const askFor = async (record: SubmissionRecord): Promise<void> => {
    const release = await semaphore.acquire();
    try {
      if (!isOver.signal.aborted && !silent.has(record.serverId)) heard.set(record.id, await ask(context, record));
    } catch (error) {
      if (!(error instanceof OcrError) || signal.aborted) throw error;
      silent.set(record.serverId, error.message);
    } finally {
      release();
    }
  };

  const timeUp = clock.sleep(ASK_FOR_MS, AbortSignal.any([signal, isOver.signal]));
  await Promise.race([Promise.all(open.map(askFor)), timeUp]);
  isOver.abort();
  const [reason = `no answer within ${ASK_FOR_MS / 1_000} s`] = silent.values();
  return {
    records: records.map((record) => heard.get(record.id) ?? record),
    unheard: open.filter(({ id }) => !heard.has(id)),
    reason,
  };
}

async function ask(context: Context, record: SubmissionRecord): Promise<SubmissionRecord> {
  const ledger = await context.ledger();
  const { jobId = '' } = record;
  try {
    const { api } = await findJob(context, jobId, record);
    const { status } = await api.getJob(jobId, { isBestEffort: true });
    return await noteStatus(ledger, record, status);
  } catch (error) {
    if (!(await endIfGone(ledger, record, error))) throw error;
    return { ...record, status: 'gone', finishedAt: new Date(context.clock.now()).toISOString() };
  }
}

async function findAsleep(context: Context, records: readonly SubmissionRecord[]): Promise<Map<string, string>> {
  const [{ localServerId }, { probeService }, { dataDir }] = await Promise.all([
    import('../../local/service-locator.js'),
    import('../../local/probe-service.js'),
    context.directories(),
  ]);
  const serverId = localServerId(dataDir);
  const isAsleep =
    records.some((record) => record.serverId === serverId) && (await probeService(dataDir)) === undefined;
  return new Map(
    isAsleep ? [[serverId, 'the service on this machine is not running; its jobs go on with: ocr local start']] : [],
  );
}
