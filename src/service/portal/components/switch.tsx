import type { ComponentChildren } from 'preact';
import { ariaOf, Notes } from './fields.js';

/** A box that is ticked or not, with its hint. */
export function Switch(props: { name: string; label: string; isOn: boolean; hint: ComponentChildren; error?: string }) {
  const { name, label, isOn, hint, error } = props;
  return (
    <div class="field switch">
      <input
        type="checkbox"
        id={`field-${name}`}
        name={name}
        value="true"
        checked={isOn}
        {...ariaOf(name, hint, error)}
      />
      <label for={`field-${name}`}>{label}</label>
      <Notes name={name} hint={hint} {...(error === undefined ? {} : { error })} />
    </div>
  );
}
