import { createFragment } from '../../model/fragment.js';
import type { PageBlock, PageLine, PageWord } from '../../model/page.js';
import { joinAmounts } from './join-amounts.js';

/** Confidence below which a recognised word is more often noise than text (word F1 .814 → .823 on scans). */
export const MIN_CONFIDENCE = 0.3;

/**
 * A tag and, for a word, its content. Neither runs on into another tag: a search for an end that never comes would begin anew at
 * each tag.
 */
const TAG =
  /<(?:div|p|span)\s+class=(['"])(ocr_par|ocr_carea|ocr_line|ocr_header|ocr_caption|ocr_textfloat|ocrx_word)\1([^<>]*)>(?:([^<]*(?:<(?!\/?(?:div|p|span)\b)[^<]*)*)<\/span>)?/g;
/** Numbers have nine digits at most and one point: others would be no finite numbers. */
const BOX = /bbox (\d{1,9}) (\d{1,9}) (\d{1,9}) (\d{1,9})/;
const TITLE = /\stitle=(['"])(.*?)\1/;

export interface HocrPage {
  blocks: PageBlock[];
  /** Clockwise turn of most of the lines in the picture, in degrees, according to the recogniser. */
  textAngle: number;
}

/** Parses Tesseract's hOCR into paragraphs of lines. Source: the hOCR 1.2 specification. */
export function parseHocr(hocr: string): HocrPage {
  const blocks: PageBlock[] = [];
  const angles = [0, 0, 0, 0];
  let words: PageWord[] = [];
  let lineSize = 0;
  let lineAngle = 0;
  let baselineAt: Baseline | undefined;
  let paragraph: PageBlock = { lines: [] };
  const finishLine = () => {
    if (words.length > 0) paragraph.lines.push(toLine(joinAmounts(words), paragraph.lines.length));
    words = [];
  };
  const finishParagraph = () => {
    finishLine();
    if (paragraph.lines.length > 0) blocks.push(paragraph);
    paragraph = { lines: [] };
  };
  for (const [, , kind, attributes = '', content = ''] of hocr.matchAll(TAG)) {
    const title = TITLE.exec(attributes)?.[2];
    if (kind === 'ocr_carea' || title === undefined) continue;
    if (kind === 'ocr_par') finishParagraph();
    else if (kind !== 'ocrx_word') {
      finishLine();
      lineSize = Number(/x_size (\d{1,9}(?:\.\d+)?)/.exec(title)?.[1] ?? 0);
      lineAngle = readAngle(title);
      baselineAt = readBaseline(title);
    } else {
      const word = parseWord(title, content, lineSize, baselineAt);
      if (word === undefined) continue;
      const quarter = ((Math.round(lineAngle / 90) % 4) + 4) % 4;
      angles[quarter] = (angles[quarter] ?? 0) + word.text.length * (word.confidence ?? 0);
      words.push(word);
    }
  }
  finishParagraph();
  // hOCR counts turns counter-clockwise.
  return { blocks, textAngle: ((4 - angles.indexOf(Math.max(...angles))) % 4) * 90 };
}

/** Slope of the base line of a level line: 45 degrees. */
const MAX_LEVEL_SLOPE = 1;

/**
 * Returns the counter-clockwise angle of a line. The program Tesseract 5.3 gives upended lines no angle, and no base line or a
 * steep one: they count as running down.
 */
function readAngle(title: string): number {
  const angle = /textangle (-?\d{1,9}(?:\.\d+)?)/.exec(title)?.[1];
  const slope = /baseline (-?\d{1,9}(?:\.\d+)?)/.exec(title)?.[1];
  if (angle !== undefined || (slope !== undefined && Math.abs(Number(slope)) <= MAX_LEVEL_SLOPE))
    return Number(angle ?? 0);
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = BOX.exec(title)?.slice(1).map(Number) ?? [];
  return y1 - y0 > 2 * (x1 - x0) ? 270 : 0;
}

/** The base line of a level line: its height at x. */
type Baseline = (x: number) => number;

function readBaseline(title: string): Baseline | undefined {
  const [x0 = 0, , , y1 = 0] = BOX.exec(title)?.slice(1).map(Number) ?? [];
  const [slope, offset] =
    /baseline (-?\d{1,9}(?:\.\d+)?) (-?\d{1,9}(?:\.\d+)?)/.exec(title)?.slice(1).map(Number) ?? [];
  if (slope === undefined || offset === undefined) return undefined;
  return (x) => y1 + offset + slope * (x - x0);
}

/** Distance of a base line from a word's foot; with more it is wrong. A border of a table may be in the word's box. */
const MAX_BASELINE_DISTANCE_EM = 1;

function parseWord(
  title: string,
  content: string,
  lineSize: number,
  baselineAt: Baseline | undefined,
): PageWord | undefined {
  const box = BOX.exec(title)?.slice(1).map(Number);
  const text = decodeEntities(content.replace(/<[^>]*>/g, '')).trim();
  if (box === undefined || text === '') return undefined;
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = box;
  const fontSize = lineSize || y1 - y0;
  const baseline = baselineAt?.(x0) ?? y1;
  return {
    text,
    x0,
    y0,
    x1,
    y1,
    baseline: Math.abs(baseline - y1) > fontSize * MAX_BASELINE_DISTANCE_EM ? y1 : baseline,
    fontSize,
    bold: false,
    italic: false,
    confidence: Number(/x_wconf (\d{1,9}(?:\.\d+)?)/.exec(title)?.[1] ?? 0) / 100,
  };
}

/** Gap that separates cells of a line. */
const CELL_GAP_EM = 1.8;

/** Makes a line of words in their order and marks the wide gaps. */
export function toLine(words: PageWord[], order: number): PageLine {
  const line = createFragment(words, order);
  const apart = new Set<number>();
  words.forEach((word, index) => {
    const previous = words[index - 1];
    if (previous !== undefined && word.x0 - previous.x1 > CELL_GAP_EM * word.fontSize) apart.add(index);
  });
  return { ...line, apart };
}

function decodeEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
