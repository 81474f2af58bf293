import { extentOf } from '../../../model/geometry.js';
import type { PageBlock, PageLine } from '../../../model/page.js';

/** A number of two parts or more: one part may be an item's. */
const NUMBER = /^\d{1,2}(?:\.\d{1,2}){1,3}\.?$/;
const MAX_WORDS = 14;

/** Cuts off the titles that run into their paragraphs: "2.1. **Samples.** We took …". */
export const partRunInTitles = (blocks: readonly PageBlock[]): PageBlock[] =>
  blocks.flatMap((block) => partTitle(block) ?? [block]);

function partTitle(block: PageBlock): PageBlock[] | undefined {
  const { kind, lines } = block;
  const [first, second, ...rest] = lines;
  if (kind !== undefined || first === undefined || !NUMBER.test(first.words[0]?.text ?? '')) return undefined;
  const count = titleLength([...first.words, ...(second?.words ?? [])]);
  if (count === 0) return undefined;
  const inSecond = count - first.words.length;
  if (inSecond < 0)
    return [{ lines: [slice(first, 0, count)] }, { ...block, lines: [slice(first, count), ...lines.slice(1)] }];
  if (second === undefined) return undefined;
  const title = [first, ...(inSecond > 0 ? [slice(second, 0, inSecond)] : [])];
  return [{ lines: title }, { ...block, lines: [slice(second, inSecond), ...rest] }];
}

/** Number of the title's words, with its number: all of one weight and slant, the last with a point. 0 without one. */
function titleLength(words: PageLine['words']): number {
  const [, word] = words;
  if (word === undefined || !(word.bold || word.italic)) return 0;
  const end = words.findIndex(({ bold, italic }, index) => index > 0 && (bold !== word.bold || italic !== word.italic));
  return end > 1 && end <= MAX_WORDS && /[.:]$/.test(words[end - 1]?.text ?? '') ? end : 0;
}

/** A part of a line; nothing in it stands apart. */
function slice(line: PageLine, from: number, to = line.words.length): PageLine {
  const words = line.words.slice(from, to);
  const apart = new Set([...line.apart].filter((index) => index > from && index < to).map((index) => index - from));
  return { ...line, words, apart, ...extentOf(words) };
}
