import { EVENT_TYPES } from '../../../../contract/webhook-event.js';
import { ANY, Choice, errorOf, Field, optionsOf } from '../../components/fields.js';
import type { EndpointLine } from '../../scoped/webhooks.js';
import { ANSWERS, DELIVERY_STATES, FILTER_LABELS, type FilterName, type ReadFilter } from './read-filter.js';

/** The fields of the filters of deliveries. */
export function FilterFields({ query, errors, endpoints }: ReadFilter & { endpoints: readonly EndpointLine[] }) {
  const common = (name: FilterName) => {
    return {
      name,
      label: FILTER_LABELS[name],
      value: query[name] ?? '',
      ...errorOf(errors, name),
    };
  };
  const time = { attributes: { type: 'datetime-local' as const }, hint: 'UTC' };
  return (
    <>
      <Choice {...common('endpoint')} options={[ANY, ...endpoints.map(({ id, url }) => ({ value: id, label: url }))]} />
      <Choice {...common('state')} options={[ANY, ...optionsOf(DELIVERY_STATES)]} />
      <Choice {...common('event')} options={[ANY, ...optionsOf(EVENT_TYPES)]} />
      <Choice {...common('answer')} options={[ANY, ...optionsOf(ANSWERS)]} />
      <Field {...common('from')} {...time} />
      <Field {...common('to')} {...time} />
    </>
  );
}
