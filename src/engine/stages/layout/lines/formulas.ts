import { createFragment } from '../../../model/fragment.js';
import { type Area, boundsOf, gapBetween, middleOf, type Span } from '../../../model/geometry.js';
import { divide, splitWhere } from '../../../model/groups.js';
import type { Fragment, PageWord } from '../../../model/page.js';

/**
 * Fragments and drawn lines of a page → fragments in which the parts of a formula that stand over and under each other
 * follow each other on its base line: the limits of a sum behind its sign, a fraction as `a/(b + c)`, the sign of a
 * root before what is under its bar.
 */
export function joinFormulas(fragments: readonly Fragment[], lines: readonly Area[]): Fragment[] {
  const bars = findBars(lines);
  const operators = fragments.filter(({ words }) => words.some(({ text }) => MAY_OPERATE.test(text)));
  let joined = [...fragments];
  if (operators.length > 0 && operators.length < MAX_PARTS) joined = joinLimits(levelSigns(joinRoots(joined, bars)));
  // A fraction within another one has the shorter bar.
  for (const bar of bars) joined = joinFraction(joined, bar);
  return joined;
}

/** Signs that hang from a base line of their own: type of mathematics sets them about the axis of the formula. */
const SIGN = /^[∑∏∐∫∬∮⋃⋂⋁⋀⨁⨂√]+$/u;
/** Operators with limits, at the end of a word. */
const OPERATOR = /[∑∏∐∫∬∮⋃⋂⋁⋀⨁⨂]$|(?<!\p{L})(?:(?:arg)?(?:max|min)|lim|sup|inf)$/u;

/** A quick look: most pages have neither. */
const MAY_OPERATE = /[\u220f-\u2a02]|(?:max|min|lim|sup|inf)$/;

/** Upper bound of the bars, and of the fragments with operators, of a page: more of them make a drawing. */
const MAX_PARTS = 400;

/** Size of a limit or an index, as a share of what it belongs to. */
const MAX_SMALL_RATIO = 0.85;

const isText = ({ block }: Fragment): boolean => block === undefined;

const within = (value: number, from: number, to: number): boolean => value >= from && value <= to;

/** Thickness and length of a bar, in points: longer lines part blocks. */
const MAX_BAR_HEIGHT = 3;
const MAX_BAR_WIDTH = 200;

/** Bars at one place of several lines are the rules of a column. */
const MIN_COLUMN_BARS = 3;

/** The level lines that may be bars, the shortest first. The sides of boxes and the rules of columns are none. */
function findBars(lines: readonly Area[]): Area[] {
  const [level, others] = divide(lines, isBar);
  const bars = level.length < MAX_PARTS ? level : [];
  const isAtSide = ({ x0, x1, y0 }: Area) =>
    others.some((side) => side.y0 < y0 + 1 && side.y1 > y0 - 1 && [x0, x1].some((x) => Math.abs(x - side.x0) < 1));
  const areAlike = (a: Area, b: Area) => Math.abs(a.x0 - b.x0) < 1 && Math.abs(a.x1 - b.x1) < 1;
  return bars
    .filter((bar) => !isAtSide(bar) && bars.filter((other) => areAlike(bar, other)).length < MIN_COLUMN_BARS)
    .sort((a, b) => a.x1 - a.x0 - (b.x1 - b.x0));
}

const isBar = ({ x0, x1, y0, y1 }: Area): boolean =>
  y1 - y0 < MAX_BAR_HEIGHT && x1 - x0 < MAX_BAR_WIDTH && x1 - x0 > 2 * (y1 - y0);

/** Gap between the sign of a root and its bar or what is under it, and their distance in height, in ems. */
const MAX_ROOT_GAP_EM = 0.15;
const MAX_ROOT_RISE_EM = 0.5;
/** Bounds of the distance from the bar of a root down to the base line under it, in ems. */
const MIN_UNDER_ROOT_EM = 0.3;
const MAX_UNDER_ROOT_EM = 1.2;

/** Puts the sign of a root before what stands under its bar. */
function joinRoots(fragments: readonly Fragment[], bars: readonly Area[]): Fragment[] {
  const joined = [...fragments];
  for (const [from, { words }] of fragments.entries()) {
    for (const sign of words.filter(({ text }) => text === '√')) {
      const bar = bars.find((line) => isBarOf(line, sign));
      const to = bar === undefined ? -1 : joined.findIndex((fragment) => isUnderRoot(fragment, sign, bar));
      const [source, host] = [joined[from], joined[to]];
      if (bar === undefined || source === undefined || host === undefined) continue;
      const under = host.words.filter((word) => word.x1 < bar.x1 + word.fontSize);
      const [first, ...others] = [...group(under), ...host.words.slice(under.length)] as [PageWord, ...PageWord[]];
      const rooted = createFragment([sign, { ...first, glued: true }, ...others], host.order);
      joined[to] = { ...rooted, baseline: host.baseline };
      const left = source.words.filter((word) => word !== sign);
      joined[from] = { ...source, words: left, ...(left.length > 0 && boundsOf(left)) };
    }
  }
  return joined.filter((fragment) => !isText(fragment) || fragment.words.length > 0);
}

const isBarOf = (bar: Area, { x1, baseline, fontSize }: PageWord): boolean =>
  Math.abs(bar.x0 - x1) < fontSize * MAX_ROOT_GAP_EM && Math.abs(bar.y0 - baseline) < fontSize * MAX_ROOT_RISE_EM;

function isUnderRoot({ block, words: [first], x0, baseline, fontSize }: Fragment, sign: PageWord, bar: Area): boolean {
  if (block !== undefined || first === undefined || first === sign) return false;
  const isAtBar = Math.abs(x0 - bar.x0) < 2 * sign.fontSize * MAX_ROOT_GAP_EM;
  return isAtBar && within(baseline - bar.y0, MIN_UNDER_ROOT_EM * fontSize, MAX_UNDER_ROOT_EM * fontSize);
}

/** Distance of base lines that are level, and the largest one from the base line of a sign down to that of its formula, in ems. */
const MAX_LEVEL_EM = 0.1;
const MAX_DROP_EM = 1.15;
/** Largest gap between a sign and the text of its formula, in ems: limits stand between them. */
const MAX_SIGN_GAP_EM = 2.5;
/** Size of the text beside a sign, as a share of the sign's. */
const MIN_HOST_RATIO = 0.8;

/** Puts signs on the base line of the text beside them. */
function levelSigns(fragments: readonly Fragment[]): Fragment[] {
  const texts = fragments.filter((fragment) => isText(fragment) && !isSign(fragment));
  return fragments.map((sign) => {
    if (!isSign(sign)) return sign;
    const hosts = texts
      .filter((text) => isBeside(sign, text))
      .sort((a, b) => gapBetween(sign, a) - gapBetween(sign, b));
    const isLevel = hosts.some(
      ({ baseline, fontSize }) => Math.abs(baseline - sign.baseline) < MAX_LEVEL_EM * fontSize,
    );
    const [host] = hosts;
    return host === undefined || isLevel ? sign : { ...sign, baseline: host.baseline };
  });
}

/** True for a sign alone, or with the limits behind it. */
const isSign = ({ block, words: [sign, ...limits] }: Fragment): boolean =>
  block === undefined &&
  sign !== undefined &&
  SIGN.test(sign.text) &&
  limits.every(({ text, fontSize }) => SIGN.test(text) || fontSize <= sign.fontSize * MAX_SMALL_RATIO);

function isBeside(sign: Fragment, text: Fragment): boolean {
  const { fontSize, baseline } = text;
  return (
    fontSize >= sign.fontSize * MIN_HOST_RATIO &&
    within(baseline - sign.baseline, -MAX_LEVEL_EM * fontSize, MAX_DROP_EM * fontSize) &&
    within(gapBetween(sign, text), -0.1 * fontSize, MAX_SIGN_GAP_EM * fontSize)
  );
}

/** An operator and the limits found at it. */
interface Operator extends Span {
  word: PageWord;
  line: Fragment;
  limits: PageWord[];
}

/** Puts limits behind their operators: the lower one first. */
function joinLimits(fragments: readonly Fragment[]): Fragment[] {
  const operators = fragments.flatMap(operatorsOf);
  const left = fragments.filter((fragment) => {
    const near = operators.filter(({ line }) => isText(fragment) && line !== fragment && isSmallNear(fragment, line));
    if (near.length === 0) return true;
    const nearest = (words: readonly PageWord[]) => {
      const part = boundsOf(words);
      return near.reduce((a, b) => (offCentre(part, b) < offCentre(part, a) ? b : a));
    };
    const parts = splitWhere(fragment.words, (word, before) => nearest([word]) !== nearest([before]));
    if (!parts.every((part) => isLimit(part, nearest(part)))) return true;
    for (const part of parts) nearest(part).limits.push(...part);
    return false;
  });
  return left.map((line) =>
    withLimits(
      line,
      operators.filter((operator) => operator.line === line),
    ),
  );
}

function operatorsOf(line: Fragment): Operator[] {
  if (!isText(line)) return [];
  return line.words.flatMap((word) => {
    const { x0, x1, text } = word;
    const name = OPERATOR.exec(text)?.[0];
    if (name === undefined) return [];
    const limits = isSign(line) ? line.words.filter((limit) => !SIGN.test(limit.text)) : [];
    return [{ x0: x1 - ((x1 - x0) * name.length) / text.length, x1, word, line, limits }];
  });
}

/** Bounds of the distance of the base lines of a limit and its formula, in ems of the formula. */
const MIN_LIMIT_SHIFT_EM = 0.15;
const MAX_LIMIT_SHIFT_EM = 1.7;
/** Largest distance of the middles of an operator and its limit, in ems. */
const MAX_OFF_CENTRE_EM = 0.35;
/** Largest gap between a sign and the limits behind it, in ems. */
const MAX_LIMIT_GAP_EM = 0.25;

const offCentre = (part: Span, operator: Span): number => Math.abs(middleOf(part) - middleOf(operator));

function isSmallNear(limit: Fragment, { fontSize, baseline }: Fragment): boolean {
  const shift = Math.abs(limit.baseline - baseline);
  return (
    limit.fontSize <= fontSize * MAX_SMALL_RATIO &&
    within(shift, MIN_LIMIT_SHIFT_EM * fontSize, MAX_LIMIT_SHIFT_EM * fontSize)
  );
}

/** True for a limit over or under a sign, or behind it, and for one under a name: what stands over a name is an exponent or a text. */
function isLimit(limit: readonly PageWord[], operator: Operator): boolean {
  const { x1, word, line } = operator;
  const part = boundsOf(limit);
  const isCentred = offCentre(part, operator) < MAX_OFF_CENTRE_EM * line.fontSize;
  if (/\p{L}$/u.test(word.text)) return isCentred && limit.every(({ baseline }) => baseline > line.baseline);
  return isCentred || Math.abs(part.x0 - x1) < MAX_LIMIT_GAP_EM * line.fontSize;
}

function withLimits(line: Fragment, operators: readonly Operator[]): Fragment {
  const all = new Set(operators.flatMap(({ limits }) => limits));
  if (all.size === 0) return line;
  const words = line.words.flatMap((word) => {
    if (all.has(word)) return [];
    const limits = operators.find((operator) => operator.word === word)?.limits ?? [];
    const [lower, upper] = divide(limits, ({ baseline }) => baseline > line.baseline);
    return [word, ...[...lower, ...upper].map((limit) => ({ ...limit, stacked: true, glued: false }))];
  });
  return { ...line, ...boundsOf(words), words };
}

/** Bounds of the distances from a bar to the base lines above, below and beside it, in ems of each text. */
const MAX_ABOVE_EM = 0.75;
const MIN_BELOW_EM = 0.5;
const MAX_BELOW_EM = 1.2;
const MIN_AXIS_EM = 0.12;
const MAX_AXIS_EM = 0.45;
/** Largest distance of an index of what stands above or below, in ems of that. */
const MAX_INDEX_EM = 1.5;
/** How far a text may reach over the end of its bar, and how far the bar over the wider text, in ems. */
const MAX_OVERHANG_EM = 0.35;
const MAX_SPARE_EM = 0.8;
/** Largest gap between a fraction and the text beside it, in ems. */
const MAX_HOST_GAP_EM = 1.2;

/** Puts a denominator behind its numerator, on the base line of the text beside the bar. */
function joinFraction(fragments: Fragment[], bar: Area): Fragment[] {
  const crossed = fragments.filter((fragment) => isText(fragment) && gapBetween(fragment, bar) < 0);
  if (crossed.length < 2) return fragments;
  const above = partsOn(crossed, ({ baseline }) => bar.y0 - baseline, 0, MAX_ABOVE_EM);
  const below = partsOn(crossed, ({ baseline }) => baseline - bar.y0, MIN_BELOW_EM, MAX_BELOW_EM);
  const [numerator, denominator] = [wordsAt(above, bar), wordsAt(below, bar)];
  if (!fillBar(numerator, denominator, bar)) return fragments;
  const parts = new Set([...above, ...below]);
  const host = fragments.find((fragment) => isText(fragment) && !parts.has(fragment) && isBesideBar(fragment, bar));
  if (host === undefined) return fragments;
  const taken = new Set([...numerator, ...denominator]);
  const rest = fragments.flatMap((fragment) => (parts.has(fragment) ? cutOut(fragment, taken, bar) : [fragment]));
  const words = toFraction(numerator, denominator, bar);
  return [...rest, { ...createFragment(words, host.order), baseline: host.baseline, fontSize: host.fontSize }];
}

/** The fragments on one side of a bar, with the indices about them. */
function partsOn(
  fragments: readonly Fragment[],
  distanceOf: (fragment: Fragment) => number,
  least: number,
  most: number,
): Fragment[] {
  const main = fragments.filter((part) => within(distanceOf(part), least * part.fontSize, most * part.fontSize));
  const size = Math.max(...main.map(({ fontSize }) => fontSize));
  const isIndex = (part: Fragment) =>
    part.fontSize <= size * MAX_SMALL_RATIO && within(distanceOf(part), 0, MAX_INDEX_EM * size);
  return fragments.filter((part) => main.includes(part) || isIndex(part));
}

/** The words at a bar, from the left. */
const wordsAt = (parts: readonly Fragment[], bar: Span): PageWord[] =>
  [...parts]
    .sort((a, b) => a.x0 - b.x0)
    .flatMap(({ words }) => words.filter((word) => within(middleOf(word), bar.x0, bar.x1)));

/** True for two texts with one middle, the wider of which is as wide as the bar. */
function fillBar(numerator: readonly PageWord[], denominator: readonly PageWord[], bar: Span): boolean {
  if (numerator.length === 0 || denominator.length === 0) return false;
  const words = [...numerator, ...denominator];
  const size = Math.max(...words.map(({ fontSize }) => fontSize));
  const { x0, x1 } = boundsOf(words);
  return (
    within(bar.x0 - x0, -MAX_SPARE_EM * size, MAX_OVERHANG_EM * size) &&
    within(x1 - bar.x1, -MAX_SPARE_EM * size, MAX_OVERHANG_EM * size) &&
    offCentre(boundsOf(numerator), boundsOf(denominator)) < MAX_OFF_CENTRE_EM * size
  );
}

const isBesideBar = (text: Fragment, bar: Area): boolean =>
  within(text.baseline - bar.y0, MIN_AXIS_EM * text.fontSize, MAX_AXIS_EM * text.fontSize) &&
  within(gapBetween(text, bar), -0.1 * text.fontSize, MAX_HOST_GAP_EM * text.fontSize);

/** Parts of a fragment on both sides of a fraction that took words of it. */
function cutOut(fragment: Fragment, taken: ReadonlySet<PageWord>, bar: Span): Fragment[] {
  const left = fragment.words.filter((word) => !taken.has(word));
  if (left.length === fragment.words.length) return [fragment];
  return divide(left, ({ x0 }) => x0 < bar.x0)
    .filter((words) => words.length > 0)
    .map((words) => createFragment(words, fragment.order));
}

/** Thickness that a bar is given, in ems. */
const BAR_EM = 0.1;

/** Numerator, stroke and denominator. Source: Unicode Technical Note 28, 2.1: what a bar groups is grouped by brackets in one line. */
function toFraction(numerator: readonly PageWord[], denominator: readonly PageWord[], bar: Area): PageWord[] {
  const [first] = numerator as [PageWord];
  const half = (first.fontSize * BAR_EM) / 2;
  const sign = { ...first, text: '/', x0: bar.x0, x1: bar.x1, y0: bar.y0 - half, y1: bar.y0 + half, glued: true };
  const below = group(denominator).map((word, index) => (index === 0 ? { ...word, glued: true } : word));
  return [...group(numerator), sign, ...below].map((word) => ({ ...word, stacked: true }));
}

/** Signs between the parts of a sum or a product, behind the first of them. */
const COMPOUND = /.[ +−×·∗/-]/u;
const BRACKETED = /^√?[([{|‖][^()[\]{}|‖]*[)\]}|‖]$/u;

/** Puts brackets around several parts, as far as they have none. */
function group(words: readonly PageWord[]): PageWord[] {
  const text = words.reduce((before, word) => `${before}${word.glued ? '' : ' '}${word.text}`, '').trim();
  if (!COMPOUND.test(text) || BRACKETED.test(text)) return [...words];
  const last = words.length - 1;
  return words.map((word, index) => ({
    ...word,
    text: `${index === 0 ? '(' : ''}${word.text}${index === last ? ')' : ''}`,
  }));
}
