import type { OcrDocument } from '../engine/model/document.js';
import type { RenderOptions } from '../engine/stages/render/text.js';
import { DOCUMENT_TYPES } from './accepted-types.js';
import type { OcrFunction } from './function.js';
import { argsObject, readingProperties, toReadOptions } from './reading-args.js';
import { DIALECT, object, WARNINGS } from './result-schema.js';
import { textOutput } from './text-output.js';

export const textExtraction: OcrFunction = {
  id: 'TEXT_EXTRACTION',
  title: 'Text extraction',
  description:
    'Reads the text of a document in reading order, from its text layer if that is good, otherwise by recognition. ' +
    'Plain text keeps the lines of the page, with an empty line between blocks and between pages; Markdown (GitHub Flavored) has headings, ' +
    'paragraphs, lists, tables, footnotes, emphasis and links. Running headers, footers and page numbers are left out, unless `headersFooters` asks for them. Pages that could not be read are named in `warnings`.',
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
      { text: { type: 'string', description: 'In the requested format.' }, warnings: WARNINGS },
      ['warnings'],
    ),
  },
  output: textOutput,
  async run(request) {
    const { readDocument } = await import('../engine/read-document.js');
    const { document, provider, pageCount } = await readDocument(
      request.path,
      request.mimeType,
      toReadOptions(request),
    );
    const { warnings } = document;
    const { format, headersFooters } = request.args;
    const text = await render(format, document, { headersFooters: headersFooters === true });
    return { result: { text, ...(warnings.length > 0 ? { warnings } : {}) }, provider, pageCount };
  },
};

async function render(format: unknown, document: OcrDocument, options: RenderOptions): Promise<string> {
  if (format === 'markdown')
    return (await import('../engine/stages/render/markdown.js')).renderMarkdown(document, options);
  return (await import('../engine/stages/render/text.js')).renderText(document, options);
}
