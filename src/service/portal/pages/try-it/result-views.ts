import type { OcrFunction } from '../../../../functions/function.js';

/** Length of a text that a page shows; a longer one is a download. */
export const MAX_SHOWN_LENGTH = 256 * 1024;
/** Length of a result that is parsed for a page. */
export const MAX_PARSED_LENGTH = 8 * 1024 * 1024;

/** Way to look at a result. */
export type ViewName = 'text' | 'markdown' | 'lines' | 'tables' | 'values' | 'file' | 'json';

export const VIEW_LABELS: Record<ViewName, string> = {
  text: 'Text',
  markdown: 'Markdown',
  lines: 'Text',
  tables: 'Tables',
  values: 'Values',
  file: 'File',
  json: 'JSON',
};

export interface ShownLine {
  text: string;
  box: readonly number[];
  kind: string;
}

export interface ShownTable {
  page: number | undefined;
  rows: number;
  columns: number;
  cells: ReadonlyArray<{ row: number; column: number; rowSpan: number; columnSpan: number; text: string }>;
}

export interface ShownPage {
  page: number;
  /** Clockwise turn by which the page was read. */
  rotation: number;
  /** Its sides, where the result has them. */
  width: number | undefined;
  height: number | undefined;
  lines: readonly ShownLine[];
}

interface Block {
  kind: string;
  lines?: Array<{ text: string; box: number[] }>;
  table?: Omit<ShownTable, 'page'>;
}

interface ResultPage {
  page: number;
  rotation?: number;
  width?: number;
  height?: number;
  blocks?: Block[];
}

/** The shapes of results that pages show, beside what `output.print` makes of any. */
interface Result {
  pages?: ResultPage[];
  tables?: Array<ShownTable & { page: number }>;
  warnings?: Array<{ page?: number; message: string }>;
}

/** The parts of a result that a page shows. */
export interface ShownResult {
  views: readonly ViewName[];
  /** Pages that were read; empty for a function that does not say which. */
  pages: readonly ShownPage[];
  tables: readonly ShownTable[];
  warnings: ReadonlyArray<{ page?: number; message: string }>;
  printed: ReturnType<OcrFunction['output']['print']>;
  json: string;
}

/** Describes a result for its page. `isMarkdown`: its text was asked for as Markdown. */
export function describeResult({ output }: OcrFunction, body: string, isMarkdown: boolean): ShownResult {
  const result = JSON.parse(body) as Result;
  const pages = (result.pages ?? []).map(toPage);
  const printed = output.isBinary === true ? undefined : output.print(result);
  const ofLayout = (result.pages ?? []).flatMap(({ page, blocks = [] }) =>
    blocks.flatMap(({ table }) => (table === undefined ? [] : [{ ...table, page }])),
  );
  const tables = result.tables ?? ofLayout;
  const hasLines = (result.pages ?? []).some(({ blocks }) => blocks !== undefined);
  const views: ViewName[] = [];
  if (output.isBinary === true) views.push('file');
  else if (hasLines) views.push('lines');
  else if (result.tables !== undefined) views.push('tables');
  else if (typeof printed === 'string') views.push(isMarkdown ? 'markdown' : 'text');
  else if (printed !== undefined) views.push('values');
  if (hasLines && tables.length > 0) views.push('tables');
  if (result.tables !== undefined && typeof printed === 'string' && printed !== '') views.push('text');
  views.push('json');
  return { views, pages, tables, warnings: result.warnings ?? [], printed, json: renderJson(result, body) };
}

function toPage({ page, rotation = 0, width, height, blocks = [] }: ResultPage): ShownPage {
  const lines = blocks.flatMap(({ kind, lines: own = [] }) => own.map(({ text, box }) => ({ text, box, kind })));
  return { page, rotation, width, height, lines };
}

/** A list of numbers, over several lines: a box stays on one. Texts have no line breaks of their own in JSON. */
const NUMBERS = /\[\n\s+-?\d[^\]"{[]*\]/g;

/** Indents JSON where that leaves it short enough to be shown. */
function renderJson(result: unknown, body: string): string {
  if (body.length > MAX_SHOWN_LENGTH) return body;
  const indented = JSON.stringify(result, null, 2).replace(NUMBERS, (list) => list.replace(/\s+/g, ' '));
  return indented.length > MAX_SHOWN_LENGTH ? body : indented;
}
