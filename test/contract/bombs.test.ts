import { imageBombs, pdfBombs } from '../fixtures/maker/bombs.js';
import { crossReferenceBombs } from '../fixtures/maker/counting-bombs.js';
import { TOO_MANY, testBombs } from './bombs-suite.js';

testBombs([
  ['a PNG of 268 megapixels', imageBombs, 'INVALID_DOCUMENT', /16384 x 16384 pixels; the limit is 100 million/],
  ['a TIFF of one strip of 4 gigapixels', imageBombs, 'INVALID_DOCUMENT', /damaged|pixels/],
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
  ['a chain of 30 sections of 4,000,000 entries without bytes', crossReferenceBombs, 'INVALID_DOCUMENT', TOO_MANY],
  ['numbers with fractions', crossReferenceBombs, 'INVALID_DOCUMENT', TOO_MANY],
]);
