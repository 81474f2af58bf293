import { type Area, areLevel, contains, grow, holdsMiddle, overlap } from '../../model/geometry.js';
import type { CheckMark, PageWord } from '../../model/page.js';
import { MAX_SHAPES, type SmallShape } from './drawing/small-shapes.js';
import { wordsNear } from './words-near.js';

/** Size of a box, in points, and as a ratio to the type of its label. */
const MIN_SIZE = 5;
const MAX_SIZE = 20;
const MIN_SIZE_EM = 0.55;
const MAX_SIZE_EM = 1.7;
/** Difference of width and height, and of the sizes of boxes that are alike. */
const MAX_UNEVEN_SHARE = 0.15;
const MAX_UNLIKE_SHARE = 0.1;
/** Distance of a label from its box, and from one in a margin of its own. */
const MAX_GAP_EM = 0.9;
const MAX_MARGIN_EM = 2.5;
/** Distance to the next box in the row and in the column, as a ratio to the size; in a grid or between cells for letters it is less. */
const MIN_STEP_RATIO = 0.5;
const MIN_LINE_RATIO = 0.05;
/** Boxes of a page; more are cells. */
const MAX_BOXES = 300;
/** Width of lines, in points. */
const LINE = 1;
/** A ground covers at least this share of its box's width, a square that is a mark at most that one. */
const MIN_GROUND_SHARE = 0.6;
const MAX_MARK_SHARE = 0.85;
/** Least width and height of a mark, as a share of the box. A thinner one is a plus or a minus that opens a branch of a tree. */
const MIN_MARK_SHARE = 0.25;
/** Share of a box that its sides take up, where they are drawn one by one. */
const SIDE_SHARE = 0.15;
/** Distance of the middles of strokes that cross, as a share of the box. */
const MAX_OFF_CROSS_SHARE = 0.15;
/** A tick of two lines has two middles; more are hatching. */
const MAX_MIDDLES = 2;
/** Distance of the edges of a sunk box from where they are mirrored, as a share of the box. */
const MAX_OFF_BEVEL_SHARE = 0.13;
/** Distance of the middles of stroked edges across and down, as a share of the box. */
const MIN_BEVEL_SHARE = 0.08;
const TICKS: Record<string, CheckMark['sign']> = {
  ...{ '✓': '☑', '✔': '☑', '•': '☑', '●': '☑', '■': '☑' },
  ...{ x: '☒', X: '☒', '×': '☒', '✕': '☒', '✖': '☒', '✗': '☒', '✘': '☒' },
};
/** Signs that stand on keys and buttons too. */
const KEY = /^[xX×•●■]$/;
/** Brackets around cells for letters. */
const BRACKET = /^[[\](){}|_]+$/;
/** Distance to the word before that begins a new line, as a ratio to the size of the box. */
const MIN_FIRST_RATIO = 2.5;
/** Share of a radio button that its dot has. */
const MAX_DOT_SHARE = 0.75;
/** Share of a disc that the largest one about its middle has which belongs to it. */
const MAX_DISC_SHARE = 1.3;
/** Least number of other boxes in a column, and their distance as a ratio to the size. */
const MIN_IN_COLUMN = 2;
const MAX_COLUMN_RATIO = 10;
/** Height of the margin above and below a box, as a ratio to its size. */
const MARGIN_RATIO = 2;

type Sign = CheckMark['sign'];

/** A box to check, what it shows, and the word that it belongs to. */
interface CheckBox {
  area: Area;
  isRound: boolean;
  sign: Sign;
  /** True where the tick is one that a logo or a key may have too: an empty box has to stand beside it. */
  isUnsure: boolean;
  /** The signs that are set in it, in place of a drawn tick. */
  set: PageWord[];
  label: PageWord;
  /** Side of the label on which it stands; a box in a cell of its own is `apart` from the words of its row. */
  side: 'before' | 'behind' | 'apart';
}

/** The part of a page that shows its boxes. */
interface PageOfBoxes {
  words: PageWord[];
  shapes: readonly SmallShape[];
  rules: readonly Area[];
  images: readonly Area[];
}

/**
 * Gives words the boxes to check that are drawn beside them. A box is an empty square about as high as the letters of its
 * label, and joins no rule and no other square. One alone may be a picture: another like it stands on the page, or it is
 * ticked. Discs are taken where one of them has a dot and another has none.
 */
export function addCheckBoxes({ words, shapes, rules, images }: PageOfBoxes): { words: PageWord[]; boxes: Area[] } {
  const none = { words, boxes: [] };
  if (shapes.length >= MAX_SHAPES) return none;
  const outlines = outermost([...shapes.filter(isOutline), ...squaresOf(rules)]);
  if (outlines.length === 0 || outlines.length > MAX_BOXES) return none;
  const rows = [...words].sort((a, b) => a.baseline - b.baseline);
  const all = outlines.flatMap((outline) => {
    if (isPartOf(outline, outlines, rules) || images.some((image) => holdsMiddle(outline, image))) return [];
    return readBox(outline, { outlines, shapes, rows }) ?? [];
  });
  const found = all.filter((box) => isLikely(box, all));
  if (found.length === 0) return none;
  return { words: insert(words, found), boxes: found.map(({ area }) => area) };
}

const sizeOf = ({ x0, x1, y0, y1 }: Area): number => Math.max(x1 - x0, y1 - y0);

const middleOf = ({ x0, x1, y0, y1 }: Area): [number, number] => [(x0 + x1) / 2, (y0 + y1) / 2];

const isSquare = ({ x0, x1, y0, y1 }: Area): boolean =>
  Math.abs(x1 - x0 - (y1 - y0)) < Math.max(x1 - x0, y1 - y0) * MAX_UNEVEN_SHARE;

const isOutline = (shape: SmallShape): boolean =>
  shape.form !== 'mark' &&
  (shape.stroke === 'dark' || shape.fill === 'dark') &&
  sizeOf(shape) >= MIN_SIZE &&
  sizeOf(shape) <= MAX_SIZE &&
  isSquare(shape);

/** Squares of four lines that are drawn one by one. */
function squaresOf(rules: readonly Area[]): SmallShape[] {
  const short = rules.filter((rule) => sizeOf(rule) >= MIN_SIZE && sizeOf(rule) <= MAX_SIZE);
  if (short.length > MAX_BOXES * 4) return [];
  const across = short.filter(({ x0, x1 }) => x1 > x0);
  const down = short.filter(({ x0, x1 }) => x1 === x0);
  const isNear = (a: number, b: number) => Math.abs(a - b) < LINE;
  return down.flatMap((left) => {
    const isTop = (top: Area) =>
      isNear(top.x0, left.x0) && isNear(top.y0, left.y0) && isSquare({ ...left, x1: top.x1 });
    const top = across.find(isTop);
    if (top === undefined) return [];
    const bottom = across.find(({ x0, x1, y0 }) => isNear(x0, left.x0) && isNear(y0, left.y1) && isNear(x1, top.x1));
    const right = down.some(({ x0, y0, y1 }) => isNear(x0, top.x1) && isNear(y0, left.y0) && isNear(y1, left.y1));
    if (bottom === undefined || !right) return [];
    return [{ x0: top.x0, x1: top.x1, y0: top.y0, y1: bottom.y0, form: 'square', fill: 'none', stroke: 'dark' }];
  });
}

/** The outlines that stand in no other one. */
function outermost(outlines: readonly SmallShape[]): SmallShape[] {
  const kept: SmallShape[] = [];
  for (const outline of [...outlines].sort((a, b) => sizeOf(b) - sizeOf(a)))
    if (!kept.some((outer) => contains(outer, outline, LINE))) kept.push(outline);
  return kept;
}

/** True for a cell of a table or of a row of letters, and for a box of a diagram, which lines lead to. */
function isPartOf(outline: SmallShape, outlines: readonly SmallShape[], rules: readonly Area[]): boolean {
  const around = grow(outline, LINE * 0.75);
  if (rules.some((rule) => overlap(rule, around) && !contains(around, rule, LINE * 0.75))) return true;
  const size = sizeOf(outline);
  const [across, down] = [size * MIN_STEP_RATIO, size * MIN_LINE_RATIO];
  const { x0, x1, y0, y1 } = outline;
  const reaches = [
    { x0: x0 - across, x1: x1 + across, y0, y1 },
    { x0, x1, y0: y0 - down, y1: y1 + down },
  ];
  return outlines.some((other) => other !== outline && reaches.some((reach) => overlap(other, reach)));
}

/** The page of a box; `rows` are the words, sorted by their base lines. */
interface Surroundings {
  outlines: readonly SmallShape[];
  shapes: readonly SmallShape[];
  rows: readonly PageWord[];
}

function readBox(area: SmallShape, page: Surroundings): CheckBox | undefined {
  const { shapes, rows } = page;
  const near = wordsNear(rows, area);
  const set = near.filter((word) => holdsMiddle(area, word));
  if (set.some(({ text }) => TICKS[text] === undefined)) return undefined;
  const others = near.filter((word) => !set.includes(word));
  const place = placeOf(area, others, page);
  if (place === undefined) return undefined;
  const isRound = area.form === 'disc';
  const drawn = isRound ? readDot(area, shapes) : readMarks(area, shapes);
  if (drawn === undefined) return undefined;
  const tick = set[0]?.text ?? '';
  const { sign, isUnsure } =
    TICKS[tick] === undefined ? drawn : { sign: TICKS[tick], isUnsure: isRound || KEY.test(tick) };
  const { x0, x1, y0, y1 } = area;
  return { area: { x0, x1, y0, y1 }, isRound, sign, isUnsure, set, ...place };
}

type Place = Pick<CheckBox, 'label' | 'side'>;

/** The word that a box belongs to: the one behind it, else the one before it, else one in its row. */
function placeOf(area: Area, near: readonly PageWord[], page: Surroundings): Place | undefined {
  const size = sizeOf(area);
  const [, y] = middleOf(area);
  let behind: PageWord | undefined;
  let before: PageWord | undefined;
  for (const word of near) {
    const rise = (word.baseline - y) / word.fontSize;
    if (rise < -0.2 || rise > 0.9) continue;
    if (word.x0 > area.x1 - size / 4) behind = behind === undefined || word.x0 < behind.x0 ? word : behind;
    else if (word.x1 < area.x0 + size / 4) before = before === undefined || word.x1 > before.x1 ? word : before;
    else return undefined;
  }
  const gapBehind = behind === undefined ? Infinity : behind.x0 - area.x1;
  const gapBefore = before === undefined ? Infinity : area.x0 - before.x1;
  const fits = ({ fontSize, baseline }: PageWord, gap: number, maxGapEm: number) =>
    size >= fontSize * MIN_SIZE_EM &&
    size <= fontSize * MAX_SIZE_EM &&
    gap < fontSize * maxGapEm &&
    baseline - y > 0 &&
    baseline - y < fontSize * 0.7;
  if (before !== undefined && gapBefore < size && BRACKET.test(before.text)) return undefined;
  const isFirst = gapBefore > size * MIN_FIRST_RATIO;
  if (behind !== undefined && fits(behind, gapBehind, isFirst && isInMargin(area, page) ? MAX_MARGIN_EM : MAX_GAP_EM))
    return { label: behind, side: 'before' };
  if (before !== undefined && fits(before, gapBefore, MAX_GAP_EM)) return { label: before, side: 'behind' };
  return before && { label: before, side: 'apart' };
}

/** True where another box or nothing stands right above or below. A square at the end of a proof has the column above it. */
function isInMargin(area: Area, { outlines, rows }: Surroundings): boolean {
  const reach = sizeOf(area) * MARGIN_RATIO;
  const lines = { ...area, y0: area.y0 - reach, y1: area.y1 + reach };
  const isNext = (other: Area) => other !== area && Math.abs(other.x0 - area.x0) < LINE && overlap(other, lines);
  return outlines.some(isNext) || !rows.some((word) => overlap(word, lines) && !holdsMiddle(area, word));
}

/** A radio button with a dot in its middle or without. Other drawings make it seem raised. */
function readDot(area: SmallShape, shapes: readonly SmallShape[]): Drawn | undefined {
  const size = sizeOf(area);
  const [x, y] = middleOf(area);
  let isDark = false;
  let isTicked = false;
  for (const shape of shapes) {
    const [a, b] = middleOf(shape);
    if (shape.form !== 'disc' || shape.fill === 'none' || Math.hypot(a - x, b - y) > size * MAX_OFF_CROSS_SHARE)
      continue;
    const share = sizeOf(shape) / size;
    if (shape.fill === 'dark' && share < MAX_DOT_SHARE) isTicked = true;
    else if (share < MAX_DISC_SHARE) [isDark, isTicked] = [shape.fill === 'dark', false];
  }
  return isDark ? undefined : { sign: isTicked ? '☑' : '☐', isUnsure: true };
}

type Drawn = Pick<CheckBox, 'sign' | 'isUnsure'>;

/** The sign that is painted in a box; undefined where it is filled, or holds a drawing. */
function readMarks(area: SmallShape, shapes: readonly SmallShape[]): Drawn | undefined {
  const size = sizeOf(area);
  let isDark = false;
  let marks: SmallShape[] = [];
  const inside = grow(area, -size * SIDE_SHARE);
  for (const shape of shapes) {
    if (!contains(area, shape, LINE + size * 0.1) || !overlap(shape, inside)) continue;
    const share = sizeOf(shape) / size;
    const isGround = shape.form !== 'mark' && share >= MIN_GROUND_SHARE && shape.fill !== 'none';
    if (isGround && (shape.fill === 'light' || share > MAX_MARK_SHARE)) {
      isDark = shape.fill === 'dark';
      marks = [];
    } else if (shape.form !== 'mark' && shape.fill === 'none') {
      if (share < MIN_GROUND_SHARE) return undefined;
    } else if ([shape.stroke, shape.fill].includes(isDark ? 'light' : 'dark')) marks.push(shape);
  }
  if (isBevel(marks, area)) marks = [];
  if (marks.length === 0) return isDark ? undefined : { sign: '☐', isUnsure: false };
  if (marks.some(({ x0, x1, y0, y1 }) => Math.min(x1 - x0, y1 - y0) < size * MIN_MARK_SHARE)) return undefined;
  const middles: [number, number][] = [];
  let crossing = 0;
  for (const mark of marks) {
    const [x, y] = middleOf(mark);
    const isSame = ([a, b]: [number, number]) => Math.hypot(a - x, b - y) < size * MAX_OFF_CROSS_SHARE;
    if (!middles.some(isSame)) middles.push([x, y]);
    else if (mark.fill === 'none') crossing++;
  }
  if (middles.length > MAX_MIDDLES) return undefined;
  if (isDark && marks.some((mark) => sizeOf(mark) > size * MAX_MARK_SHARE)) return undefined;
  const isUnsure = marks.some(({ fill }) => fill !== 'none') || (isDark && marks.length > 1);
  return { sign: middles.length === 1 && crossing > 0 ? '☒' : '☑', isUnsure };
}

/** True for the two edges, one in the light and one in the shade, that make a box seem sunk: they stand mirrored about its middle. */
function isBevel([light, shade, ...others]: readonly SmallShape[], area: Area): boolean {
  if (light === undefined || shade === undefined || others.length > 0 || light.fill !== shade.fill) return false;
  const size = sizeOf(area);
  // Filled edges are two corners that have the same bounds.
  if (light.fill === 'dark')
    return sizeOf(light) > size * MIN_GROUND_SHARE && contains(light, shade, 0.1) && contains(shade, light, 0.1);
  if (Math.abs(sizeOf(light) - sizeOf(shade)) > size * MAX_OFF_BEVEL_SHARE) return false;
  const [[x, y], [a, b], [c, d]] = [middleOf(area), middleOf(light), middleOf(shade)];
  if (Math.hypot(a + c - 2 * x, b + d - 2 * y) > 2 * size * MAX_OFF_BEVEL_SHARE) return false;
  // Strokes about one middle cross each other.
  return (c - a) * (d - b) > (size * MIN_BEVEL_SHARE) ** 2;
}

/** True where other boxes of the page bear it out. */
function isLikely(box: CheckBox, all: readonly CheckBox[]): boolean {
  const size = sizeOf(box.area);
  const alike = all.filter(
    (other) =>
      other !== box && other.isRound === box.isRound && Math.abs(sizeOf(other.area) - size) < size * MAX_UNLIKE_SHARE,
  );
  const isTicked = box.sign !== '☐';
  if (box.isRound || (isTicked && box.isUnsure))
    return alike.some(({ sign, side }) => side !== 'apart' && (sign === '☐') === isTicked);
  if (isTicked) return box.side !== 'apart' || alike.length > 0;
  // A square behind the end of a proof has no box beside it.
  if (box.side === 'behind')
    return alike.some(({ side, sign, area }) => side === 'before' || sign !== '☐' || areLevel(area, box.area, 0.5));
  if (box.side === 'apart')
    return areCells(
      box.area,
      alike.flatMap(({ side, area }) => (side === 'apart' ? area : [])),
    );
  return alike.length > 0;
}

/** True where others stand in its row, or several in its column close to it. */
function areCells({ x0, y0, y1 }: Area, others: readonly Area[]): boolean {
  const inColumn = (other: Area) =>
    Math.abs(other.x0 - x0) < LINE && Math.abs(other.y0 - y0) < (y1 - y0) * MAX_COLUMN_RATIO;
  return others.some((other) => Math.abs(other.y0 - y0) < LINE) || others.filter(inColumn).length >= MIN_IN_COLUMN;
}

/** The words with their boxes. A box in a cell of its own is a word. */
function insert(words: readonly PageWord[], boxes: readonly CheckBox[]): PageWord[] {
  const set = new Set(boxes.flatMap((box) => box.set));
  const checks = new Map<PageWord, CheckMark>();
  const apart = new Map<PageWord, PageWord[]>();
  for (const { label, area, sign, side } of boxes) {
    const { x0, x1 } = area;
    if (side !== 'apart' && !checks.has(label)) {
      checks.set(label, { sign, x0, x1 });
      continue;
    }
    const { link: _, glued: __, pictorial: ___, ...plain } = label;
    apart.set(label, [...(apart.get(label) ?? []), { ...plain, text: sign, x0, x1 }]);
  }
  return words.flatMap((word) => {
    if (set.has(word)) return [];
    const check = checks.get(word);
    const others = (apart.get(word) ?? []).sort((a, b) => a.x0 - b.x0);
    return [check === undefined ? word : { ...word, check }, ...others];
  });
}
