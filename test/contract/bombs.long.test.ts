import { imageBombs, pdfBombs } from '../fixtures/maker/bombs.js';
import { crossReferenceBombs } from '../fixtures/maker/counting-bombs.js';
import { type BombRow, TOO_MANY, testBombs } from './bombs-suite.js';

/** The ordinary suite has these. */
const OFTEN = ['a chain of 30 sections of 4,000,000 entries without bytes', 'numbers with fractions'];

// The first three are read up to their limit of time or memory.
testBombs([
  [
    'a content stream of 768 MiB',
    pdfBombs,
    'INVALID_DOCUMENT',
    /cannot be read: (?:it needs more than 384 MiB of memory|no page was done)/,
  ],
  [
    'text without end in ten layers of Flate',
    pdfBombs,
    'INVALID_DOCUMENT',
    /cannot be read: (?:it needs more|no page was done)/,
  ],
  ['a form that draws itself', pdfBombs, 'INVALID_DOCUMENT', /cannot be read: (?:it needs more|no page was done)/],
  ['a TIFF of 100,000 pages', imageBombs, 'PAGE_LIMIT_EXCEEDED', /100000 pages/],
  ['a GIF of 65,535 x 65,535', imageBombs, 'INVALID_DOCUMENT', /65535 x 65535 pixels/],
  ['a BMP of 2 gigapixels', imageBombs, 'INVALID_DOCUMENT', /60000 x 40000 pixels/],
  ...Object.keys(crossReferenceBombs)
    .filter((name) => !OFTEN.includes(name))
    .map((name): BombRow => [name, crossReferenceBombs, 'INVALID_DOCUMENT', TOO_MANY]),
]);
