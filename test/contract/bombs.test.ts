import { imageBombs, pdfBombs } from '../fixtures/maker/bombs.js';
import { crossReferenceBombs } from '../fixtures/maker/counting-bombs.js';
import { type BombRow, testBombs } from './bombs-suite.js';

testBombs([
  ['a PNG of 268 megapixels', imageBombs, 'INVALID_DOCUMENT', /16384 x 16384 pixels; the limit is 100 million/],
  ['a TIFF of 100,000 pages', imageBombs, 'PAGE_LIMIT_EXCEEDED', /100000 pages/],
  ['a TIFF of one strip of 4 gigapixels', imageBombs, 'INVALID_DOCUMENT', /damaged|pixels/],
  ['a GIF of 65,535 x 65,535', imageBombs, 'INVALID_DOCUMENT', /65535 x 65535 pixels/],
  ['a BMP of 2 gigapixels', imageBombs, 'INVALID_DOCUMENT', /60000 x 40000 pixels/],
  ['a count of a million pages', pdfBombs, 'PAGE_LIMIT_EXCEEDED', /1000000 pages/],
  ['pages that are their own parents', pdfBombs, 'INVALID_DOCUMENT', /none of the 9 pages can be read/],
  [
    'a JBIG2 page of 65,535 x 65,535',
    pdfBombs,
    'INVALID_DOCUMENT',
    /cannot be read: (?:it needs more|no page was done)/,
  ],
  ['a cross-reference table that precedes itself', pdfBombs, 'read', /./],
  ['arrays in arrays, 200,000 deep', pdfBombs, 'read', /./],
  ['a page of a million points', pdfBombs, 'read', /./],
  ['a pattern of a hundred million tiles', pdfBombs, 'read', /./],
  ...Object.keys(crossReferenceBombs).map(
    (name): BombRow => [name, crossReferenceBombs, 'INVALID_DOCUMENT', /name more objects than the file can have/],
  ),
]);
