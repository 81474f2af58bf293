import type { OcrDocument } from '../engine/model/document.js';
import type { RenderOptions } from '../engine/stages/render/text.js';
import { DOCUMENT_TYPES } from './accepted-types.js';
import type { OcrFunction } from './function.js';
import { argsObject, readingProperties, toReadOptions } from './reading-args.js';
import { CONFIDENCE, DIALECT, fromOne, list, object, WARNINGS } from './result-schema.js';
import { textOutput } from './text-output.js';

export const textExtraction: OcrFunction = {
  id: 'TEXT_EXTRACTION',
  alias: 'text',
  title: 'Text extraction',
  description:
    'Reads the text of a document in reading order, from its text layer if that is good, otherwise by recognition. ' +
    'Plain text keeps the lines of the page, with an empty line between blocks and between pages; Markdown (GitHub Flavored) has headings, ' +
    'paragraphs, lists, tables, footnotes, emphasis and links. Running headers, footers and page numbers are left out, unless `headersFooters` asks for them. Pages that could not be read are named in `warnings`, and `pages` says of each other page where its text comes from.',
  acceptedTypes: DOCUMENT_TYPES,
  pageCap: 2000,
  argsSchema: argsObject({
    format: {
      type: 'string',
      enum: ['text', 'markdown'],
      default: 'text',
      description: 'Plain text, or Markdown (GitHub Flavored).',
      examples: ['markdown'],
    },
    perPage: {
      type: 'boolean',
      default: false,
      description: 'Give the text of each page by itself too, in `pages`.',
      examples: [true],
    },
    pageBreaks: {
      type: 'boolean',
      default: false,
      description: 'Mark where a page ends: a form feed in plain text, a comment like `<!-- page 3 -->` in Markdown.',
      examples: [true],
    },
    headersFooters: {
      type: 'boolean',
      default: false,
      description: 'Keep running headers, footers and page numbers in the text.',
      examples: [true],
    },
    ...readingProperties,
  }),
  resultSchema: {
    $schema: DIALECT,
    ...object(
      'The text of the document.',
      {
        text: { type: 'string', description: 'In the requested format.' },
        pages: list(
          'The pages that were read; absent only in results that an earlier version stored.',
          object(
            'A page.',
            {
              page: fromOne('As in the file.'),
              source: {
                enum: ['text-layer', 'recognised', 'mixed'],
                description: 'Where its text comes from: the text layer, recognition, or both.',
              },
              confidence: CONFIDENCE,
              text: { type: 'string', description: 'With `"perPage": true`, in the requested format.' },
            },
            ['text'],
          ),
        ),
        warnings: WARNINGS,
      },
      ['pages', 'warnings'],
    ),
  },
  output: textOutput,
  async run(request) {
    const { readDocument } = await import('../engine/read-document.js');
    const { document, ...outcome } = await readDocument(request.path, request.mimeType, toReadOptions(request));
    const { warnings } = document;
    const { format, headersFooters, perPage, pageBreaks } = request.args;
    const renderer = await (format === 'markdown' ? markdownRenderer() : textRenderer());
    const options = { headersFooters: headersFooters === true };
    const texts = perPage === true || pageBreaks === true ? renderer.renderPages(document, options) : [];
    const text = pageBreaks === true ? renderer.join(document, texts) : renderer.renderWhole(document, options);
    const { pagesConfidence } = await import('../engine/model/mean-confidence.js');
    const pages = document.pages.map((page, index) => ({
      page: page.number,
      source: page.source === 'ocr' ? 'recognised' : page.source,
      confidence: pagesConfidence([page]),
      ...(perPage === true ? { text: texts[index] ?? '' } : {}),
    }));
    return { result: { text, pages, ...(warnings.length > 0 ? { warnings } : {}) }, ...outcome };
  },
};

/** Renders a format: the whole text, the text of each page, and those joined with page breaks. */
interface Renderer {
  renderWhole(document: OcrDocument, options: RenderOptions): string;
  renderPages(document: OcrDocument, options: RenderOptions): string[];
  join(document: OcrDocument, texts: readonly string[]): string;
}

async function markdownRenderer(): Promise<Renderer> {
  const markdown = await import('../engine/stages/render/markdown.js');
  return {
    renderWhole: markdown.renderMarkdown,
    renderPages: markdown.renderMarkdownPages,
    join: ({ pages }, texts) => markdown.joinMarkdownPages(pages, texts),
  };
}

async function textRenderer(): Promise<Renderer> {
  const text = await import('../engine/stages/render/text.js');
  return {
    renderWhole: text.renderText,
    renderPages: ({ pages }, options) => pages.map((page) => text.renderPageText(page, options)),
    join: (_, texts) => text.joinPageTexts(texts),
  };
}
