import { JOB_STATES } from '../../../../contract/envelopes.js';
import { SERVICE_ERRORS } from '../../../../contract/error-codes.js';
import { PORTAL_KEY } from '../../../../contract/portal.js';
import { catalog } from '../../../../functions/catalog.js';
import type { ApiKey } from '../../../../store/api-keys.js';
import { ANY, Choice, errorOf, Field, optionsOf } from '../../components/fields.js';
import { FILTER_LABELS, type FilterName, type ReadFilter } from './read-filter.js';

/** The fields of the filters of the list. */
export function FilterFields({ query, errors, keys }: ReadFilter & { keys: readonly ApiKey[] }) {
  const common = (name: FilterName) => {
    const value = query[name];
    return {
      name,
      label: FILTER_LABELS[name],
      ...(value === undefined ? {} : { value }),
      ...errorOf(errors, name),
    };
  };
  const time = { type: 'datetime-local', hint: 'UTC' } as const;
  return (
    <>
      <Field {...common('status')} attributes={{ placeholder: '404 or 4xx' }} />
      <Choice {...common('code')} options={[ANY, ...optionsOf(Object.keys(SERVICE_ERRORS))]} />
      <Choice {...common('function')} options={[ANY, ...optionsOf(catalog.map(({ id }) => id))]} />
      <Choice {...common('key')} options={[ANY, ...keys.map(toOption), { value: PORTAL_KEY, label: 'The portal' }]} />
      <Choice {...common('job')} options={[ANY, ...optionsOf(JOB_STATES)]} />
      <Choice {...common('cached')} options={[ANY, ...optionsOf(['yes', 'no'])]} />
      <Field {...common('from')} attributes={{ type: time.type }} hint={time.hint} />
      <Field {...common('to')} attributes={{ type: time.type }} hint={time.hint} />
      <Field
        {...common('request')}
        hint="Whole, or a beginning that no other has"
        attributes={{ placeholder: 'req_…', spellcheck: false, autocomplete: 'off' }}
      />
    </>
  );
}

function toOption({ id, name, lastFour }: ApiKey) {
  return { value: id, label: `${name === '' ? 'unnamed' : name} …${lastFour}` };
}
