import type { Context } from '../../context.js';
import { serviceFlags } from '../../contract/command-words.js';
import { isTerminal } from '../../contract/envelopes.js';
import { explainEmptyList } from '../../io/messages/empty-list.js';
import { ageCell } from '../../io/output/age-cell.js';
import type { Column } from '../../io/output/table.js';
import { hasFailed, isFinished, type SubmissionRecord, statusAtOf } from '../../ledger/record.js';
import { isSelected } from '../../submission-lifecycle/choose-record.js';
import { refuseMistypedStatus } from '../../submission-lifecycle/refuse-mistyped-status.js';
import { refreshStates } from './refresh-states.js';

export interface ListOptions {
  unfinishedOnly: boolean;
  /** Unix milliseconds. */
  sinceMs?: number;
  function?: string;
  /** As it is known now. */
  status?: string;
  failedOnly: boolean;
  limit?: number;
}

const COLUMNS: readonly Column[] = [
  'Job',
  'Status',
  { name: 'Function', omitWhen: 'narrow' },
  { name: 'Submitted', omitWhen: 'narrow' },
  'Input',
];

const JOBS = { one: 'job', start: 'Queue a document: ocr extract --no-wait <file>' } as const;

/** The jobs that this machine submitted; those that were not done when last heard of are asked for, and not for long. */
export async function list(context: Context, options: ListOptions): Promise<void> {
  const { output } = context;
  const inUse = await context.activeService();
  const records = await (await context.ledger()).list(options);
  const known = records.filter((record) => record.jobId !== undefined && isSelected(record, inUse));
  const wanted = known.filter((record) => isWanted(record, options));
  const asked = isByState(options) ? wanted : wanted.slice(0, options.limit);
  const { records: heard, unheard, reason } = await refreshStates(context, asked);
  const [oldest] = [...unheard].sort((a, b) => (statusAtOf(a) < statusAtOf(b) ? -1 : 1));
  const jobs = heard.filter((record) => isAsked(record, options)).slice(0, options.limit);
  refuseMistypedStatus(options.status, heard);
  if (output.isJson) return await output.json(jobs.map(describe));
  if (jobs.length === 0 && options.unfinishedOnly) output.note('No unfinished jobs known here.');
  else if (jobs.length === 0)
    output.note(explainEmptyList(JOBS, heard.length > 0 ? heard : known, options.status, inUse));
  else {
    const nowMs = context.clock.now();
    const rows = jobs.map((record) => {
      const { jobId, status, function: id, createdAt, input } = describe(record);
      return [jobId, status, id, ageCell(createdAt, nowMs), { path: input }];
    });
    await output.table(COLUMNS, rows);
  }
  if (oldest !== undefined) {
    output.note(
      `${count(unheard.length, 'is', 'are')} shown as last heard of (${statusAtOf(oldest)} or later): ${reason}`,
    );
  }
  const undelivered = heard.filter((record) => hasEnded(record) && !isFinished(record)).length;
  if (undelivered > 0)
    output.note(
      `${count(undelivered, 'has', 'have')} ended; fetch what came of it: ocr jobs wait --all${serviceFlags(context.flags)}`,
    );
}

function count(jobs: number, one: string, several: string): string {
  return jobs === 1 ? `1 job ${one}` : `${jobs} jobs ${several}`;
}

function isWanted(record: SubmissionRecord, { sinceMs, function: id }: ListOptions): boolean {
  if (id !== undefined && record.function !== id) return false;
  return sinceMs === undefined || Date.parse(record.createdAt) >= sinceMs;
}

/** Whether which jobs are shown depends on what their services say; else no others need be asked for. */
function isByState({ unfinishedOnly, failedOnly, status }: ListOptions): boolean {
  return unfinishedOnly || failedOnly || status !== undefined;
}

/** By what is known of it only now. */
function isAsked(record: SubmissionRecord, { unfinishedOnly, failedOnly, status }: ListOptions): boolean {
  if (unfinishedOnly && hasEnded(record)) return false;
  if (failedOnly && !hasFailed(record)) return false;
  return status === undefined || record.status === status;
}

/** At its service; in the ledger only once its end was delivered. */
function hasEnded(record: SubmissionRecord): boolean {
  return isFinished(record) || isTerminal(record.status);
}

function describe(record: SubmissionRecord) {
  const { jobId = '', status, input, serverId, profile, requestId, createdAt, finishedAt, error } = record;
  return {
    jobId,
    status,
    function: record.function,
    input: input.name,
    sha256: input.sha256,
    profile,
    server: serverId,
    requestId: requestId ?? null,
    createdAt,
    finishedAt: finishedAt ?? null,
    statusAt: statusAtOf(record),
    ...(error === undefined ? {} : { error }),
  };
}
