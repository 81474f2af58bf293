import type { ComponentChildren } from 'preact';
import type { Page } from '../../../store/page.js';
import { type Column, DataTable } from './data-table.js';
import { Pager } from './pager.js';

/** A part of a list with the way to its other parts. Without rows it shows its children: why there are none, and what to do. */
export function ListPanel<Row>(props: {
  caption: string;
  columns: ReadonlyArray<Column<Row>>;
  part: Page<Row>;
  idOf: (row: Row) => string;
  /** One row, and several of them: `call`, `calls`. Needed on pages with `live`, where a button counts new rows. */
  nouns?: readonly [one: string, many: string];
  path: string;
  query: Readonly<Record<string, string | undefined>>;
  /** True when newer rows than these may exist. */
  isOlderPage: boolean;
  children: ComponentChildren;
}) {
  const { caption, columns, part, idOf, nouns, path, query, isOlderPage, children } = props;
  const { rows, olderThan } = part;
  return (
    <div
      class="panel"
      {...(isOlderPage || nouns === undefined ? {} : { 'data-arrivals': nouns.join(' '), tabindex: -1 })}
    >
      {rows.length > 0 ? <DataTable caption={caption} columns={columns} rows={rows} idOf={idOf} /> : children}
      {rows.length > 0 || isOlderPage || olderThan !== undefined ? (
        <Pager path={path} query={query} count={rows.length} isOlderPage={isOlderPage} olderThan={olderThan} />
      ) : null}
    </div>
  );
}
