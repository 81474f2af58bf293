import { pdfBombs } from '../fixtures/maker/bombs.js';
import { testBombs } from './bombs-suite.js';

// Each document is read up to its limit of time or memory.
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
]);
