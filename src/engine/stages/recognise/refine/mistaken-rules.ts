import { createFragment } from '../../../model/fragment.js';
import type { Area } from '../../../model/geometry.js';
import type { Fragment, PageWord } from '../../../model/page.js';

/** Signs that a recogniser reads in place of the rules of a table. */
const RULE_MISREADINGS = /^[|¦[\](){}_—–=-]{1,3}$/;
/** Signs read in place of upright rules, perhaps a little beside them. */
const UPRIGHT_RULE_MISREADINGS = /^[|¦[\](){}]{1,3}$/;
/** Smallest ratio of an upright rule's height to that of the sign that was read in its place. */
const MIN_RULE_HEIGHT_RATIO = 2.5;

/** The rules of a picture without strokes of letters that were traced as rules. */
export function withoutStrokes(rules: readonly Area[], words: readonly PageWord[]): Area[] {
  const text = words.filter(({ text }) => !RULE_MISREADINGS.test(text));
  return rules.filter((rule) => !text.some((word) => isStroke(rule, word)));
}

/** True when the rule is a stroke of the word's letters. */
function isStroke(rule: Area, word: PageWord): boolean {
  if (rule.x0 < word.x0 || rule.x1 > word.x1) return false;
  const shared = Math.min(rule.y1, word.y1) - Math.max(rule.y0, word.y0);
  return shared > 0 && shared > (rule.y1 - rule.y0) * 0.6;
}

/** Recognised lines without the signs that were read in place of upright rules, alone or at the ends of words. */
export function withoutMistakenRules(lines: readonly Fragment[], rules: readonly Area[]): Fragment[] {
  const upright = rules.filter(({ x0, x1 }) => x0 === x1);
  if (upright.length === 0) return [...lines];
  const runsThrough = (word: PageWord, from: number, to: number) =>
    upright.some(
      ({ x0, y0, y1 }) =>
        y1 - y0 > (word.y1 - word.y0) * MIN_RULE_HEIGHT_RATIO &&
        x0 > from - 1 &&
        x0 < to + 1 &&
        y0 < word.y1 &&
        y1 > word.y0,
    );
  const isLine = (word: PageWord) => {
    const beside = UPRIGHT_RULE_MISREADINGS.test(word.text) ? word.fontSize : 0;
    return RULE_MISREADINGS.test(word.text) && runsThrough(word, word.x0 - beside, word.x1 + beside);
  };
  const trim = (word: PageWord): PageWord => {
    const letter = (word.x1 - word.x0) / word.text.length;
    const [first, last] = [word.x0 + letter, word.x1 - letter];
    if (opensWithLine(word.text) && runsThrough(word, word.x0, first))
      return trim({ ...word, text: word.text.slice(1), x0: first });
    if (endsWithLine(word.text) && runsThrough(word, last, word.x1))
      return trim({ ...word, text: word.text.slice(0, -1), x1: last });
    return word;
  };
  return lines.flatMap((line) => {
    const words = line.words.filter((word) => !isLine(word)).map(trim);
    return words.length === 0 ? [] : [createFragment(words, line.order)];
  });
}

/** A bracket is a rule where its other half is not in the word. */
const opensWithLine = (text: string): boolean => /^[|¦].|^\[[^\]]+$|^\([^)]+$|^\{[^}]+$/.test(text);
const endsWithLine = (text: string): boolean => /.[|¦]$|^[^[]+\]$|^[^(]+\)$|^[^{]+\}$/.test(text);
