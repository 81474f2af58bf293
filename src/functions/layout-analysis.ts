import { DOCUMENT_TYPES } from './accepted-types.js';
import type { OcrFunction, PrintedTable } from './function.js';
import { argsObject, readingProperties, toReadOptions } from './reading-args.js';
import { BOX, CELL_PLACE, CONFIDENCE, DIALECT, fromOne, fromZero, list, object, WARNINGS } from './result-schema.js';

const TEXT = { type: 'string', description: 'As in the text of the page.' };
const STYLE = { type: 'boolean', description: 'As its font says; absent if it is not.' };
const KINDS = 'title heading paragraph list-item table figure header footer footnote'.split(' ');

const WORD = object(
  'A word.',
  {
    text: TEXT,
    box: BOX,
    confidence: CONFIDENCE,
    bold: STYLE,
    italic: STYLE,
    link: { type: 'string', description: 'Where it leads to.' },
  },
  ['bold', 'italic', 'link'],
);

const LINE = object(
  'A line.',
  {
    text: TEXT,
    box: BOX,
    confidence: CONFIDENCE,
    direction: { enum: ['ltr', 'rtl'], description: 'Of its script.' },
    fontSize: { type: 'number', minimum: 0, description: 'Height of the type, in the unit of the page.' },
    words: list('In reading order. Left out with `"words": false`.', WORD),
  },
  ['words'],
);

const BLOCK = object(
  'A block.',
  {
    kind: { enum: KINDS, description: 'A title is the one heading above all others.' },
    box: BOX,
    text: TEXT,
    confidence: CONFIDENCE,
    level: { ...fromOne('Of a title or heading, 1-6.'), maximum: 6 },
    marker: { type: 'string', description: 'Of a list item, as printed; of a footnote, its number or sign.' },
    depth: fromZero('Nesting of a list item, from 0.'),
    continues: {
      type: 'boolean',
      description: 'It continues the paragraph or table before it, across a column or page.',
    },
    table: object('Of a table: its cells.', {
      rows: fromOne('How many.'),
      columns: fromOne('How many.'),
      cells: list(
        'Row by row, including empty ones, without those covered by a span.',
        object('A cell.', { ...CELL_PLACE, text: TEXT, box: BOX }),
      ),
    }),
    lines: list('In reading order; none of a figure.', LINE),
  },
  ['level', 'marker', 'depth', 'continues', 'table'],
);

const PAGE = object(
  'A page.',
  {
    page: fromOne('As in the file.'),
    width: { type: 'number', exclusiveMinimum: 0, description: 'As it is read, in `unit`.' },
    height: { type: 'number', exclusiveMinimum: 0, description: 'As it is read, in `unit`.' },
    unit: { enum: ['point', 'pixel'], description: 'Points (1/72 inch) of a PDF, pixels of an image.' },
    rotation: {
      enum: [0, 90, 180, 270],
      description: 'Degrees, clockwise, by which the displayed page was turned to be read.',
    },
    source: {
      enum: ['text-layer', 'ocr', 'mixed'],
      description: 'Where its text comes from: the text layer, recognition, or both.',
    },
    recogniser: { type: 'string', description: 'What recognised it.' },
    textLayer: object('Assessment of its text layer.', {
      verdict: {
        enum: ['trusted', 'suspect', 'absent'],
        description: 'Only a trusted one is used, unless `ocr` is never.',
      },
      reasons: list('Why, for people.', { type: 'string' }),
    }),
    blocks: list('In reading order.', BLOCK),
  },
  ['recogniser'],
);

export const layoutAnalysis: OcrFunction = {
  id: 'LAYOUT_ANALYSIS',
  alias: 'layout',
  title: 'Layout analysis',
  description:
    'Reads a document with its layout: pages, their blocks in reading order (title, headings, paragraphs, list items, tables, ' +
    'figures, running headers and footers, footnotes), the lines of each and the words of each line, with boxes, confidence, ' +
    'and for each page where its text comes from and how good its text layer is.',
  acceptedTypes: DOCUMENT_TYPES,
  pageCap: 2000,
  argsSchema: argsObject({
    words: {
      type: 'boolean',
      default: true,
      description: 'Include the words of each line; without them a result is a quarter as large.',
      examples: [false],
    },
    ...readingProperties,
  }),
  resultSchema: {
    $schema: DIALECT,
    ...object('The layout of the document.', { pages: list('The requested pages.', PAGE), warnings: WARNINGS }, [
      'warnings',
    ]),
  },
  output: { extension: '.tsv', print: printBlocks },
  async run(request) {
    const [{ readDocument }, { describeLayout }, { PDF_TYPE }] = await Promise.all([
      import('../engine/read-document.js'),
      import('../engine/stages/render/layout.js'),
      import('../engine/sniff.js'),
    ]);
    const { document, ...outcome } = await readDocument(request.path, request.mimeType, toReadOptions(request));
    const { warnings } = document;
    const unit = request.mimeType === PDF_TYPE ? 'point' : 'pixel';
    const pages = describeLayout(document, { unit, hasWords: request.args.words !== false });
    return { result: { pages, ...(warnings.length > 0 ? { warnings } : {}) }, ...outcome };
  },
};

const MAX_SHOWN_LENGTH = 60;

/** One line for each block; boxes in percent of the page. */
function printBlocks(result: unknown): PrintedTable | undefined {
  const { pages } = (result ?? {}) as { pages?: unknown };
  if (!Array.isArray(pages)) return undefined;
  const rows: string[][] = [];
  for (const page of pages as unknown[]) {
    const { page: number, blocks } = (page ?? {}) as { page?: unknown; blocks?: unknown };
    if (typeof number !== 'number' || !Array.isArray(blocks)) return undefined;
    for (const block of blocks as unknown[]) {
      const row = describeBlock(block);
      if (row === undefined) return undefined;
      rows.push([String(number), ...row]);
    }
  }
  return { columns: ['Page', 'Kind', 'Box (%)', 'Text'], rows };
}

function describeBlock(block: unknown): string[] | undefined {
  const { kind, box, text, level, depth } = (block ?? {}) as Record<string, unknown>;
  if (typeof kind !== 'string' || typeof text !== 'string' || !Array.isArray(box)) return undefined;
  const degree = kind === 'heading' && level !== undefined ? ` ${level}` : '';
  const place = kind === 'list-item' && typeof depth === 'number' && depth > 0 ? ` ${depth + 1}` : '';
  const start = text.replace(/\s+/g, ' ').trim();
  const shown = start.length > MAX_SHOWN_LENGTH ? `${start.slice(0, MAX_SHOWN_LENGTH - 1)}…` : start;
  return [`${kind}${degree}${place}`, box.map((share) => (Number(share) * 100).toFixed(1)).join(' '), shown];
}
