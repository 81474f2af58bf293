import type { Context } from '../../context.js';
import { serviceFlags } from '../../contract/command-words.js';
import { isTerminal } from '../../contract/envelopes.js';
import { explainEmptyList } from '../../io/messages/empty-list.js';
import { ageCell } from '../../io/output/age-cell.js';
import type { Column } from '../../io/output/table.js';
import { hasFailed, inputNamesOf, isFinished, type SubmissionRecord, statusAtOf } from '../../ledger/record.js';
import { isSelected } from '../../submission-lifecycle/choose-record.js';
import { refuseMistypedStatus } from '../../submission-lifecycle/refuse-mistyped-status.js';
import type { RefreshedStates } from './refresh-states.js';

export interface ListOptions {
  unfinishedOnly: boolean;
  /** Unix milliseconds. */
  sinceMs?: number;
  function?: string;
  /** The status right now. */
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

/** Lists the jobs that this machine submitted. Services are asked about jobs that may have changed, for a short time. */
export async function list(context: Context, given: ListOptions): Promise<void> {
  const { output } = context;
  const service = await context.activeService();
  const records = await (await context.ledger()).list(given);
  const { unknown, ...filter } = await readFunctionFilter(given.function, records);
  const options = { ...given, ...filter };
  const known = records.filter((record) => record.jobId !== undefined && isSelected(record, service));
  const wanted = known.filter((record) => isWanted(record, options));
  const candidates = filtersByState(options) ? wanted : wanted.slice(0, options.limit);
  const { records: refreshed, unanswered, reason } = await refresh(context, candidates);
  const [oldest] = [...unanswered].sort((a, b) => (statusAtOf(a) < statusAtOf(b) ? -1 : 1));
  const jobs = refreshed.filter((record) => hasWantedState(record, options)).slice(0, options.limit);
  refuseMistypedStatus(options.status, refreshed);
  if (output.isJson) return await output.json(jobs.map(describe));
  if (jobs.length === 0 && unknown !== undefined) output.note(unknown);
  else if (jobs.length === 0 && options.unfinishedOnly) output.note('No unfinished jobs known here.');
  else if (jobs.length === 0)
    output.note(explainEmptyList(JOBS, refreshed.length > 0 ? refreshed : known, options.status, service));
  else {
    const nowMs = context.clock.now();
    const rows = jobs.map((record) => {
      const { jobId, status, function: id, createdAt } = describe(record);
      return [jobId, { state: status }, id, ageCell(createdAt, nowMs), { path: inputNamesOf(record).join(', ') }];
    });
    await output.table(COLUMNS, rows);
  }
  if (oldest !== undefined) {
    output.note(
      `${count(unanswered.length, 'is', 'are')} shown as last heard of (${statusAtOf(oldest)} or later): ${reason}`,
    );
  }
  const undelivered = refreshed.filter((record) => hasEnded(record) && !isFinished(record)).length;
  if (undelivered > 0)
    output.note(
      `${count(undelivered, 'has', 'have')} ended; fetch what came of ${undelivered === 1 ? 'it' : 'them'}: ocr jobs wait --all${serviceFlags(context.flags)}`,
    );
}

/** A list of ended jobs needs no service, and does not load what asks one. */
async function refresh(context: Context, records: readonly SubmissionRecord[]): Promise<RefreshedStates> {
  if (records.every(hasEnded)) return { records, unanswered: [], reason: '' };
  const { refreshStates } = await import('./refresh-states.js');
  return await refreshStates(context, records);
}

function count(jobs: number, one: string, several: string): string {
  return jobs === 1 ? `1 job ${one}` : `${jobs} jobs ${several}`;
}

function isWanted(record: SubmissionRecord, { sinceMs, function: id }: ListOptions): boolean {
  if (id !== undefined && record.function !== id) return false;
  return sinceMs === undefined || Date.parse(record.createdAt) >= sinceMs;
}

/** True when the services' answers decide which jobs are listed; otherwise only jobs within the limit need asking. */
function filtersByState({ unfinishedOnly, failedOnly, status }: ListOptions): boolean {
  return unfinishedOnly || failedOnly || status !== undefined;
}

/** True when the record matches the filters on the present state. */
function hasWantedState(record: SubmissionRecord, { unfinishedOnly, failedOnly, status }: ListOptions): boolean {
  if (unfinishedOnly && hasEnded(record)) return false;
  if (failedOnly && !hasFailed(record)) return false;
  return status === undefined || record.status === status;
}

/** True when the job has ended at its service; in the ledger it ends when its result is delivered. */
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
    ...(input.otherNames === undefined ? {} : { otherInputs: input.otherNames }),
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

/** The catalog is loaded for a filter alone. */
async function readFunctionFilter(
  name: string | undefined,
  records: readonly SubmissionRecord[],
): Promise<{ function?: string; unknown?: string }> {
  return name === undefined ? {} : (await import('../../functions/describe-functions.js')).readFilter(name, records);
}
