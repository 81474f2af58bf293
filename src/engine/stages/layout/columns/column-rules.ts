import { type Area, boundsOf, covers, extentOf, type Span } from '../../../model/geometry.js';
import { divide } from '../../../model/groups.js';
import { median } from '../../../model/median.js';
import type { Fragment } from '../../../model/page.js';
import { leadsToPage } from '../../../model/page-references.js';
import { hasLetter } from '../../../model/text-direction.js';
import { lastText } from '../lines/line-room.js';
import { isBold, lineText } from '../lines/lines.js';
import { sidesOf } from '../lines/strips.js';
import { isLevel } from '../lists/parted-items.js';
import { decide, type Rule } from '../rules.js';
import { rowsOfTable } from '../tables/table.js';
import { reachOf, within } from '../tables/table-area.js';
import {
  areClose,
  areHalves,
  areNotes,
  areTextsBeside,
  endsEarly,
  holdsProse,
  MAX_RUNNING_OUT_SHARE,
  MIN_WHOLE_SHARE,
  proseShare,
  type Row,
  rowsOf,
  standBelowEachOther,
  unlevelShare,
  unpartedShare,
  wholeShare,
} from './column-rows.js';
import { areCountedAcross, areItems, isList } from './side-lists.js';

/** Evidence for columns: lines on each side, half of them of so many characters, or of several cells. */
export interface Proof {
  lines: number;
  characters: number;
  /** The columns above or below, whose gutter this is: a sentence in one of them is enough. */
  known?: readonly Span[];
}

export const MIN_COLUMN_LINES = 3;
const PROOF: Proof = { lines: MIN_COLUMN_LINES, characters: 0 };

/** Rules of a page across a gutter, and those on one side of it. */
export interface RulesAtGutter {
  across: readonly Area[];
  beside: readonly Area[];
}

const NO_RULES: RulesAtGutter = { across: [], beside: [] };

/** Text left and right of a gutter that may be two columns. */
interface ColumnPair extends RulesAtGutter {
  sides: [Fragment[], Fragment[]];
  rows: [Row[], Row[]];
  proof: Proof;
}

/** Rules in order: the first one that holds tells whether the sides are columns of text. Where none does, they are cells of rows. */
const COLUMN_RULES: readonly Rule<ColumnPair>[] = [
  { when: partsTable, decides: false },
  { when: ({ sides }) => areValues(...sides), decides: false },
  { when: ({ sides }) => areLabelled(...sides), decides: false },
  { when: ({ sides }) => areLed(...sides), decides: false },
  { when: ({ rows, sides: [, right] }) => !right.some(isAnswer) && endsEarly(...rows), decides: true },
  { when: areAmountsRuledApart, decides: false },
  { when: ({ rows, proof }) => !rows.every((side) => isProven(side, proof)), decides: false },
  { when: ({ rows }) => standBelowEachOther(...rows), decides: false },
  { when: areTitledApart, decides: true },
  { when: goesOnInKnown, decides: true },
  { when: (pair) => pair.proof.known !== undefined && !(isProseBeside(pair) && holdsSentence(pair)), decides: false },
  { when: ({ sides }) => areCountedAcross(...sides), decides: false },
  { when: ({ sides }) => sides.every((side) => side.filter(({ block }) => block?.table).length === 1), decides: true },
  { when: areListsBeside, decides: true },
  { when: ({ sides }) => sides.every(areContents), decides: true },
  { when: ({ rows }) => arePriceLists(...rows), decides: true },
  { when: ({ rows }) => splitsTable(...rows), decides: false },
  { when: isProseBeside, decides: true },
  { when: areDated, decides: false },
  { when: ({ rows }) => areHalves(...rows), decides: true },
  { when: ({ rows }) => areTextsBeside(...rows), decides: true },
  { when: ({ rows }) => unlevelShare(...rows) < 0.5, decides: false },
  { when: (pair) => proseOf(pair, 0) >= 0.1 && !areLabels(...pair.rows), decides: true },
  { when: ({ rows }) => areOfDifferentType(...rows), decides: true },
  { when: ({ rows: [left, right] }) => areNotes(left, right) || areNotes(right, left), decides: true },
];

/** How many lines the sides of a gutter have where they are columns; 0 where they are none. */
export function scoreColumns(fragments: readonly Fragment[], gutter: number, rules = NO_RULES, proof = PROOF): number {
  const sides = sidesOf(fragments, gutter);
  const rows = sides.map((side) => rowsOf(side.flatMap(linesOf))) as [Row[], Row[]];
  const [left, right] = rows;
  // A table or a box is no cell of the rows beside it.
  if (isMadeOut(sides[0]) !== isMadeOut(sides[1])) {
    const beside = isMadeOut(sides[0]) ? right : left;
    if (isProven(beside, proof)) return beside.length;
  }
  return decide(COLUMN_RULES, { ...rules, sides, rows, proof }) ? left.length + right.length : 0;
}

/** True when text stands on both sides, though it may be too short to prove columns. */
export function areTextColumns(fragments: Fragment[], gutter: number): boolean {
  const sides = sidesOf(fragments, gutter);
  if (sides.every(isList)) return true;
  return sides.every((side) => {
    const rows = rowsOf(side.flatMap(linesOf));
    const cells = rows.filter((row) => endsInCell(row) || beginsWithCell(row)).length;
    return cells <= rows.length * (1 - MIN_WHOLE_SHARE) && proseShare(rows, MAX_RUNNING_OUT_SHARE) >= MIN_PROSE_SHARE;
  });
}

/**
 * True when a rule is drawn across the gutter below heads on both sides, with words at its left and nothing but figures
 * at its right below it: it is the rule of a table's head.
 */
function partsTable({ across, sides }: ColumnPair): boolean {
  if (across.length === 0) return false;
  const [left, right] = sides;
  const reach = reachOf(sides.flat());
  return across.some((rule) => {
    const below = { ...rule, y1: rule.y0 + reach };
    const figures = within(right, below);
    if (figures.length === 0 || !figures.every(isFigures) || within(left, below).length === 0) return false;
    return sides.every((side) => within(side, { ...rule, y0: rule.y0 - reach }).length > 0);
  });
}

/** Distance at which a rule ends with the text that it parts, in points. */
const RULE_REACH = 6;

/** True for amounts that a rule across both sides parts from each other: each belongs to what stands beside it, as the price on a card. */
function areAmountsRuledApart({ across, sides, rows }: ColumnPair): boolean {
  if (across.length === 0) return false;
  const { x0, x1 } = extentOf(sides.flat());
  const whole = across.filter((rule) => rule.x0 < x0 + RULE_REACH && rule.x1 > x1 - RULE_REACH);
  const isApart = (y: number, above?: Row) => above === undefined || whole.some(({ y0 }) => y0 > above.y && y0 < y);
  return rows.some((side) => side.length > 1 && side.every(({ amount, y }, at) => amount && isApart(y, side[at - 1])));
}

/** Dates of a side that stand level with text of the other one. */
const MIN_DATES = 2;
/** Words beside a year: "03/2021 – today", "Sept 2014 to June 2016". */
const MAX_DATE_WORDS = 3;

const isDate = (fragment: Fragment): boolean =>
  /(?<!\p{N})(?:19|20)\d\d(?!\p{N})/u.test(lineText(fragment)) &&
  fragment.words.filter(hasLetter).length <= MAX_DATE_WORDS;

/** True when half of what is level with text of the other side are dates, as beside the jobs of a curriculum vitae, maybe above their places. */
function areDated({ sides: [left, right] }: ColumnPair): boolean {
  const areDates = (side: readonly Fragment[], other: readonly Fragment[]) => {
    const level = side.filter((fragment) => !isPiece(fragment) && other.some((text) => isLevel(text, fragment)));
    return level.filter(isDate).length >= Math.max(MIN_DATES, level.length / 2);
  };
  return areDates(left, right) || areDates(right, left);
}

/** Values behind their colons. */
const MIN_VALUES = 2;

/** True for labels of fields, and behind the space to their values the colons that these begin with. */
function areValues(labels: readonly Fragment[], values: readonly Fragment[]): boolean {
  const begun = values.filter(({ words: [word] }) => /^[:：]/.test(word?.text ?? ''));
  return begun.length >= MIN_VALUES && begun.every((value) => labels.some((label) => isLevel(label, value)));
}

/** Labels of fields. */
const MIN_LABELS = 3;

/** True for labels with colons, most lines of their side, each level with a value. Fields beside fields have labels on both sides. */
function areLabelled(labels: readonly Fragment[], values: readonly Fragment[]): boolean {
  const ended = labels.filter(endsInColon);
  if (ended.length < MIN_LABELS || ended.length * 2 <= labels.length) return false;
  if (values.some(({ words }) => words.some(({ text }) => COLON.test(text)))) return false;
  return ended.every((label) => values.some((value) => isLevel(label, value)));
}

/** Entries whose leaders end at a gutter. */
const MIN_LED = 3;

/** True for entries whose leaders lead to the figures across the gutter, most lines of their side. */
function areLed(entries: readonly Fragment[], figures: readonly Fragment[]): boolean {
  const led = entries.filter((entry) => /[.·…]{4,}$/.test(lastText(entry)));
  if (led.length < MIN_LED || led.length * 2 <= entries.length) return false;
  return led.every((entry) => figures.some((figure) => /^\p{N}/u.test(lineText(figure)) && isLevel(entry, figure)));
}

const COLON = /[:：]$/;
const endsInColon = (fragment: Fragment): boolean => COLON.test(lastText(fragment));

const isFigures = (fragment: Fragment): boolean => !isPiece(fragment) && !fragment.words.some(hasLetter);

/** Tells the rules among the parts of a page by where they are drawn. */
export function rulesAt(parts: readonly Area[], gutter: number): RulesAtGutter {
  const rules = parts.filter(({ y0, y1 }) => y0 === y1);
  const [across, beside] = divide(rules, ({ x0, x1 }) => x0 < gutter && x1 > gutter);
  return { across, beside };
}

/** Least width of a rule over a side, and number of such rules on each. */
const MIN_RULED_SHARE = 0.8;
const MIN_RULES = 2;
/** Largest distance of a rule below its title, in ems. */
const MAX_TITLE_RULE_EM = 1.5;

/** True when bold titles stand on rules over each side alone, some of them level with none over the other. The rules of a table are level. */
function areTitledApart({ beside, sides }: ColumnPair): boolean {
  const [left = [], right = []] = sides.map((side) => {
    const { x0, y0, x1, y1 } = boundsOf(side);
    return beside.filter((rule) => rule.y0 > y0 && rule.y0 < y1 && covers(rule, { x0, x1 }, MIN_RULED_SHARE));
  });
  const isOfTitle = (rule: Area, side: readonly Fragment[]) => {
    const [title, ...others] = side.filter(
      ({ baseline, fontSize }) => baseline < rule.y0 && baseline > rule.y0 - fontSize * MAX_TITLE_RULE_EM,
    );
    return title !== undefined && others.length === 0 && isBold(title) && Math.abs(title.x0 - rule.x0) < RULE_REACH;
  };
  const isAlone = (rule: Area, others: readonly Area[]) =>
    !others.some((other) => Math.abs(other.y0 - rule.y0) < RULE_REACH);
  const haveTitles = (own: readonly Area[], others: readonly Area[], side: readonly Fragment[]) =>
    own.length >= MIN_RULES && own.every((rule) => isOfTitle(rule, side)) && own.some((rule) => isAlone(rule, others));
  return haveTitles(left, right, sides[0]) && haveTitles(right, left, sides[1]);
}

/**
 * True for a list on each side, whose items are read down. Answers that are counted across ("A. B." over "C. D.") are
 * rows. Items of all sides are looked at last, where their edges look like lists: most are those of tables.
 */
function areListsBeside({ sides, rows }: ColumnPair): boolean {
  return sides.every(isList) && sides.every((side, index) => !isOfCells(rows[index] ?? []) || areItems(side));
}

/** Lower bounds of the prices of a list, and of the share of all lines that are level with none on the other side. */
const MIN_PRICES = 2;
const MIN_UNLEVEL_PRICE_SHARE = 0.15;

/**
 * True for a list of names and prices on each side, as of dishes on a menu. Some of their lines, or titles among them,
 * are level with none on the other side: the rows of a table have cells on both.
 */
function arePriceLists(left: Row[], right: Row[]): boolean {
  const areList = (side: Row[]) =>
    side.filter(isPrice).length >= MIN_PRICES && side.every((row) => !row.parted || isPrice(row));
  const unlevel = unlevelShare(left, right) * right.length + unlevelShare(right, left) * left.length;
  return areList(left) && areList(right) && unlevel > (left.length + right.length) * MIN_UNLEVEL_PRICE_SHARE;
}

const isPrice = ({ parted, figures, amount, characters, first, last }: Row): boolean =>
  parted && !figures && amount && first + last === characters;

const isAnswer = ({ words }: Fragment): boolean => words.some(({ check }) => check !== undefined);

function isProseBeside(pair: ColumnPair): boolean {
  return (
    proseOf(pair, MAX_RUNNING_OUT_SHARE) >= MIN_PROSE_SHARE ||
    pair.rows.every((side) => holdsProse(side, MAX_RUNNING_OUT_SHARE))
  );
}

/** True when a line begins within a sentence. */
const holdsSentence = ({ rows }: ColumnPair): boolean => rows.flat().some((row) => row.goesOn);

const proseOf = ({ rows }: ColumnPair, runningOut: number): number =>
  Math.min(...rows.map((side) => proseShare(side, runningOut)));

/** True for tables and boxed text alone. */
export const isMadeOut = (side: readonly Fragment[]): boolean => side.length > 0 && side.every(isPiece);

/** True for a table or boxed text, which stands for its parts in the reading order. */
export const isPiece = ({ block }: Fragment): boolean => block !== undefined;

/** The lines that tell columns: also those in boxes, and the rows of tables, which nothing parts any more. */
function linesOf(fragment: Fragment): Fragment[] {
  const { block } = fragment;
  if (block === undefined) return [fragment];
  return block.table === undefined
    ? (block.boxed ?? []).flatMap(({ lines }) => lines)
    : rowsOfTable(fragment, block.table);
}

const MIN_TYPE_RATIO = 1.25;

/** Share of the lines at the left: labels stand level with the first line of what is at their right. */
const MIN_UNLEVEL_SHARE = 0.4;

/** True when the lines at the left are the labels of rows that have more lines at the right. The lines of an address stand closer. */
const areLabels = (left: readonly Row[], right: readonly Row[]): boolean =>
  unlevelShare(right, left) < MIN_UNLEVEL_SHARE && (isOfCells(left) || !areClose(left));

/** Share of the lines of a column of prose that fill it. */
const MIN_PROSE_SHARE = 0.35;

/** Least width of a line that its column ends, as a share of the column. */
const MIN_FULL_SHARE = 0.85;

/** Characters of the line of a sentence. */
const MIN_PHRASE = 15;

/** True when a line of a side fills its column, that of the lines above or below, and the next one goes on within the sentence. */
function goesOnInKnown({ rows, proof: { known = [] } }: ColumnPair): boolean {
  return known.some((column, index) => {
    const side = rows[index] ?? [];
    const isFull = (row: Row | undefined) => row !== undefined && !row.parted && covers(row, column, MIN_FULL_SHARE);
    return side.some((row, at) => row.goesOn && row.longest >= MIN_PHRASE && isFull(side[at - 1]));
  });
}

const MIN_ENTRIES_SHARE = 0.4;

/** True when many lines of a side lead to a page, as those of a table of contents in columns. */
const areContents = (side: readonly Fragment[]): boolean =>
  side.filter(leadsToPage).length > side.length * MIN_ENTRIES_SHARE;

const isProven = (rows: readonly Row[], { lines, characters }: Proof): boolean =>
  rows.length >= lines && rows.filter((row) => row.parted || row.characters >= characters).length * 2 >= rows.length;

const isOfCells = (rows: readonly Row[]): boolean => unpartedShare(rows) < MIN_WHOLE_SHARE;

/** True when one side is set larger. The cells of a row are set in one size; a text beside another one may be larger. */
function areOfDifferentType(left: readonly Row[], right: readonly Row[]): boolean {
  const [a = 0, b = 0] = [left, right].map((rows) => median(rows.map(({ size }) => size)));
  return (
    Math.max(a, b) > Math.min(a, b) * MIN_TYPE_RATIO && Math.min(wholeShare(left), wholeShare(right)) > MIN_WHOLE_SHARE
  );
}

/** Share of the lines at the right: those of tables stand level with the cells at their left. */
const MAX_UNLEVEL_SHARE = 0.4;
/** A shorter end of a parted row is a cell. */
const MAX_CELL_CHARACTERS = 12;

const endsInCell = ({ parted, last }: Row): boolean => parted && last < MAX_CELL_CHARACTERS;
const beginsWithCell = ({ parted, first }: Row): boolean => parted && first < MAX_CELL_CHARACTERS;

/** True when the gutter parts the cells of rows. Text beside a table is neither level with it nor as short. */
function splitsTable(left: Row[], right: Row[]): boolean {
  const ends = left.filter(endsInCell).length / left.length;
  if (ends > 0.5 && proseShare(right, MAX_RUNNING_OUT_SHARE) < 0.35) return true;
  const begins = right.filter(beginsWithCell).length / right.length;
  if (Math.max(ends, begins) > 0.5 && unlevelShare(left, right) < MAX_UNLEVEL_SHARE) return true;
  // Head cells of several lines are level with nothing, but most labels are level with figures.
  return (
    right.filter(({ figures, characters }) => figures && characters > MAX_CELL_CHARACTERS).length > right.length / 2 &&
    unlevelShare(right, left) <= 0.5
  );
}
