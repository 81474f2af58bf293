import { type ComponentChild, isValidElement } from 'preact';

/** A column: its title stands above, and beside the value on narrow screens. */
export interface Column<Row> {
  title: string;
  /**
   * `number` and `end` align right; `nowrap` keeps a line; `fill` takes the room that others leave, `wide` a third; `optional` has no place on
   * narrow screens. The first cell and that of `state` are the head of a card there, without their titles.
   */
  class?: string;
  cell(row: Row): ComponentChild;
}

/** A table of one page of rows. Where it has no room each row is a card. */
export function DataTable<Row>(props: {
  caption: string;
  columns: ReadonlyArray<Column<Row>>;
  rows: readonly Row[];
  idOf(row: Row): string;
}) {
  const { caption, columns, rows, idOf } = props;
  return (
    <div class="table">
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, class: name }) => (
              <th key={title} scope="col" {...(name === undefined ? {} : { class: name })}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)} id={idOf(row)}>
              {columns.map((column, index) => (
                <Cell key={column.title} column={column} content={column.cell(row)} isFirst={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A cell. Only one that a card shows under its title has it once more. */
function Cell<Row>(props: { column: Column<Row>; content: ComponentChild; isFirst: boolean }) {
  const { column, content, isFirst } = props;
  const { title, class: name } = column;
  const hasTitle = !isFirst && name !== 'state' && !(isValidElement(content) && content.type === None);
  return (
    <td {...(hasTitle ? { 'data-label': title } : {})} {...(name === undefined ? {} : { class: name })}>
      {content}
    </td>
  );
}

/** Stands for a value that a row does not have. */
export function None({ word = '–' }: { word?: string }) {
  return <span class="none">{word}</span>;
}
