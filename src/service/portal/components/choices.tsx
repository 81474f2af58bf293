import { Link } from './link.js';

/** Links of which one is current, side by side. The first is the address without a query. */
export function Choices(props: {
  label: string;
  path: string;
  name: string;
  /** Further parts of each address. */
  query?: Readonly<Record<string, string | undefined>>;
  options: ReadonlyArray<{ value: string; label: string }>;
  current: string;
}) {
  const { label, path, name, query = {}, options, current } = props;
  return (
    <nav class="choices" aria-label={label}>
      {options.map((option, index) => (
        <Link
          key={option.value}
          to={path}
          query={index === 0 ? query : { ...query, [name]: option.value }}
          isCurrent={option.value === current}
        >
          {option.label}
        </Link>
      ))}
    </nav>
  );
}
