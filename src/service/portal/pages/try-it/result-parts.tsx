import type { ComponentChildren } from 'preact';
import type { OcrFunction, PrintedTable } from '../../../../functions/function.js';
import { CopyTextButton } from '../../components/copyable.js';
import { EmptyState } from '../../components/empty-state.js';
import { Link } from '../../components/link.js';
import {
  MAX_SHOWN_LENGTH,
  type ShownLine,
  type ShownResult,
  type ShownTable,
  VIEW_LABELS,
  type ViewName,
} from './result-views.js';

const MAX_SHOWN_ROWS = 500;

interface PartProps {
  view: ViewName;
  result: ShownResult;
  entry: OcrFunction;
  /** Lines of the page that is shown. */
  lines: readonly ShownLine[];
  page: number;
  path: string;
}

/** One way to look at the result. */
export function ResultPart({ view, result, entry, lines, page, path }: PartProps) {
  const { printed, tables, json } = result;
  switch (view) {
    case 'lines':
      return <Lines lines={lines} page={page} />;
    case 'tables':
      return <Tables tables={tables} path={path} />;
    case 'values':
      return typeof printed === 'object' && 'columns' in printed ? <Values table={printed} path={path} /> : null;
    case 'file':
      return (
        <EmptyState title={`A ${entry.output.extension.slice(1).toUpperCase()} file`}>
          <p>
            <Link class="button main" to={`${path}/file`}>
              Download it
            </Link>
          </p>
        </EmptyState>
      );
    case 'json':
      return <Text text={json} view="json" to={`${path}/json`} />;
    default:
      return <Text text={typeof printed === 'string' ? printed : ''} view={view} to={`${path}/file`} />;
  }
}

function Text({ text, view, to }: { text: string; view: ViewName; to: string }) {
  if (text.trim() === '')
    return (
      <EmptyState title="No text was found">
        <p>
          Pages without letters have none. For a scan with an old text layer, set <code>ocr</code> to <code>force</code>
          .
        </p>
      </EmptyState>
    );
  if (text.length > MAX_SHOWN_LENGTH) return <TooLong what={`The ${VIEW_LABELS[view]}`} to={to} />;
  return (
    <div class="outcome">
      <pre id="outcome" tabindex={0} class={view === 'text' ? 'reading' : undefined}>
        {text}
      </pre>
      <CopyTextButton of="outcome" name={VIEW_LABELS[view]} />
    </div>
  );
}

function TooLong({ what, to }: { what: string; to: string }) {
  return (
    <EmptyState title="Too long for a page">
      <p>{`${what} has more than ${MAX_SHOWN_LENGTH / 1024} KiB.`}</p>
      <p>
        <Link class="button main" to={to}>
          Download it
        </Link>
      </p>
    </EmptyState>
  );
}

function Lines({ lines, page }: { lines: readonly ShownLine[]; page: number }) {
  if (lines.length === 0)
    return (
      <EmptyState title={`No line on page ${page}`}>
        <p>The page has no letters, or only a figure.</p>
      </EmptyState>
    );
  if (lengthOf(lines) > MAX_SHOWN_LENGTH) return <p class="quiet">This page has too many lines to show; see JSON.</p>;
  return (
    <ol class="lines">
      {lines.map(({ text, kind }, index) => (
        <li key={index} class={kind === lines[index - 1]?.kind ? undefined : 'first'}>
          <a id={`line-${index}`} href={`#box-${index}`} data-mark={index} class={kind}>
            {text}
          </a>
        </li>
      ))}
    </ol>
  );
}

function lengthOf(parts: ReadonlyArray<{ text: string }>): number {
  return parts.reduce((sum, { text }) => sum + text.length, 0);
}

function Tables({ tables, path }: { tables: readonly ShownTable[]; path: string }) {
  if (tables.length === 0)
    return (
      <EmptyState title="No table was found">
        <p>Tables are found by their rules, or by white space between their columns.</p>
      </EmptyState>
    );
  if (tables.reduce((sum, { cells }) => sum + lengthOf(cells), 0) > MAX_SHOWN_LENGTH)
    return <TooLong what="The tables" to={`${path}/json`} />;
  return (
    <>
      {tables.map((table, index) => (
        <Grid key={index} table={table} title={`Table ${index + 1}`} />
      ))}
    </>
  );
}

function Grid({ table: { page, rows, columns, cells }, title }: { table: ShownTable; title: string }) {
  const lines = Array.from({ length: rows }, (_, row) => cells.filter((cell) => cell.row === row));
  return (
    <section class="grid" tabindex={0} aria-label={title}>
      <table>
        <caption>
          {title}
          <span class="soft">{`${page === undefined ? '' : ` on page ${page}`}, ${rows} × ${columns}`}</span>
        </caption>
        <tbody>
          {lines.map((line, row) => (
            <tr key={row}>
              {line.map(({ column, rowSpan, columnSpan, text }) => (
                <td key={column} rowspan={rowSpan} colspan={columnSpan}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Values({ table: { columns, rows }, path }: { table: PrintedTable; path: string }) {
  if (rows.length === 0)
    return (
      <EmptyState title="Nothing was found">
        <p>The document has none of what this function looks for.</p>
      </EmptyState>
    );
  if (rows.length > MAX_SHOWN_ROWS) return <TooLong what="The list" to={`${path}/file`} />;
  return (
    <Scrolling>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={columns[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function Scrolling({ children }: { children: ComponentChildren }) {
  return (
    <section class="grid" tabindex={0} aria-label="Values">
      {children}
    </section>
  );
}
