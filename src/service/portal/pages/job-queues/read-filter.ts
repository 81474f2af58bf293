import { JOB_STATES } from '../../../../contract/envelopes.js';
import type { JobPageFilter } from '../../../../store/job-pages.js';
import type { FieldError } from '../../components/fields.js';
import { readBefore, readOption, readTimes, readTyped } from '../read-query.js';

/** Names of the filters in the address, in the order of the form, with their labels. */
export const FILTER_LABELS = { state: 'State', function: 'Function', code: 'Code', from: 'From', to: 'To' } as const;

export type FilterName = keyof typeof FILTER_LABELS;

export interface ReadFilter {
  filter: JobPageFilter;
  /** Values as they were typed. */
  query: Partial<Record<FilterName, string>>;
  errors: FieldError[];
}

/** Reads the filters of an address. What cannot be understood is an error of its field. */
export function readFilter(params: URLSearchParams): ReadFilter {
  const query = readTyped(params, FILTER_LABELS);
  const errors: FieldError[] = [];
  const state = readOption({ name: 'state', label: FILTER_LABELS.state, options: JOB_STATES }, query.state, errors);
  const filter: JobPageFilter = {
    ...(state === undefined ? {} : { status: state }),
    ...(query.function === undefined ? {} : { function: query.function }),
    ...(query.code === undefined ? {} : { errorCode: query.code.toUpperCase() }),
    ...readTimes(query, errors),
    before: readBefore(params, 'job'),
  };
  return { filter, query, errors };
}
