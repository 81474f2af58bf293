import { Link } from './link.js';

/** The way to older rows and back to the newest, under a list. `query` has the filters. */
export function Pager(props: {
  path: string;
  query: Readonly<Record<string, string | undefined>>;
  count: number;
  /** True when newer rows than these may exist. */
  isOlderPage: boolean;
  olderThan: string | undefined;
}) {
  const { path, query, count, isOlderPage, olderThan } = props;
  const isWhole = !isOlderPage && olderThan === undefined;
  return (
    <nav class="pager" aria-label="Parts of the list">
      <span>{`${count} ${count === 1 ? 'row' : 'rows'}${isWhole ? '' : ' here'}, newest first`}</span>
      <div>
        {isOlderPage ? (
          <Link class="button" to={path} query={query}>
            Newest
          </Link>
        ) : null}
        {olderThan === undefined ? null : (
          <Link class="button" to={path} query={{ ...query, before: olderThan }}>
            Older
          </Link>
        )}
      </div>
    </nav>
  );
}
