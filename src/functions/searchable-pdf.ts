import { DOCUMENT_TYPES } from './accepted-types.js';
import type { OcrFunction, RunRequest } from './function.js';
import { argsObject, readingProperties, toReadOptions, toSelection } from './reading-args.js';
import { DIALECT, fromOne, list, object } from './result-schema.js';

const { pages, languages, password } = readingProperties;

export const searchablePdf: OcrFunction = {
  id: 'SEARCHABLE_PDF',
  alias: 'searchable-pdf',
  title: 'Searchable PDF',
  description:
    'Makes a PDF that looks like the document and can be searched: recognised pages carry their words as an invisible text layer, each in its place on the page. ' +
    'In a PDF, the text of pages with a good text layer and all pictures stay as they are; each page of an image becomes a page of the PDF.',
  acceptedTypes: DOCUMENT_TYPES,
  pageCap: 2000,
  argsSchema: argsObject({
    pages: {
      ...pages,
      description: `${pages.description} Other pages are kept unchanged.`,
    },
    ocr: {
      type: 'string',
      enum: ['auto', 'force'],
      default: 'auto',
      description:
        'auto: recognise pages without a text layer that can be trusted, and large pictures with lines of print on pages that have one; force: recognise all of every page and replace their text layers.',
      examples: ['force'],
    },
    languages,
    password: { ...password, description: 'Opens an encrypted PDF. The result is not encrypted.' },
  }),
  resultSchema: {
    $schema: DIALECT,
    ...object(
      'The PDF.',
      {
        pdf: {
          type: 'string',
          contentEncoding: 'base64',
          contentMediaType: 'application/pdf',
          description: 'The file, identical to the upload if no page needed a text layer.',
        },
        recognisedPages: list('Pages that were given a text layer.', fromOne('As in the file.')),
        warnings: list(
          'Pages that could not be recognised, or not well, and changes to the document as a whole.',
          object(
            'A warning.',
            {
              page: fromOne('As in the file; absent if the warning is about the whole document.'),
              message: { type: 'string', description: 'For people.' },
            },
            ['page'],
          ),
        ),
      },
      ['warnings'],
    ),
  },
  output: {
    extension: '.pdf',
    isBinary: true,
    print(result) {
      const { pdf } = (result ?? {}) as { pdf?: unknown };
      if (typeof pdf !== 'string') return undefined;
      const bytes = Buffer.from(pdf, 'base64');
      return bytes.toString('latin1', 0, 1024).includes('%PDF-') ? bytes : undefined;
    },
  },
  async run(request) {
    const { readDocument } = await import('../engine/read-document.js');
    const { document, ...outcome } = await readDocument(request.path, request.mimeType, toReadOptions(request));
    const made = await make(request, document, outcome.pageCount);
    const warnings = [...made.warnings, ...document.warnings];
    const result = {
      pdf: Buffer.concat(made.chunks).toString('base64'),
      recognisedPages: made.pages,
      ...(warnings.length > 0 ? { warnings } : {}),
    };
    return { result, ...outcome };
  },
};

type Document = import('../engine/model/document.js').OcrDocument;

async function make({ path, mimeType, args, limits, onProgress }: RunRequest, document: Document, pageCount: number) {
  if (mimeType === 'application/pdf') {
    const { makeSearchablePdf } = await import('../engine/products/searchable/searchable-pdf.js');
    return makeSearchablePdf(path, toSelection(args).password, document);
  }
  const { makeSearchableImage } = await import('../engine/products/searchable/searchable-image.js');
  // All pages have been read; that the PDF grows is progress too, and keeps the document from being given up.
  const onPage = () => onProgress(pageCount, pageCount);
  return makeSearchableImage(path, mimeType, document, { maxPixels: limits.maxPixels, onPage });
}
