import type { OcrDocument, Page } from '../../../src/engine/model/document.js';
import { joinFragments } from '../../../src/engine/model/join-fragments.js';
import type { Fragment, PageLine, PageWord } from '../../../src/engine/model/page.js';
import { layOutDocument } from '../../../src/engine/stages/layout/lay-out-document.js';
import { buildLines } from '../../../src/engine/stages/layout/lines/lines.js';
import { type PageToPlace, placeWords, toPageContent } from '../../../src/engine/stages/text-layer/place-words.js';
import type { RawWord } from '../../../src/engine/stages/text-layer/words/raw-word.js';

export interface Style {
  size?: number;
  bold?: boolean;
  italic?: boolean;
  monospaced?: boolean;
  angle?: number;
  face?: number;
}

/** The words of a line set at x on base line y, as wide as a half of an em for each letter. */
export function setLine(text: string, x: number, y: number, style: Style = {}): RawWord[] {
  const { size = 10, bold = false, italic = false, monospaced = false, angle = 0, face } = style;
  let at = x;
  return text.split(' ').map((word) => {
    const width = word.length * size * 0.5;
    const placed = { x0: at, x1: at + width, y0: y - size * 0.8, y1: y + size * 0.2, originX: at, originY: y };
    at += width + size * 0.25;
    return { text: word, ...placed, fontSize: size, bold, italic, monospaced, angle, ...(face && { face }) };
  });
}

export const setLines = (lines: readonly string[], x: number, y: number, step = 12, style: Style = {}): RawWord[] =>
  lines.flatMap((line, index) => setLine(line, x, y + index * step, style));

/** The words as those of a page. */
export const pageWordsOf = (words: readonly RawWord[]): PageWord[] =>
  words.map(({ originY, ...word }) => ({ ...word, baseline: originY, confidence: null }));

/** The fragments of a text layer before its layout. */
export const fragmentsOf = (words: readonly RawWord[]): Fragment[] => joinFragments(pageWordsOf(words));

export const linesOf = (words: readonly RawWord[]): PageLine[] => buildLines(fragmentsOf(words));

/** Drawing and links of a page. */
export type Drawn = Partial<PageToPlace['drawing'] & { links: PageToPlace['links'] }>;

/** Lays out pages of words as a document, as the engine does with a text layer. */
export function readPages(pages: readonly (readonly RawWord[])[], size = [600, 800], drawn: Drawn = {}): Page[] {
  const [width = 0, height = 0] = size;
  const { rules = [], images = [], shades = [], boxes = [], dots = [], links = [] } = drawn;
  const sketches = pages.map((words, index) => ({
    number: index + 1,
    page: placeWords({
      ...{ width, height, layer: { words }, links },
      drawing: { rules, images, shades, boxes, dots, shapes: [] },
    }),
  }));
  const blocks = layOutDocument(sketches.map(({ number, page }) => ({ number, content: toPageContent(page) })));
  return sketches.map(({ number, page }, index) => ({
    ...{ number, width: page.width, height: page.height, rotation: page.rotation },
    ...{ source: 'text-layer', textLayer: { verdict: 'trusted', reasons: [] }, blocks: blocks[index] ?? [] },
  }));
}

export function readPage(words: readonly RawWord[], width = 600, height = 800, drawn: Drawn = {}): Page {
  const [page] = readPages([words], [width, height], drawn);
  if (page === undefined) throw new Error('no page');
  return page;
}

export const documentOf = (pages: Page[]): OcrDocument => ({ pages, warnings: [] });
