import type { OcrDocument } from '../engine/model.js';
import { DOCUMENT_TYPES } from './accepted-types.js';
import type { OcrFunction } from './function.js';
import { argsObject, readingProperties, toReadOptions } from './reading-args.js';
import { BOX, CELL_PLACE, CONFIDENCE, DIALECT, fromOne, list, object, WARNINGS } from './result-schema.js';

export const tableExtraction: OcrFunction = {
  id: 'TABLE_EXTRACTION',
  title: 'Table extraction',
  description:
    'Finds the tables of a document, those that rules make and those that white space makes, and reads them as rows, columns ' +
    'and cells with their places, and as CSV (RFC 4180). What spans several cells stands in the first of them. Cells hold what the page says: ' +
    'a text that begins with =, +, - or @ is left as it is, which a spreadsheet may take for a formula.',
  acceptedTypes: DOCUMENT_TYPES,
  pageCap: 2000,
  argsSchema: argsObject(readingProperties),
  resultSchema: {
    $schema: DIALECT,
    ...object(
      'The tables of the document.',
      {
        tables: list(
          'In the order of the document.',
          object('A table.', {
            page: fromOne('As in the file.'),
            box: BOX,
            rows: fromOne('How many.'),
            columns: fromOne('How many.'),
            cells: list(
              'Row by row, also those that are empty; not those that another one spans.',
              object('A cell.', {
                ...CELL_PLACE,
                text: { type: 'string', description: 'On one line.' },
                box: BOX,
                confidence: CONFIDENCE,
              }),
            ),
            csv: { type: 'string', description: 'RFC 4180: commas, CRLF, quotes where they are needed.' },
          }),
        ),
        warnings: WARNINGS,
      },
      ['warnings'],
    ),
  },
  output: { extension: '.csv', print: printTables },
  async run(request) {
    const [{ readDocument }, { renderCsv }, { describeCell }, { meanConfidence }] = await Promise.all([
      import('../engine/read-document.js'),
      import('../engine/render/csv.js'),
      import('../engine/render/layout.js'),
      import('../engine/render/mean-confidence.js'),
    ]);
    const { document, provider, pageCount } = await readDocument(
      request.path,
      request.mimeType,
      toReadOptions(request),
    );
    const { warnings } = document;
    const tables = tablesOf(document).map(({ page, box, table }) => ({
      page,
      box,
      rows: table.rows,
      columns: table.columns,
      cells: table.cells.map((cell) => ({ ...describeCell(cell), confidence: meanConfidence(cell.lines) })),
      csv: renderCsv(table),
    }));
    return { result: { tables, ...(warnings.length > 0 ? { warnings } : {}) }, provider, pageCount };
  },
};

function tablesOf({ pages }: OcrDocument) {
  return pages.flatMap(({ number, blocks }) =>
    blocks.flatMap(({ table, box }) => (table === undefined ? [] : [{ page: number, box, table }])),
  );
}

/** The CSV of every table, an empty line between them. */
function printTables(result: unknown): string | undefined {
  const { tables } = (result ?? {}) as { tables?: unknown };
  if (!Array.isArray(tables)) return undefined;
  const all = tables.map((table: unknown) => ((table ?? {}) as { csv?: unknown }).csv);
  return all.every((csv) => typeof csv === 'string') ? all.join('\r\n') : undefined;
}
