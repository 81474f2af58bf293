import { type Area, boundsOf, holdsMiddle } from '../../../model/geometry.js';
import { meanConfidence as averageOf } from '../../../model/mean-confidence.js';
import type { PageBlock, PageWord } from '../../../model/page.js';
import { wordsOf } from '../../../model/words-of.js';
import { findEvenRows } from '../../picture/find/find-even-rows.js';
import type { Raster } from '../../picture/raster.js';
import { toLine } from '../hocr.js';
import { withoutWords } from '../without-words.js';
import { type ReadZone, readZone } from './read-zone.js';

/** Places that are tried on a page, from below. */
const MAX_PLACES = 3;
/** Mean confidence of a page on which a zone may stand: where OCR-B was read, however badly, pages have .84 at most. */
const MAX_SURE_CONFIDENCE = 0.85;
/** Fillers, or a long word of capitals and digits: a zone on a page that was read surely otherwise. */
const MACHINE_READABLE = /<<|[A-Z0-9<«]{24}/;

/** Finds and reads the machine-readable zone (ICAO 9303) of a page, if its first reading has traces of one. */
export async function findZone(
  raster: Raster,
  blocks: readonly PageBlock[],
  meanConfidence: number,
): Promise<ReadZone | undefined> {
  const words = wordsOf(blocks);
  const mayHoldOne = meanConfidence < MAX_SURE_CONFIDENCE || words.some(({ text }) => MACHINE_READABLE.test(text));
  if (!mayHoldOne) return undefined;
  const places = findEvenRows(raster).filter(
    (lines) => !isText(words.filter((word) => holdsMiddle(boundsOf(lines), word))),
  );
  for (const lines of places.slice(0, MAX_PLACES)) {
    const zone = await readZone(raster, lines);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

/** Length of a word and confidence of words in lines of text. */
const MAX_WORD_LENGTH = 14;
const MIN_TEXT_CONFIDENCE = 0.6;

/** True when lines were read as words of text. */
const isText = (words: readonly PageWord[]): boolean =>
  words.every(({ text }) => text.length <= MAX_WORD_LENGTH) && (averageOf(words) ?? 0) >= MIN_TEXT_CONFIDENCE;

/** Puts the lines of a zone in place of what was read there. */
export function addZone(blocks: readonly PageBlock[], zone: ReadZone): PageBlock[] {
  const place = boundsOf(zone.areas);
  const rest = withoutWords(blocks, (word) => holdsMiddle(place, word));
  const lines = zone.lines.map((_, index) => toLine([wordOf(zone, index)], index));
  const below = rest.findIndex((block) => (block.lines[0]?.y0 ?? 0) > place.y0);
  return rest.toSpliced(below === -1 ? rest.length : below, 0, { lines });
}

/** Confidence of lines whose check digits agree, with letters that were chosen by one, and with a digit that does not agree. */
const CHECKED_CONFIDENCE = 0.99;
const CHOSEN_CONFIDENCE = 0.9;
const FAILED_CONFIDENCE = 0.6;
/** Check digits that rarely agree by chance. */
const MIN_AGREEING = 3;
/** Size of the type by the height of its capitals. */
const SIZE_BY_HEIGHT = 1.35;

function wordOf({ lines, areas, sure, agreeing, failing, wasChosen }: ReadZone, index: number): PageWord {
  const area = areas[index] as Area;
  const read = Math.min(sure[index] ?? 0, CHECKED_CONFIDENCE);
  const hasDigits = /\d/.test(lines[index] ?? '');
  const checked = agreeing >= MIN_AGREEING && failing === 0 && hasDigits ? CHECKED_CONFIDENCE : read;
  const bound = failing > 0 && hasDigits ? FAILED_CONFIDENCE : wasChosen ? CHOSEN_CONFIDENCE : 1;
  return {
    ...area,
    text: lines[index] ?? '',
    baseline: area.y1,
    fontSize: (area.y1 - area.y0) * SIZE_BY_HEIGHT,
    bold: false,
    italic: false,
    confidence: Math.min(bound, checked),
    monospaced: true,
  };
}
