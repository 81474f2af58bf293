import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { ageCell } from '../../../io/output/age-cell.js';
import type { Cell, Column } from '../../../io/output/table.js';
import { withAdministration } from '../../../service/administration/open.js';
import { listLoggedRequests, type RequestView } from '../../../service/administration/request-log.js';

export type ListOptions = ServiceLocation & Parameters<typeof listLoggedRequests>[1];

/** Lists the request log of a service, newest first, with the refused calls. @throws OcrError NOT_FOUND */
export async function list({ env, output, clock }: Context, options: ListOptions): Promise<void> {
  const found = await withAdministration(options, env, ({ store }) => listLoggedRequests(store, options));
  if (output.isJson) return await output.json(found);
  if (found.length === 0) output.note('No such requests.');
  else {
    const nowMs = clock.now();
    await output.table(
      COLUMNS,
      found.map((entry) => rowOf(entry, nowMs)),
    );
  }
}

const COLUMNS: readonly Column[] = [
  'Request',
  'Time',
  { name: 'Organisation', omitWhen: 'narrow' },
  { name: 'Key', omitWhen: 'narrow' },
  { name: 'Method', omitWhen: 'narrow' },
  { name: 'Function', omitWhen: 'narrowest' },
  'HTTP',
  { name: 'Job', omitWhen: 'narrow' },
  { name: 'ms', omitWhen: 'narrow' },
  { name: 'Error', omitWhen: 'empty' },
];

function rowOf(entry: RequestView, nowMs: number): Cell[] {
  const { requestId, createdAt, orgId, keyLastFour, method, httpStatus, jobStatus, elapsedMs, error } = entry;
  const what = entry.function ?? { path: entry.path ?? '' };
  const key = keyLastFour === null ? null : `…${keyLastFour}`;
  const [status, took] = [httpStatus, elapsedMs].map((number) => String(number ?? ''));
  const age = ageCell(createdAt, nowMs);
  const cells = [requestId, age, orgId, key, method, what, status, jobStatus, took, error?.code];
  return cells.map((cell) => cell ?? '');
}
