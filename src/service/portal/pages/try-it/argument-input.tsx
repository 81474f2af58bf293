import { Checks } from '../../components/checks.js';
import { Choice, Field, type FieldError } from '../../components/fields.js';
import { Prose } from '../../components/prose.js';
import { Switch } from '../../components/switch.js';
import { type ArgumentField, toTyped } from './argument-fields.js';

/** The input of an argument. What is not typed has its default, which stands in the field. */
export function ArgumentInput(props: {
  field: ArgumentField;
  typed: URLSearchParams;
  /** True before anything was typed. */
  isFresh: boolean;
  errors: readonly FieldError[];
}) {
  const { field, typed, isFresh, errors } = props;
  const { field: name, label, kind, preset, isSecret, example } = field;
  const error = errors.find((one) => one.field === name)?.message;
  const value = isSecret ? '' : (typed.get(name) ?? '');
  const hint = <Hint {...field} />;
  const common = { name, label, hint, ...(error === undefined ? {} : { error }) };
  if (kind === 'switch')
    return <Switch {...common} isOn={isFresh && !typed.has(name) ? preset === true : value === 'true'} />;
  if (kind === 'checks')
    return (
      <Checks
        name={name}
        label={label}
        options={field.values.map(String)}
        chosen={typed.getAll(name)}
        hint={field.description}
        errors={errors}
      />
    );
  if (kind === 'choice') {
    const options = field.values.map((each) => ({ value: String(each), label: String(each) }));
    const none = preset === undefined ? [{ value: '', label: 'not given' }] : [];
    return (
      <Choice {...common} value={value === '' ? (toTyped(preset) ?? '') : value} options={[...none, ...options]} />
    );
  }
  const placeholder = toTyped(preset) ?? (example === undefined ? undefined : `for example ${example}`);
  return (
    <Field
      {...common}
      value={value}
      attributes={{
        type: isSecret ? 'password' : kind === 'number' ? 'number' : 'text',
        autocomplete: isSecret ? 'new-password' : 'off',
        spellcheck: false,
        ...(placeholder === undefined ? {} : { placeholder }),
        ...(field.min === undefined ? {} : { min: field.min }),
        ...(field.max === undefined ? {} : { max: field.max }),
        ...(kind === 'number' && !field.isWhole ? { step: 'any' } : {}),
        ...(kind === 'text' && field.maxLength !== undefined ? { maxlength: field.maxLength } : {}),
      }}
    />
  );
}

function Hint({ description, kind }: ArgumentField) {
  return (
    <>
      <Prose text={description} />
      {kind === 'list' ? ' Separate several by commas.' : ''}
    </>
  );
}
