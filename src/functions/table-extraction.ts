import type { OcrDocument } from '../engine/model/document.js';
import { DOCUMENT_TYPES } from './accepted-types.js';
import type { OcrFunction } from './function.js';
import { argsObject, readingProperties, toReadOptions } from './reading-args.js';
import { BOX, CELL_PLACE, CONFIDENCE, DIALECT, fromOne, list, object, WARNINGS } from './result-schema.js';

export const tableExtraction: OcrFunction = {
  id: 'TABLE_EXTRACTION',
  alias: 'tables',
  title: 'Table extraction',
  description:
    'Finds the tables of a document, ruled or aligned by white space, and reads them as rows, columns ' +
    'and cells with their positions, and as CSV (RFC 4180). Text that spans several cells is given in the first. Cells hold what the page says: ' +
    'text that begins with =, +, - or @ is unchanged, and a spreadsheet may take it for a formula.',
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
          object(
            'A table.',
            {
              page: fromOne('As in the file.'),
              box: BOX,
              continues: { type: 'boolean', description: 'It continues the table before it, on the page before.' },
              rows: fromOne('How many.'),
              columns: fromOne('How many.'),
              cells: list(
                'Row by row, including empty ones, without those covered by a span.',
                object('A cell.', {
                  ...CELL_PLACE,
                  text: { type: 'string', description: 'On one line.' },
                  box: BOX,
                  confidence: CONFIDENCE,
                }),
              ),
              csv: { type: 'string', description: 'RFC 4180: commas, CRLF, quotes where needed.' },
            },
            ['continues'],
          ),
        ),
        warnings: WARNINGS,
      },
      ['warnings'],
    ),
  },
  output: { extension: '.csv', print: printTables, several: { part: 'table', print: csvOfTables } },
  async run(request) {
    const [{ readDocument }, { renderCsv }, { describeCell }, { roundedConfidence: shownConfidence }] =
      await Promise.all([
        import('../engine/read-document.js'),
        import('../engine/stages/render/csv.js'),
        import('../engine/stages/render/layout.js'),
        import('../engine/model/mean-confidence.js'),
      ]);
    const { document, ...outcome } = await readDocument(request.path, request.mimeType, toReadOptions(request));
    const { warnings } = document;
    const tables = tablesOf(document).map(({ page, box, table, continues }) => ({
      page,
      box,
      ...(continues ? { continues } : {}),
      rows: table.rows,
      columns: table.columns,
      cells: table.cells.map((cell) => ({ ...describeCell(cell), confidence: shownConfidence(cell.lines) })),
      csv: renderCsv(table),
    }));
    return { result: { tables, ...(warnings.length > 0 ? { warnings } : {}) }, ...outcome };
  },
};

function tablesOf({ pages }: OcrDocument) {
  return pages.flatMap(({ number, blocks }) =>
    blocks.flatMap(({ table, box, continues }) =>
      table === undefined ? [] : [{ page: number, box, table, continues }],
    ),
  );
}

/** The CSV of every table, an empty line between them. */
function printTables(result: unknown): string | undefined {
  return csvOfTables(result)?.join('\r\n');
}

function csvOfTables(result: unknown): string[] | undefined {
  const { tables } = (result ?? {}) as { tables?: unknown };
  if (!Array.isArray(tables)) return undefined;
  const all = tables.map((table: unknown) => ((table ?? {}) as { csv?: unknown }).csv);
  return all.every((csv) => typeof csv === 'string') ? all : undefined;
}
