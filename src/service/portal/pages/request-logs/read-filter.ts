import { canonicalId } from '../../../../contract/identifiers.js';
import type { RequestPageFilter } from '../../../../store/requests.js';
import type { FieldError } from '../../components/fields.js';

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

const MAX_VALUE_LENGTH = 200;
const ROW_ID = /^req_[0-9A-Z]{26}$/;

/** Reads the filters of an address. What cannot be understood is an error of its field. */
export function readFilter(params: URLSearchParams): ReadFilter {
  const query: ReadFilter['query'] = {};
  for (const name of Object.keys(FILTER_LABELS) as FilterName[]) {
    const value = params.get(name)?.trim().slice(0, MAX_VALUE_LENGTH);
    if (value !== undefined && value !== '') query[name] = value;
  }
  const errors: FieldError[] = [];
  const filter: RequestPageFilter = {
    ...readStatus(query.status, errors),
    ...(query.code === undefined ? {} : { errorCode: query.code.toUpperCase() }),
    ...(query.function === undefined ? {} : { function: query.function }),
    ...(query.key === undefined ? {} : { keyId: query.key }),
    ...(query.job === undefined ? {} : { jobStatus: query.job }),
    ...(query.cached === undefined ? {} : { cached: query.cached === 'yes' ? 1 : 0 }),
    ...(query.request === undefined ? {} : { requestId: canonicalId(query.request) }),
    fromMs: readTime('from', query.from, 0, errors),
    toMs: readTime('to', query.to, 999, errors),
  };
  const before = params.get('before') ?? '';
  return { filter: ROW_ID.test(before) ? { ...filter, before } : filter, query, errors };
}

function readStatus(typed: string | undefined, errors: FieldError[]): RequestPageFilter {
  if (typed === undefined) return {};
  const [, status, group] = /^([1-5]\d\d)$|^([1-5])xx$/i.exec(typed) ?? [];
  if (status !== undefined) return { httpStatus: Number(status) };
  if (group !== undefined) return { statusClass: Number(group) };
  errors.push({ field: 'status', message: 'Status is a number such as 404, or a class such as 4xx' });
  return {};
}

/** Reads a time in UTC, as the field of a browser or RFC 3339 writes it. A minute without seconds ends with its last. */
function readTime(
  name: 'from' | 'to',
  typed: string | undefined,
  endMs: number,
  errors: FieldError[],
): number | undefined {
  if (typed === undefined) return undefined;
  const [, minute, seconds] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(?:\.\d+)?Z?$/.exec(typed) ?? [];
  const last = seconds ?? (name === 'to' ? ':59' : ':00');
  const ms = minute === undefined ? Number.NaN : Date.parse(`${minute}${last}Z`);
  if (!Number.isNaN(ms)) return ms + endMs;
  errors.push({ field: name, message: `${FILTER_LABELS[name]} is a time such as 2026-11-26T09:30, in UTC` });
  return undefined;
}
