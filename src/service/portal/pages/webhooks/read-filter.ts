import { EVENT_TYPES } from '../../../../contract/webhook-event.js';
import type { DeliveryPageFilter } from '../../../../store/delivery-pages.js';
import type { FieldError } from '../../components/fields.js';
import { readBefore, readOption, readTimes, readTyped } from '../read-query.js';

/** Names of the filters in the address, in the order of the form, with their labels. */
export const FILTER_LABELS = {
  endpoint: 'Endpoint',
  state: 'State',
  event: 'Event',
  answer: 'Answer',
  from: 'From',
  to: 'To',
} as const;

export type FilterName = keyof typeof FILTER_LABELS;

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;
export const ANSWERS = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;

export interface ReadFilter {
  filter: DeliveryPageFilter;
  /** Values as they were typed. */
  query: Partial<Record<FilterName, string>>;
  errors: FieldError[];
}

/** Reads the filters of an address. What cannot be understood is an error of its field. */
export function readFilter(params: URLSearchParams): ReadFilter {
  const query = readTyped(params, FILTER_LABELS);
  const errors: FieldError[] = [];
  const optionOf = <Value extends string>(name: FilterName, options: readonly Value[]) =>
    readOption({ name, label: FILTER_LABELS[name], options }, query[name], errors);
  const state = optionOf('state', DELIVERY_STATES);
  const event = optionOf('event', EVENT_TYPES);
  const answer = optionOf('answer', ANSWERS);
  const filter: DeliveryPageFilter = {
    ...(query.endpoint === undefined ? {} : { endpointId: query.endpoint }),
    ...(state === undefined ? {} : { status: state }),
    ...(event === undefined ? {} : { event }),
    ...(answer === undefined ? {} : answer === 'none' ? { isUnanswered: true } : { answerClass: Number(answer[0]) }),
    ...readTimes(query, errors),
    before: readBefore(params, 'dlv'),
  };
  return { filter, query, errors };
}
