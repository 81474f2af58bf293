import type { RequestPageFilter } from '../../../../store/requests.js';
import type { FieldError } from '../../components/fields.js';
import { type FoundId, findId } from '../../scoped/ids.js';
import type { OwnScope } from '../../scoped/scope.js';
import { readBefore, readTimes, readTyped } from '../read-query.js';

/** Names of the filters in the address, in the order of the form, with their labels. */
export const FILTER_LABELS = {
  status: 'Status',
  code: 'Code',
  function: 'Function',
  key: 'Key',
  job: 'State',
  cached: 'Cached',
  from: 'From',
  to: 'To',
  request: 'Request ID',
} as const;

export type FilterName = keyof typeof FILTER_LABELS;

export interface ReadFilter {
  filter: RequestPageFilter;
  /** Values as they were typed. */
  query: Partial<Record<FilterName, string>>;
  errors: FieldError[];
}

/** Reads the filters of an address. What cannot be understood is an error of its field. */
export async function readFilter(params: URLSearchParams, scope: OwnScope): Promise<ReadFilter> {
  const query = readTyped(params, FILTER_LABELS);
  const errors: FieldError[] = [];
  const filter: RequestPageFilter = {
    ...readStatus(query.status, errors),
    ...(query.code === undefined ? {} : { errorCode: query.code.toUpperCase() }),
    ...(query.function === undefined ? {} : { function: query.function }),
    ...(query.key === undefined ? {} : { keyId: query.key }),
    ...(query.job === undefined ? {} : { jobStatus: query.job }),
    ...(query.cached === undefined ? {} : { cached: query.cached === 'yes' ? 1 : 0 }),
    ...(await readRequestId(scope, query.request, errors)),
    ...readTimes(query, errors),
    before: readBefore(params, 'req'),
  };
  return { filter, query, errors };
}

/** Reads the id of a call, or a beginning that no other has. */
async function readRequestId(
  scope: OwnScope,
  typed: string | undefined,
  errors: FieldError[],
): Promise<RequestPageFilter> {
  if (typed === undefined) return {};
  const found = await findId(scope, 'req', typed);
  if (found.kind === 'found') return { requestId: found.id };
  errors.push({ field: 'request', message: explainMissing(found) });
  return {};
}

function explainMissing(missing: Exclude<FoundId, { kind: 'found' }>): string {
  if (missing.kind === 'ambiguous') return `${missing.explanation}. Give more of the ID`;
  return missing.kind === 'unknown'
    ? 'No call in this log has this Request ID'
    : 'Request ID is an ID such as req_01M8M6R55MF9QV8N31WFGGTNKB, or its beginning';
}

function readStatus(typed: string | undefined, errors: FieldError[]): RequestPageFilter {
  if (typed === undefined) return {};
  const [, status, group] = /^([1-5]\d\d)$|^([1-5])xx$/i.exec(typed) ?? [];
  if (status !== undefined) return { httpStatus: Number(status) };
  if (group !== undefined) return { statusClass: Number(group) };
  errors.push({ field: 'status', message: 'Status is a number such as 404, or a class such as 4xx' });
  return {};
}
