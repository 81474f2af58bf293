import type { InspectionOptions } from '../engine/products/inspection/inspection.js';
import { PERMISSIONS } from '../engine/products/inspection/permissions.js';
import { PDF_TYPE } from '../engine/sniff.js';
import { DOCUMENT_TYPES } from './accepted-types.js';
import type { OcrFunction } from './function.js';
import { printInspection } from './print-inspection.js';
import { argsObject, readingProperties, toSelection } from './reading-args.js';
import { DIALECT, fromOne, fromZero, list, object, type Schema, text, yesOrNo } from './result-schema.js';

const textOrNull = (description: string): Schema => ({ type: ['string', 'null'], description });
const share = (description: string): Schema => ({ type: 'number', minimum: 0, maximum: 1, description });

const PAGE = object('A page.', {
  page: fromOne('As in the file.'),
  width: { type: 'number', description: 'As it is displayed, in `unit`.' },
  height: { type: 'number', description: 'As it is displayed, in `unit`.' },
  unit: { type: 'string', enum: ['point', 'pixel'], description: 'Points (1/72 inch) in a PDF, pixels in an image.' },
  rotation: {
    type: 'integer',
    enum: [0, 90, 180, 270],
    description: 'Degrees, clockwise, by which the file turns it for display.',
  },
  textLayer: object('Assessment of its text layer.', {
    verdict: {
      type: 'string',
      enum: ['trusted', 'suspect', 'absent'],
      description: 'Whether it can be used as the text.',
    },
    reasons: list('Why not, for people.', { type: 'string' }),
  }),
  words: fromZero('Words of its text layer.'),
  imageCoverage: share('Share of the page that images cover.'),
  needsOcr: yesOrNo('Whether the page must be recognised to be read, or read well.'),
});

const FONT = object('A font.', {
  name: text('Without its subset prefix; empty if it has none.'),
  type: text('As PDF names them: Type1, TrueType, Type3, CIDFontType0, CIDFontType2 …'),
  isEmbedded: yesOrNo('Whether the file contains its glyphs.'),
  isSubset: yesOrNo('Whether it contains only the glyphs that are used.'),
  hasUnicodeMap: yesOrNo('Whether it maps its glyphs to characters.'),
});

const ENCRYPTION: Schema = {
  ...object('How it is encrypted; null if it is not.', {
    algorithm: { type: 'string', enum: ['RC4', 'AES', 'unknown'], description: 'The cipher.' },
    keyBits: { type: ['integer', 'null'], description: 'Length of the key.' },
    opensWithoutPassword: yesOrNo('Whether anybody may open it.'),
    permissions: object(
      'What users other than the owner may do, as the document states.',
      Object.fromEntries(PERMISSIONS.map((name) => [name, yesOrNo(`May they: ${name}.`)])),
    ),
  }),
  type: ['object', 'null'],
};

const METADATA_NAMES = ['title', 'author', 'subject', 'keywords', 'creator', 'producer', 'created', 'modified'];
const METADATA = object(
  'What the document says of itself; what it does not say is left out.',
  Object.fromEntries(
    METADATA_NAMES.map((name) => [name, text(/ed$/.test(name) ? 'ISO 8601, as exact as it is.' : `The ${name}.`)]),
  ),
  METADATA_NAMES,
);

const PDF = object('Of a PDF: what is said of the whole document.', {
  version: textOrNull('"1.7"'),
  conformance: textOrNull('"PDF/A-2b", as the file claims; not checked.'),
  encryption: ENCRYPTION,
  metadata: METADATA,
  language: textOrNull('Language of its text, as the file states ("de-CH").'),
  isTagged: yesOrNo('Whether it has structure tags (Tagged PDF).'),
  fonts: list('Fonts that its pages name, each once.', FONT),
  outline: list(
    'Bookmarks, in their order.',
    object('A bookmark.', {
      title: text('As it is shown.'),
      level: fromOne('Its depth.'),
      page: {
        type: ['integer', 'null'],
        minimum: 1,
        description: 'The page it leads to; null if that is not a page of this document.',
      },
    }),
  ),
  attachments: list('Names of the files that are attached.', { type: 'string' }),
  form: object('Its form; FORM_FIELDS reads it.', {
    kind: { type: 'string', enum: ['none', 'acro-form', 'xfa'], description: 'What describes it.' },
    fields: fromZero('How many fields it has.'),
  }),
  signatures: fromZero('Number of signature fields, signed or not; nothing is verified.'),
});

const IMAGE = object('Only for an image.', {
  format: text('jpeg, png, tiff, webp, gif, bmp, or heif for HEIC, HEIF and AVIF.'),
  frames: fromOne('Pictures in the file: pages of a TIFF, frames of an animation.'),
  dpi: { type: ['number', 'null'], description: 'Dots per inch, if the file says so.' },
  colorSpace: text('srgb, b-w, cmyk …'),
  channels: fromOne('Of each pixel.'),
  bitsPerChannel: fromOne('As they are stored.'),
  hasAlpha: yesOrNo('Whether it may be transparent.'),
});

/** Describes a document without recognising anything. */
export const documentInspection: OcrFunction = {
  id: 'DOCUMENT_INSPECTION',
  alias: 'inspect',
  title: 'Document inspection',
  description:
    'Says what a document is without recognising anything: type, pages and their sizes, which pages have a text layer that can be trusted and which need recognition; ' +
    'of a PDF its version, encryption, metadata, fonts, outline, attachments, form and signatures; of an image its format, resolution and colour. ' +
    'An encrypted PDF needs its password here too.',
  acceptedTypes: DOCUMENT_TYPES,
  pageCap: 10_000,
  unrecognisedPageMs: 10,
  argsSchema: argsObject({
    pages: {
      ...readingProperties.pages,
      description:
        'Pages to look at: numbers and ranges, from 1; -1 is the last page, "5-" runs to the end. All unless given.',
    },
    password: readingProperties.password,
  }),
  resultSchema: {
    $schema: DIALECT,
    ...object(
      'What the document is.',
      {
        mimeType: text('By its bytes.'),
        sizeBytes: fromZero('Of the file.'),
        pageCount: fromOne('Of the whole document.'),
        pagesNeedingOcr: textOrNull(
          'Which of the pages below, in the form of the argument `pages`: "2-4,9"; null for none.',
        ),
        pages: list('The requested pages, except damaged ones.', PAGE),
        pdf: PDF,
        image: IMAGE,
        warnings: list(
          'What could not be read.',
          object(
            'A warning.',
            { page: fromOne('As in the file; of the document when absent.'), message: text('For people.') },
            ['page'],
          ),
        ),
      },
      ['pdf', 'image', 'warnings'],
    ),
  },
  output: { extension: '.tsv', print: printInspection },
  async run({ path, mimeType, args, limits, onProgress }) {
    const { inspectDocument } = await import('../engine/products/inspection/inspect-document.js');
    const options: InspectionOptions = {
      ...toSelection(args),
      maxPixels: limits.maxPixels,
      onProgress,
    };
    const { warnings, ...inspection } = await inspectDocument(path, mimeType, options);
    return {
      result: { ...inspection, ...(warnings.length > 0 ? { warnings } : {}) },
      provider: mimeType === PDF_TYPE ? 'pdfium' : 'image-header',
      pageCount: inspection.pages.length,
    };
  },
};
