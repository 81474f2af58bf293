import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { listLoggedRequests, type RequestView } from '../../../service/administration/request-log.js';

export type ListOptions = ServiceLocation & Parameters<typeof listLoggedRequests>[1];

/** The request log of a service, newest first; the refused calls are in it too. @throws OcrError NOT_FOUND */
export async function list({ env, output }: Context, options: ListOptions): Promise<void> {
  const found = await withAdministration(options, env, ({ store }) => listLoggedRequests(store, options));
  if (output.isJson) return await output.json(found);
  if (found.length === 0) output.note('No such requests.');
  else await output.table(COLUMNS, found.map(rowOf));
}

const COLUMNS = ['Request', 'Time', 'Organisation', 'Key', 'Method', 'Function', 'HTTP', 'Job', 'ms', 'Error'];

function rowOf(entry: RequestView): string[] {
  const { requestId, createdAt, orgId, keyLastFour, method, httpStatus, jobStatus, elapsedMs, error } = entry;
  const what = entry.function ?? entry.path;
  const key = keyLastFour === null ? null : `…${keyLastFour}`;
  const cells = [requestId, createdAt, orgId, key, method, what, httpStatus, jobStatus, elapsedMs, error?.code];
  return cells.map((cell) => String(cell ?? ''));
}
