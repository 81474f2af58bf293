import type { ComponentChildren } from 'preact';
import { GetForm } from './get-form.js';
import { Link } from './link.js';

/** A filter that is set: its name, its value, and how both read. */
export interface Chip {
  name: string;
  label: string;
  value: string;
}

/** The filters of a list: a GET form, whose address is the state, and a chip for each filter that is set. */
export function Filters(props: {
  path: string;
  chips: readonly Chip[];
  /** The values of all filters, as they were typed. */
  query: Readonly<Record<string, string | undefined>>;
  isOpen?: boolean;
  /** The fields. */
  children: ComponentChildren;
}) {
  const { path, chips, query, isOpen = false, children } = props;
  return (
    <>
      <details class="filters" data-keep="" open={isOpen}>
        <summary class="button">{chips.length === 0 ? 'Filter' : `Filter · ${chips.length}`}</summary>
        <GetForm to={path}>
          {children}
          <div class="buttons">
            <button class="button main" type="submit">
              Apply
            </button>
            <Link class="button" to={path}>
              Clear
            </Link>
          </div>
        </GetForm>
      </details>
      {chips.length === 0 ? null : (
        <ul class="chips">
          {chips.map(({ name, label, value }) => (
            <li key={name}>
              <Link to={path} query={{ ...query, [name]: undefined }} label={`Remove filter ${label}: ${value}`}>
                <bdi>{`${label}: ${value}`}</bdi>
              </Link>
            </li>
          ))}
          {chips.length > 1 ? (
            <li>
              <Link to={path}>Clear all</Link>
            </li>
          ) : null}
        </ul>
      )}
    </>
  );
}
