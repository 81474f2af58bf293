import { errorOf, type FieldError } from './fields.js';

/** A group of boxes under one legend, of which any number is ticked. */
export function Checks(props: {
  name: string;
  label: string;
  options: readonly string[];
  chosen: readonly string[];
  hint: string;
  errors: readonly FieldError[];
}) {
  const { name, label, options, chosen, hint, errors } = props;
  const { error } = errorOf(errors, name);
  return (
    <fieldset
      class="field checks"
      id={`field-${name}`}
      tabindex={-1}
      aria-describedby={error === undefined ? `hint-${name}` : `hint-${name} error-${name}`}
    >
      <legend>{label}</legend>
      <p class="hint" id={`hint-${name}`}>
        {hint}
      </p>
      <div class="boxes">
        {options.map((option) => (
          <label key={option}>
            <input type="checkbox" name={name} value={option} checked={chosen.includes(option)} />
            <span class="word">{option}</span>
          </label>
        ))}
      </div>
      {error === undefined ? null : (
        <p class="error" id={`error-${name}`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
