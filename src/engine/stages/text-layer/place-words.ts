import { type Area, contains } from '../../model/geometry.js';
import { joinFragments } from '../../model/join-fragments.js';
import type { PageContent, PageWord, TurnedWords } from '../../model/page.js';
import { createTurn, isOblique, type PageSize, turnPointBack } from '../../model/page-transform.js';
import { markCellStarts } from './cell-starts.js';
import { addCheckBoxes } from './check-boxes.js';
import { cutCoveredLeaders } from './covered-leaders.js';
import type { SmallShape } from './drawing/small-shapes.js';
import { addDrawnBullets } from './drawn-bullets.js';
import { joinAtUnderscores } from './drawn-underscores.js';
import type { LinkArea } from './read-links.js';
import { lengthOfOblique } from './words/oblique.js';
import type { RawWord } from './words/raw-word.js';

/** The text layer of a page, turned so that most of its text stands upright. */
export interface UprightPage {
  width: number;
  height: number;
  /** Clockwise turn, in degrees, from the displayed page to the page as it is read. */
  rotation: number;
  /** Upright words, in the order of the content stream. */
  words: PageWord[];
  turned: TurnedWords[];
  rules: Area[];
  images: Area[];
  shades: Area[];
  /** Rectangles with round corners, and those filled white. */
  boxes: Area[];
}

/** Text-layer words, rules and links of a displayed page → the page as it is read. */
export function placeWords({ layer, drawing, links, width, height }: PageToPlace): UprightPage {
  const main = mainAngle(layer.words);
  const displayed = { width, height };
  const isSideways = main % 180 !== 0;
  const page = {
    width: isSideways ? height : width,
    height: isSideways ? width : height,
    rotation: (360 - main) % 360,
  };
  const turned: TurnedWords[] = [];
  if (links.length > 0) markLinks(layer.words, links);
  const others = layer.words.filter(({ angle }) => angle !== main).map(({ angle }) => angle);
  for (const angle of [...new Set(others)].sort((a, b) => a - b)) {
    const words = layer.words.filter((word) => word.angle === angle);
    turned.push(turnWords(placeAll(words, angle, displayed), angle, page));
  }
  const upright = turned.length === 0 ? layer.words : layer.words.filter((word) => word.angle === main);
  const { fromPage } = createTurn(main, displayed);
  const turn = ({ x0, y0, x1, y1 }: Area): Area => (main === 0 ? { x0, y0, x1, y1 } : fromPage({ x0, y0, x1, y1 }));
  const words = placeAll(upright, main, displayed);
  markCellStarts(words, new Set(words.filter((_, index) => upright[index]?.placed)));
  const rules = drawing.rules.map(turn);
  const shapes = drawing.shapes.map((shape) => ({ ...shape, ...turn(shape) }));
  const images = drawing.images.map(turn);
  const named = joinAtUnderscores(cutCoveredLeaders(words), [...rules, ...(drawing.dashes ?? []).map(turn)]);
  const checked = addCheckBoxes({ words: named, shapes, rules, images });
  const isOfBox = (dot: Area) => checked.boxes.some((box) => contains(box, dot, MAX_BOX_LINE));
  const dots = drawing.dots.map(turn).filter((dot) => !isOfBox(dot));
  return {
    ...page,
    words: addDrawnBullets(checked.words, dots),
    turned,
    rules,
    images,
    shades: drawing.shades.map(turn),
    boxes: (drawing.boxes ?? []).map(turn),
  };
}

/** Width of the lines of a box to check, in points. */
const MAX_BOX_LINE = 1.5;

/** Words of one direction, upright in a frame of their own, on a page as it is read. */
export function turnWords(
  words: PageWord[],
  angle: number,
  page: Pick<UprightPage, 'width' | 'height' | 'rotation'>,
): TurnedWords {
  const { width, height, rotation } = page;
  const displayed = rotation % 180 === 0 ? { width, height } : { width: height, height: width };
  const upright = createTurn((360 - rotation) % 360, displayed);
  const own = createTurn(angle, displayed);
  return {
    words,
    angle,
    toPage: (area) => upright.fromPage(own.toPage(area)),
    fromPage: (area) => own.fromPage(upright.toPage(area)),
  };
}

/** A page of a text layer in the form that the layout takes. */
export const toPageContent = ({ words, rotation: _, ...page }: UprightPage): PageContent => ({
  ...page,
  fragments: joinFragments(words),
  isRecognised: false,
});

/** The parts of a PdfPage that are placed. */
export interface PageToPlace {
  width: number;
  height: number;
  layer: { words: readonly RawWord[] };
  drawing: {
    rules: readonly Area[];
    dashes?: readonly Area[];
    images: readonly Area[];
    shades: readonly Area[];
    boxes?: readonly Area[];
    dots: readonly Area[];
    shapes: readonly SmallShape[];
  };
  links: readonly LinkArea[];
}

/** The direction of most of the characters, oblique ones aside. */
function mainAngle(words: readonly RawWord[]): number {
  const characters = [0, 0, 0, 0];
  for (const { angle, text } of words)
    if (!isOblique(angle)) characters[angle / 90] = (characters[angle / 90] ?? 0) + text.length;
  return characters.indexOf(Math.max(...characters)) * 90;
}

/** Marks the words whose middle lies in a link. */
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

/** Words of one direction on the displayed page, in the frame in which their glyphs stand upright. */
function placeAll(words: readonly RawWord[], angle: number, page: PageSize): PageWord[] {
  if (angle === 0) return words.map((word) => place(word, word, word.originY));
  const { fromPage } = createTurn(angle, page);
  const boxOf = isOblique(angle) ? (word: RawWord) => levelArea(word, page) : fromPage;
  return words.map((word) => place(word, boxOf(word), turnPointBack(word.originX, word.originY, angle, page)[1]));
}

function place(word: RawWord, box: Area, baseline: number): PageWord {
  // The properties are spelled out: a spread for each word of a long document costs a third of its layout.
  const placed: PageWord = {
    text: word.text,
    x0: box.x0,
    y0: box.y0,
    x1: box.x1,
    y1: box.y1,
    baseline,
    fontSize: word.fontSize,
    bold: word.bold,
    italic: word.italic,
    confidence: null,
  };
  if (word.face !== undefined) placed.face = word.face;
  if (word.glued) placed.glued = true;
  if (word.pictorial) placed.pictorial = true;
  if (word.monospaced) placed.monospaced = true;
  if (word.artifact) placed.artifact = true;
  if (word.link !== undefined) placed.link = word.link;
  return placed;
}

/** The area of an oblique word along its base line: its box on the page is wider and higher than the word. */
function levelArea(word: RawWord, page: PageSize): Area {
  const [x, y] = turnPointBack((word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2, word.angle, page);
  const [halfLength, halfSize] = [lengthOfOblique(word) / 2, word.fontSize / 2];
  return { x0: x - halfLength, y0: y - halfSize, x1: x + halfLength, y1: y + halfSize };
}
