import type { ComponentChildren } from 'preact';

export interface FieldError {
  field: string;
  message: string;
}

/** Returns the error of a field as its property, if it has one. */
export function errorOf(errors: readonly FieldError[], name: string): { error?: string } {
  const error = errors.find(({ field }) => field === name)?.message;
  return error === undefined ? {} : { error };
}

interface InputAttributes {
  type?: 'text' | 'url' | 'search' | 'datetime-local' | 'number' | 'password';
  required?: boolean;
  maxlength?: number;
  min?: number;
  max?: number;
  step?: 'any';
  placeholder?: string;
  autocomplete?: string;
  spellcheck?: boolean;
}

/** A time that the field of a browser shows. It empties itself of another text, which should stay as it was typed. */
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/;

/** A labelled input with its hint and error. What was typed stays when it is refused. */
export function Field(props: {
  name: string;
  label: string;
  value?: string;
  hint?: ComponentChildren;
  error?: string;
  attributes?: InputAttributes;
}) {
  const { name, label, value = '', hint, error, attributes } = props;
  const isOddTime = attributes?.type === 'datetime-local' && value !== '' && !LOCAL_TIME.test(value);
  return (
    <Labelled name={name} label={label} hint={hint} {...(error === undefined ? {} : { error })}>
      <input
        {...({ type: 'text', ...attributes, ...ariaOf(name, hint, error) } as { type: 'text' })}
        {...(isOddTime ? { type: 'text' as const } : {})}
        id={`field-${name}`}
        name={name}
        value={value}
      />
    </Labelled>
  );
}

/** A labelled field of several lines. */
export function Area({ name, label, value, hint }: { name: string; label: string; value: string; hint: string }) {
  return (
    <Labelled name={name} label={label} hint={hint}>
      <textarea {...ariaOf(name, hint, undefined)} id={`field-${name}`} name={name} rows={6} spellcheck={false}>
        {value}
      </textarea>
    </Labelled>
  );
}

interface Option {
  value: string;
  label: string;
}

/** The option of a filter that is not set. */
export const ANY: Option = { value: '', label: 'Any' };

/** Returns the options of values that are their own labels. */
export const optionsOf = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }));

/** A labelled choice. The first option of a filter is usually "any", with an empty value. */
export function Choice(props: {
  name: string;
  label: string;
  value?: string;
  options: readonly Option[];
  hint?: ComponentChildren;
  error?: string;
}) {
  const { name, label, value = '', options, hint, error } = props;
  return (
    <Labelled name={name} label={label} hint={hint} {...(error === undefined ? {} : { error })}>
      <select {...ariaOf(name, hint, error)} id={`field-${name}`} name={name}>
        {/* A value of the address that is no choice any more stays until somebody changes it. */}
        {withValue(options, value).map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

function withValue(options: readonly Option[], value: string): readonly Option[] {
  return options.some((option) => option.value === value) ? options : [...options, { value, label: value }];
}

/** Errors of a form at its top, each a link to its field. The page moves the focus here. */
export function ErrorSummary({ errors }: { errors: readonly FieldError[] }) {
  if (errors.length === 0) return null;
  return (
    <div class="notice bad" role="alert" tabindex={-1} data-focus="">
      <ul>
        {errors.map(({ field, message }) => (
          <li key={field}>
            <a href={`#field-${field}`}>{message}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Labelled(props: {
  name: string;
  label: string;
  hint: ComponentChildren;
  error?: string;
  children: ComponentChildren;
}) {
  const { name, label, hint, error, children } = props;
  return (
    <div class="field">
      <label for={`field-${name}`}>{label}</label>
      {children}
      <Notes name={name} hint={hint} {...(error === undefined ? {} : { error })} />
    </div>
  );
}

/** The hint and the error of a field, to which `ariaOf` points. */
export function Notes({ name, hint, error }: { name: string; hint: ComponentChildren; error?: string }) {
  return (
    <>
      {hint === undefined ? null : (
        <p class="hint" id={`hint-${name}`}>
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p class="error" id={`error-${name}`}>
          {error}
        </p>
      )}
    </>
  );
}

/** Returns the attributes that join an input with its notes. */
export function ariaOf(name: string, hint: ComponentChildren, error: string | undefined) {
  const described = [
    ...(hint === undefined ? [] : [`hint-${name}`]),
    ...(error === undefined ? [] : [`error-${name}`]),
  ];
  return {
    ...(described.length === 0 ? {} : { 'aria-describedby': described.join(' ') }),
    ...(error === undefined ? {} : { 'aria-invalid': true as const }),
  };
}
