import { covers, extentOf } from '../../../model/geometry.js';
import { splitWhere } from '../../../model/groups.js';
import { spreadOf } from '../../../model/median.js';
import type { Fragment } from '../../../model/page.js';
import { stepsOf } from './line-pitch.js';
import { beginsSmall } from './line-room.js';

/** Least count of numbers, and least share of the text's height that they cover. */
const MIN_NUMBERS = 10;
const MIN_HEIGHT_SHARE = 0.6;
/** Share of the other text that may reach into their column, as a stamp over it does. */
const MAX_BESIDE_SHARE = 0.1;
/** Share of the numbers without text beside them: rows of a table have text beside all of theirs. */
const MIN_EMPTY_SHARE = 0.25;
/** Shares of the lines beside them that are wide and that continue a sentence, where they are text. */
const MIN_WIDE_SHARE = 0.5;
const MIN_RUNNING_SHARE = 0.2;

/**
 * Takes out the numbers that count the lines of a page in its left margin, as in pleadings and manuscripts: evenly
 * set, one after the other, beside running text or nothing. `numbers` is empty where there are none.
 */
export function takeLineNumbers(fragments: readonly Fragment[]): { text: Fragment[]; numbers: Fragment[] } {
  const isNumber = ({ words: [word, second] }: Fragment) =>
    word !== undefined && second === undefined && /^\d{1,4}$/.test(word.text);
  const candidates = fragments.filter(isNumber).sort((a, b) => a.baseline - b.baseline);
  const left = Math.min(...candidates.map(({ x1 }) => x1));
  const column = candidates.filter(({ x1, fontSize }) => x1 < left + fontSize * 1.5);
  const numbers = longestCount(column);
  if (numbers.length >= MIN_NUMBERS) {
    const counted = new Set(numbers);
    const text = fragments.filter((fragment) => !counted.has(fragment));
    if (areBeside(numbers, text)) return { text, numbers };
  }
  return { text: [...fragments], numbers: [] };
}

/** The longest run of numbers each of which is one more than the one above it, at one distance. */
function longestCount(column: readonly Fragment[]): Fragment[] {
  const runs = splitWhere(column, (fragment, last, run) => {
    const step = fragment.baseline - last.baseline;
    const [usual = step] = stepsOf(run.slice(-2));
    return numberOf(fragment) !== numberOf(last) + 1 || Math.abs(step - usual) > usual * 0.2;
  });
  return runs.reduce<Fragment[]>((a, b) => (b.length > a.length ? b : a), []);
}

const numberOf = ({ words: [word] }: Fragment): number => Number(word?.text);

function areBeside(numbers: readonly Fragment[], text: readonly Fragment[]): boolean {
  const right = Math.max(...numbers.map(({ x1 }) => x1));
  const beside = text.filter(({ x0 }) => x0 > right);
  if (beside.length < text.length * (1 - MAX_BESIDE_SHARE)) return false;
  const height = (items: readonly Fragment[]) => spreadOf(items.map(({ baseline }) => baseline));
  if (text.length > 0 && height(numbers) < height(text) * MIN_HEIGHT_SHARE) return false;
  const empty = numbers.filter(({ baseline, fontSize }) =>
    text.every((other) => Math.abs(other.baseline - baseline) > fontSize * 0.4),
  );
  if (empty.length > numbers.length * MIN_EMPTY_SHARE) return true;
  const width = extentOf(beside);
  const wide = beside.filter((line) => covers(line, width, 0.6));
  const running = wide.filter((line) => beginsSmall(line) && !line.words[0]?.monospaced);
  return wide.length > beside.length * MIN_WIDE_SHARE && running.length > wide.length * MIN_RUNNING_SHARE;
}
