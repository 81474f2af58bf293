import { type Area, boundsOf } from '../../model/geometry.js';
import { chainLetters } from './chain-letters.js';
import type { LetterRow } from './letter-row.js';

/** Letters of a word that runs up the page. */
const MIN_LETTERS = 3;
/** Gap between letters of one word, and between words of one row. */
const MAX_LETTER_GAP_EM = 0.3;
const MAX_WORD_GAP_EM = 1;

/** A letter on the page turned clockwise, on which rows that run up are level. */
interface TurnedLetter extends Area {
  letter: Area;
}

/** Finds rows that run up the page, like the titles of a chart's axes: their letters have more neighbours above and below than beside. */
export function findRisingRows(letters: readonly Area[], size: number): { rising: LetterRow[]; others: Area[] } {
  const gap = size * MAX_LETTER_GAP_EM;
  const across = new Map(
    chainLetters(letters, gap).flatMap(({ parts }) => parts.map((letter) => [letter, parts.length] as const)),
  );
  const words = chainLetters(letters.map(turn), gap).filter(
    ({ parts }) => parts.length >= MIN_LETTERS && parts.every(({ letter }) => (across.get(letter) ?? 0) < parts.length),
  );
  const rising = chainLetters(words, size * MAX_WORD_GAP_EM).map(({ parts }) => {
    const own = parts.flatMap((word) => word.parts.map(({ letter }) => letter));
    return { ...boundsOf(own), letters: own.length, runsUp: true };
  });
  const taken = new Set(words.flatMap(({ parts }) => parts.map(({ letter }) => letter)));
  return { rising, others: letters.filter((letter) => !taken.has(letter)) };
}

const turn = (letter: Area): TurnedLetter => ({
  letter,
  x0: -letter.y1,
  x1: -letter.y0,
  y0: letter.x0,
  y1: letter.x1,
});
