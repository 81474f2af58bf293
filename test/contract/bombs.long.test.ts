import { pdfBombs } from '../fixtures/maker/bombs.js';
import { testBombs } from './bombs-suite.js';

// Each document is read three times, up to its limit of time or memory.
testBombs([
  [
    'a content stream of 768 MiB',
    pdfBombs,
    'INTERNAL',
    /3 attempts: (?:it needs more than 384 MiB of memory|no page was done)/,
  ],
  ['text without end in ten layers of Flate', pdfBombs, 'INTERNAL', /3 attempts: (?:it needs more|no page was done)/],
  ['a form that draws itself', pdfBombs, 'INTERNAL', /3 attempts: (?:it needs more|no page was done)/],
]);
