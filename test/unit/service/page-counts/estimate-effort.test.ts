import { expect, test } from 'vitest';
import { findFunction } from '../../../../src/functions/catalog.js';
import { estimateEffort, isLookWorthwhile } from '../../../../src/service/page-counts/estimate-effort.js';
import { LANES } from '../../../../src/store/lanes.js';

const laneNames = Object.entries(LANES);

test.each([
  ['TEXT_EXTRACTION', {}, 2, 0, 'brief'],
  ['TEXT_EXTRACTION', {}, 619, 0, 'text'],
  ['TEXT_EXTRACTION', {}, 2_000, 0, 'text'],
  ['TEXT_EXTRACTION', {}, 1, 1, 'short'],
  ['TEXT_EXTRACTION', {}, 1, undefined, 'short'],
  ['TEXT_EXTRACTION', {}, 20, 1, 'medium'],
  ['TEXT_EXTRACTION', {}, 1_000, 1, 'long'],
  // A book with a few scanned pages.
  ['TEXT_EXTRACTION', {}, 300, 0.1, 'medium'],
  ['TEXT_EXTRACTION', { pages: '7,-1' }, 1_000, 1, 'short'],
  ['TEXT_EXTRACTION', { ocr: 'never' }, 30, 1, 'brief'],
  ['TEXT_EXTRACTION', { ocr: 'force' }, 1_000, 0, 'long'],
  ['SEARCHABLE_PDF', {}, 500, 1, 'long'],
  ['DOCUMENT_INSPECTION', {}, 40, 1, 'brief'],
  ['DOCUMENT_INSPECTION', {}, 1_000, undefined, 'text'],
  ['FORM_FIELDS', {}, 30, undefined, 'brief'],
  ['BARCODE_READING', {}, 1, undefined, 'brief'],
] as const)('%s %j of %i pages, of which %s are pictures → %s', (id, args, pageCount, pictureShare, lane) => {
  const effort = estimateEffort(findFunction(id), { args, pageCount, pictureShare });
  expect(laneNames.find(([, number]) => number === effort.lane)?.[0]).toBe(lane);
});

test('more pages → a longer delay, of half a minute at most', () => {
  const delayOf = (pageCount: number) =>
    estimateEffort(findFunction('TEXT_EXTRACTION'), { args: {}, pageCount, pictureShare: 1 }).delayMs;
  expect([1, 10, 100, 2_000].map(delayOf)).toEqual([1_515, 15_150, 30_000, 30_000]);
});

test('a look at the pages → only where recognition depends on them', () => {
  expect(isLookWorthwhile(findFunction('TEXT_EXTRACTION'), {})).toBe(true);
  expect(isLookWorthwhile(findFunction('TEXT_EXTRACTION'), { ocr: 'never' })).toBe(false);
  expect(isLookWorthwhile(findFunction('FORM_FIELDS'), {})).toBe(false);
});
