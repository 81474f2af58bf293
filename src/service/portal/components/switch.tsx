import type { ComponentChildren } from 'preact';

/** A box that is ticked or not, with its hint. */
export function Switch(props: { name: string; label: string; isOn: boolean; hint: ComponentChildren; error?: string }) {
  const { name, label, isOn, hint, error } = props;
  const described = error === undefined ? `hint-${name}` : `hint-${name} error-${name}`;
  return (
    <div class="field switch">
      <input
        type="checkbox"
        id={`field-${name}`}
        name={name}
        value="true"
        checked={isOn}
        aria-describedby={described}
        {...(error === undefined ? {} : { 'aria-invalid': true as const })}
      />
      <label for={`field-${name}`}>{label}</label>
      <p class="hint" id={`hint-${name}`}>
        {hint}
      </p>
      {error === undefined ? null : (
        <p class="error" id={`error-${name}`}>
          {error}
        </p>
      )}
    </div>
  );
}
