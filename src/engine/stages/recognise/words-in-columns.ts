import { overlap } from '../../model/geometry.js';
import { median } from '../../model/median.js';
import type { PageWord } from '../../model/page.js';
import { findColumnsOf } from './empty-cells.js';
import { surenessOf } from './sureness.js';

/** Confidence of a word that a surer one of its column repeats, and of one of the kind of its column. */
const MIN_SAME_CONFIDENCE = 0.3;
const MIN_KIND_CONFIDENCE = 0.6;
/** Words of one kind that make a column. */
const MIN_COLUMN_WORDS = 2;
/** Signs that are no specks, their confidence, and the length of the words in whose column they stand. */
const SIGN = /^[+?]$/;
const MIN_SIGN_CONFIDENCE = 0.7;
const MAX_SHORT_LENGTH = 3;
/** Letters that pieces of rules are read as; these stand one below the other like the cells of a column. */
const STROKE = /^[1lIi]$/;

/**
 * Finds the words whose column tells that they are text: it has the same text in other rows, or words of the same kind. The
 * recogniser is less sure of one or two letters alone than of words. `sure`: the words around, which are text for certain.
 */
export function findWordsInColumns(doubtful: readonly PageWord[], sure: readonly PageWord[]): PageWord[] {
  const able = doubtful.filter(
    (word) =>
      surenessOf(word) >= MIN_SAME_CONFIDENCE &&
      kindOf(word) !== 'sign' &&
      !STROKE.test(word.text) &&
      !sure.some((other) => overlap(word, other)),
  );
  if (able.length === 0) return [];
  const columns = findColumnsOf([...sure, ...able], median(sure.map(({ fontSize }) => fontSize)) ?? 0);
  return able.filter((word) => fitsColumn(word, columns.get(word) ?? []));
}

function fitsColumn(word: PageWord, column: readonly PageWord[]): boolean {
  const sure = surenessOf(word);
  const known = column.filter((other) => surenessOf(other) >= MIN_KIND_CONFIDENCE);
  if (known.some(({ text }) => text.toLowerCase() === word.text.toLowerCase())) return true;
  const alike = known.filter((other) => kindOf(other) === kindOf(word));
  const short = known.filter(({ text }) => text.length <= MAX_SHORT_LENGTH);
  if (SIGN.test(word.text)) return sure >= MIN_SIGN_CONFIDENCE && short.length * 2 > known.length;
  return (
    sure >= MIN_KIND_CONFIDENCE &&
    alike.length >= MIN_COLUMN_WORDS &&
    alike.some(({ text }) => text.length >= word.text.length)
  );
}

const kindOf = ({ text }: PageWord): 'word' | 'figure' | 'sign' =>
  /\p{L}/u.test(text) || SIGN.test(text) ? 'word' : /\d/.test(text) ? 'figure' : 'sign';
