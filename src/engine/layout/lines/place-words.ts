import type { Area } from '../../pdf/read-drawing.js';
import type { LinkArea } from '../../pdf/read-links.js';
import type { RawWord } from '../../pdf/words/raw-word.js';
import type { PlacedWord } from '../laid.js';

/** What stands on a page, turned so that most of its text stands upright. */
export interface PageContent {
  width: number;
  height: number;
  /** Clockwise turn, in degrees, from the displayed page to the page as it is read. */
  rotation: number;
  /** Upright words, in the order of the content stream. */
  words: PlacedWord[];
  /** Words of other directions (a stamp along the margin, the head of a narrow column), each direction upright in a frame of its own. */
  turned: TurnedWords[];
  rules: Area[];
  /** Whether these lines were found in a picture of the page. */
  traced?: boolean;
  images: Area[];
  /** Rectangles filled with a colour. */
  shades: Area[];
}

export interface TurnedWords {
  words: PlacedWord[];
  /** Clockwise turn of their glyphs on the displayed page, in degrees. */
  angle: number;
  /** From the frame of these words to the page's. */
  toPage(area: Area): Area;
}

/** Text-layer words, rules and links of a displayed page → the page as it is read. */
export function placeWords({ layer, drawing, links, width, height }: PageToPlace): PageContent {
  const main = mainAngle(layer.words);
  const sideways = main % 180 !== 0;
  const page = {
    width: sideways ? height : width,
    height: sideways ? width : height,
    rotation: (360 - main) % 360,
  };
  const turned: TurnedWords[] = [];
  if (links.length > 0) markLinks(layer.words, links);
  const others = layer.words.some(({ angle }) => angle !== main) ? [0, 90, 180, 270] : [];
  for (const angle of others.filter((other) => other !== main)) {
    const words = layer.words.filter((word) => word.angle === angle);
    if (words.length === 0) continue;
    const placed = words.map((word) => place(word, width, height));
    turned.push(turnWords(placed, angle, page));
  }
  const upright = turned.length === 0 ? layer.words : layer.words.filter((word) => word.angle === main);
  const turn = (area: Area) => (main === 0 ? area : turnArea(area, main, width, height));
  return {
    ...page,
    words: upright.map((word) => place(word, width, height)),
    turned,
    rules: drawing.rules.map(turn),
    images: drawing.images.map(turn),
    shades: drawing.shades.map(turn),
  };
}

/** Words of one direction, upright in a frame of their own, on a page as it is read. */
export function turnWords(
  words: PlacedWord[],
  angle: number,
  page: Pick<PageContent, 'width' | 'height' | 'rotation'>,
): TurnedWords {
  const sideways = page.rotation % 180 !== 0;
  const main = (360 - page.rotation) % 360;
  const [width, height] = sideways ? [page.height, page.width] : [page.width, page.height];
  const back = (360 - angle) % 360;
  const [w, h] = angle % 180 === 0 ? [width, height] : [height, width];
  const toPage = (area: Area) => turnArea(turnArea(area, back, w, h), main, width, height);
  return { words, angle, toPage };
}

/** What of a PdfPage is placed. */
export interface PageToPlace {
  width: number;
  height: number;
  layer: { words: readonly RawWord[] };
  drawing: { rules: readonly Area[]; images: readonly Area[]; shades: readonly Area[] };
  links: readonly LinkArea[];
}

/** The direction of most of the characters. */
function mainAngle(words: readonly RawWord[]): number {
  const characters = [0, 0, 0, 0];
  for (const { angle, text } of words) characters[angle / 90] = (characters[angle / 90] ?? 0) + text.length;
  return characters.indexOf(Math.max(...characters)) * 90;
}

/** A link holds the words whose middle lies in it. */
function markLinks(words: readonly RawWord[], links: readonly LinkArea[]): void {
  const sorted = [...links].sort((a, b) => a.y0 - b.y0);
  const tallest = Math.max(...links.map(({ y0, y1 }) => y1 - y0));
  for (const word of words) {
    const x = (word.x0 + word.x1) / 2;
    const y = (word.y0 + word.y1) / 2;
    for (let index = firstBelow(sorted, y - tallest); index < sorted.length; index++) {
      const link = sorted[index];
      if (link === undefined || link.y0 > y) break;
      if (link.y1 >= y && link.x0 <= x && link.x1 >= x) word.link = link.url;
    }
  }
}

function firstBelow(sorted: readonly { y0: number }[], y: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle]?.y0 ?? 0) < y) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** A word of the displayed page in the frame in which its glyphs stand upright. */
function place(word: RawWord, width: number, height: number): PlacedWord {
  const upright = word.angle === 0;
  const box = upright ? word : turnArea(word, word.angle, width, height);
  // Spelled out: a spread for each word of a long document costs a third of its layout.
  const placed: PlacedWord = {
    text: word.text,
    x0: box.x0,
    y0: box.y0,
    x1: box.x1,
    y1: box.y1,
    baseline: upright ? word.originY : turnPoint(word.originX, word.originY, word.angle, width, height)[1],
    fontSize: word.fontSize,
    bold: word.bold,
    italic: word.italic,
    confidence: null,
  };
  if (word.face !== undefined) placed.face = word.face;
  if (word.glued) placed.glued = true;
  if (word.pictorial) placed.pictorial = true;
  if (word.monospaced) placed.monospaced = true;
  if (word.link !== undefined) placed.link = word.link;
  return placed;
}

/** Undoes a clockwise turn of `angle` degrees about the page. */
function turnPoint(x: number, y: number, angle: number, width: number, height: number): [number, number] {
  if (angle === 90) return [y, width - x];
  if (angle === 180) return [width - x, height - y];
  if (angle === 270) return [height - y, x];
  return [x, y];
}

function turnArea(area: Area, angle: number, width: number, height: number): Area {
  const [ax, ay] = turnPoint(area.x0, area.y0, angle, width, height);
  const [bx, by] = turnPoint(area.x1, area.y1, angle, width, height);
  return { x0: Math.min(ax, bx), y0: Math.min(ay, by), x1: Math.max(ax, bx), y1: Math.max(ay, by) };
}
