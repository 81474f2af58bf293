import { canonicalId } from '../../../../contract/identifiers.js';
import type { RequestPageFilter } from '../../../../store/requests.js';
import type { FieldError } from '../../components/fields.js';
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
export function readFilter(params: URLSearchParams): ReadFilter {
  const query = readTyped(params, FILTER_LABELS);
  const errors: FieldError[] = [];
  const filter: RequestPageFilter = {
    ...readStatus(query.status, errors),
    ...(query.code === undefined ? {} : { errorCode: query.code.toUpperCase() }),
    ...(query.function === undefined ? {} : { function: query.function }),
    ...(query.key === undefined ? {} : { keyId: query.key }),
    ...(query.job === undefined ? {} : { jobStatus: query.job }),
    ...(query.cached === undefined ? {} : { cached: query.cached === 'yes' ? 1 : 0 }),
    ...(query.request === undefined ? {} : { requestId: canonicalId(query.request) }),
    ...readTimes(query, errors),
    before: readBefore(params, 'req'),
  };
  return { filter, query, errors };
}

function readStatus(typed: string | undefined, errors: FieldError[]): RequestPageFilter {
  if (typed === undefined) return {};
  const [, status, group] = /^([1-5]\d\d)$|^([1-5])xx$/i.exec(typed) ?? [];
  if (status !== undefined) return { httpStatus: Number(status) };
  if (group !== undefined) return { statusClass: Number(group) };
  errors.push({ field: 'status', message: 'Status is a number such as 404, or a class such as 4xx' });
  return {};
}
