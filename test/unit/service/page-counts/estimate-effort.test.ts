import { expect, test } from 'vitest';
import { findFunction } from '../../../../src/functions/catalog.js';
import {
  correctEffort,
  estimateEffort,
  isLookWorthwhile,
  limitRunMs,
} from '../../../../src/service/page-counts/estimate-effort.js';
import { LANES, type Lane } from '../../../../src/store/lanes.js';

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
  const sample = pictureShare === undefined ? undefined : { pictureShare, elementsPerPage: 0 };
  const effort = estimateEffort(findFunction(id), { args, pageCount, sample });
  expect(laneNames.find(([, number]) => number === effort.lane)?.[0]).toBe(lane);
});

test.each([
  [{}, 18, 500, 'brief'],
  [{}, 18, 8_000, 'text'],
  [{ ocr: 'never' }, 18, 8_000, 'text'],
  [{}, 1, 8_000, 'brief'],
  [{}, 2_000, 8_000, 'long'],
] as const)('%j, %i pages of %i words and drawings → %s', (args, pageCount, elementsPerPage, lane) => {
  const sample = { pictureShare: 0, elementsPerPage };
  const effort = estimateEffort(findFunction('TEXT_EXTRACTION'), { args, pageCount, sample });
  expect(laneNames.find(([, number]) => number === effort.lane)?.[0]).toBe(lane);
});

test('more pages → a longer delay, of half a minute at most', () => {
  const delayOf = (pageCount: number) =>
    estimateEffort(findFunction('TEXT_EXTRACTION'), { args: {}, pageCount, sample: undefined }).delayMs;
  expect([1, 10, 100, 2_000].map(delayOf)).toEqual([1_515, 15_150, 30_000, 30_000]);
});

const { brief, text, short, medium, long } = LANES;

test.each([
  // A text layer of 18 pages that is not trusted; a page full of drawings.
  [brief, { pagesDone: 3, pageCount: 18 }, medium],
  [brief, { pagesDone: 0, pageCount: 1 }, medium],
  [brief, { pagesDone: 0, pageCount: 18 }, long],
  [text, { pagesDone: 900, pageCount: 1_000 }, long],
  [short, { pagesDone: 2, pageCount: 3 }, medium],
  [medium, { pagesDone: 39, pageCount: 40 }, long],
] as const)('a run in lane %i that takes too long, %j → lane %i', (lane, progress, longer) => {
  expect(correctEffort({ lane, passedMs: limitRunMs(lane), ...progress }).lane).toBe(longer);
});

test('runs that take too long again and again → each time a longer lane, until the longest, which has no limit', () => {
  for (const passedMs of [1, 1e3, 1e6])
    for (const pagesDone of [0, 1, 2_000]) {
      const lanes: Lane[] = [brief];
      for (let lane: Lane = brief; limitRunMs(lane) < Infinity; lanes.push(lane))
        lane = correctEffort({ lane, passedMs, pagesDone, pageCount: 2_000 }).lane;
      expect(lanes).toEqual([...new Set(lanes)].sort());
      expect(lanes.at(-1)).toBe(long);
    }
});

test('a look at the pages → only where the time depends on them', () => {
  expect(isLookWorthwhile(findFunction('TEXT_EXTRACTION'), {})).toBe(true);
  expect(isLookWorthwhile(findFunction('TEXT_EXTRACTION'), { ocr: 'never' })).toBe(true);
  expect(isLookWorthwhile(findFunction('TEXT_EXTRACTION'), { ocr: 'force' })).toBe(false);
  expect(isLookWorthwhile(findFunction('FORM_FIELDS'), {})).toBe(false);
});
