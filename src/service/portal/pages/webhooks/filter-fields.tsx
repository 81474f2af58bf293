import { EVENT_TYPES } from '../../../../contract/webhook-event.js';
import { Choice, Field } from '../../components/fields.js';
import type { EndpointLine } from '../../scoped/webhooks.js';
import { ANSWERS, DELIVERY_STATES, FILTER_LABELS, type FilterName, type ReadFilter } from './read-filter.js';

const any = { value: '', label: 'Any' };
const asOptions = (values: readonly string[]) => [any, ...values.map((value) => ({ value, label: value }))];

/** The fields of the filters of deliveries. */
export function FilterFields({ query, errors, endpoints }: ReadFilter & { endpoints: readonly EndpointLine[] }) {
  const common = (name: FilterName) => {
    const error = errors.find(({ field }) => field === name)?.message;
    return {
      name,
      label: FILTER_LABELS[name],
      value: query[name] ?? '',
      ...(error === undefined ? {} : { error }),
    };
  };
  const time = { attributes: { type: 'datetime-local' as const }, hint: 'UTC' };
  return (
    <>
      <Choice {...common('endpoint')} options={[any, ...endpoints.map(({ id, url }) => ({ value: id, label: url }))]} />
      <Choice {...common('state')} options={asOptions(DELIVERY_STATES)} />
      <Choice {...common('event')} options={asOptions(EVENT_TYPES)} />
      <Choice {...common('answer')} options={asOptions(ANSWERS)} />
      <Field {...common('from')} {...time} />
      <Field {...common('to')} {...time} />
    </>
  );
}
