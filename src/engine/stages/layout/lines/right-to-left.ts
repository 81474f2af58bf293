import type { PageWord } from '../../../model/page.js';
import { hasLetter, isRtl, isStop } from '../../../model/text-direction.js';

const OPENING = '([{«“';
const CLOSING = ')]}»”';
const BRACKETS = /[()[\]{}«»“”]/g;

/**
 * Puts the words of a line with Hebrew or Arabic in reading order: words against the line's direction, and the signs
 * between them, in their own direction, as the Unicode bidirectional algorithm (UAX 9) sets them. Brackets are turned
 * by their places: producers differ in whether they store them mirrored.
 */
export function readInOrder(words: readonly PageWord[], fromRight: boolean): PageWord[] {
  const isAgainst = ({ text }: PageWord) => (fromRight ? /[\p{L}\p{N}]/u.test(text) && !isRtl(text) : isRtl(text));
  const isWith = (word: PageWord) => (fromRight ? isRtl(word.text) : hasLetter(word));
  const sorted = [...words].sort(fromRight ? (a, b) => b.x1 - a.x1 : (a, b) => a.x0 - b.x0);
  const places = sorted.map((word, index): Place => {
    const joined = touch(sorted[index - 1], word);
    if (!fromRight) return { word, joined };
    const follows = joined && isRtl(sorted[index - 1]?.text ?? '');
    return { word: follows ? beginWithStop(word) : turnSigns(word), joined };
  });
  const ordered: Place[] = [];
  let run: Place[] = [];
  /** Signs since the last word of the run: between two words of a run they are a part of it. */
  let signs: Place[] = [];
  const finish = () => {
    while (run[0]?.joined && isOfRun(ordered.at(-1)?.word.text ?? '', run)) run.unshift(...ordered.splice(-1));
    // Numbers to the left of the letters come after them.
    const from = run.findLastIndex(({ word }) => hasLetter(word)) + 1;
    ordered.push(...turnAbout(fromRight ? endPhrase(run.slice(0, from)) : run.slice(0, from)));
    ordered.push(...run.slice(from), ...signs);
    run = [];
    signs = [];
  };
  for (const place of places) {
    if (isAgainst(place.word)) {
      const last = run.at(-1)?.word;
      if (signs.length > 0 && !(last !== undefined && hasLetter(last) && hasLetter(place.word))) finish();
      run.push(...signs, place);
      signs = [];
    } else if (run.length > 0 && !isWith(place.word)) {
      signs.push(place);
    } else {
      finish();
      ordered.push(place);
    }
  }
  finish();
  const joined = joinPlaces(ordered);
  if (fromRight) for (const word of joined) word.text = endWithStop(word.text, joined.length > 1 && word === joined[0]);
  turnBrackets(joined);
  return joined;
}

interface Place {
  word: PageWord;
  /** True when no space parts it from the one before it. */
  joined: boolean;
}

/** Reverses a run. Signs at the edges keep their neighbours there: a full stop stands at the edge that the line continues from. */
const turnAbout = (run: readonly Place[]): Place[] =>
  run.map((_, index) => {
    const { word } = run[run.length - 1 - index] as Place;
    return { word: turnSigns(word), joined: (run[index === 0 ? 0 : run.length - index] as Place).joined };
  });

/** Moves stops at the left of a phrase, where the line goes on, to its end. */
function endPhrase(run: readonly Place[]): Place[] {
  const [stops = ''] = /^[.,:;!?،؛؟]+(?=.)/u.exec(run.at(-1)?.word.text ?? '') ?? [];
  return run.map(({ word, joined }, index) => {
    const text = index === run.length - 1 ? word.text.slice(stops.length) : word.text;
    return { word: { ...word, text: index === 0 ? text + stops : text }, joined };
  });
}

/** Reverses the signs of a word without letters: they are given from the left. */
const turnSigns = (word: PageWord): PageWord =>
  word.text.length < 2 || /[\p{L}\p{N}]/u.test(word.text) ? word : { ...word, text: [...word.text].reverse().join('') };

/**
 * True for a sign of the run: a full stop that a run begins with on paper ends it, and in "Pull Request (PR)" the
 * bracket there closes the one inside.
 */
function isOfRun(sign: string, run: readonly Place[]): boolean {
  const brackets = run.flatMap(({ word }) => word.text.match(/[()[\]{}]/g) ?? []).length;
  return isStop(sign) || (/^[()[\]{}]$/.test(sign) && brackets % 2 === 1);
}

/** The narrowest spaces are wider, in ems. */
const MAX_TOUCHING_GAP_EM = 0.1;

function touch(a: PageWord | undefined, b: PageWord): boolean {
  if (a === undefined) return false;
  const gap = Math.max(a.x0, b.x0) - Math.min(a.x1, b.x1);
  return gap < Math.max(a.fontSize, b.fontSize) * MAX_TOUCHING_GAP_EM;
}

/** Joins signs, and words of other scripts, to the word that they touch. */
function joinPlaces(places: readonly Place[]): PageWord[] {
  const words: PageWord[] = [];
  for (const { word, joined } of places) {
    const last = words.at(-1);
    if (last === undefined || !joined || areWords(last.text, word.text)) words.push(word);
    else if (last.bold !== word.bold || last.italic !== word.italic || last.link !== word.link)
      words.push({ ...word, glued: true });
    else {
      const [x0, x1] = [Math.min(last.x0, word.x0), Math.max(last.x1, word.x1)];
      words[words.length - 1] = { ...last, text: last.text + word.text, x0, x1 };
    }
  }
  return words;
}

/**
 * True for two words. Letters of Arabic may reach over the space beside them: the text at their end is a word of its
 * own unless it is a sign that belongs to them.
 */
const areWords = (a: string, b: string): boolean =>
  (isRtl(a) || isRtl(b)) &&
  /^[\p{L}\p{N}]/u.test(b) &&
  (/[\p{L}\p{M}\p{N}]$/u.test(a) || isStop(a.slice(-1)) || (/.[()[\]{}«»]$/.test(a) && !/\p{Script=Hebrew}/u.test(b)));

/**
 * Moves signs to the end of a number: ".2024" on paper ends a sentence, and "-1-2" before words is their number, since
 * none is less than 0.
 */
function endWithStop(text: string, beginsLine: boolean): string {
  if (/\p{L}/u.test(text) || !/\p{N}/u.test(text)) return text;
  const signs = (beginsLine ? /^[-–.,:;!?%/،؛؟]+/ : /^[.,:;!?%/،؛؟]+/).exec(text)?.[0] ?? '';
  return text.slice(signs.length) + signs;
}

/**
 * Moves a sign to the beginning: "00:" on paper, right at the word before it, is the sign between the two and a number.
 * Stops to the left of the number end it.
 */
const beginWithStop = (word: PageWord): PageWord => {
  const number = /^([.,:;!?،؛؟]*)(\p{N}(?:[\p{N}.,:/]*\p{N})?)([-–:;،؛])$/u;
  return number.test(word.text) ? { ...word, text: word.text.replace(number, '$3$2$1') } : turnSigns(word);
};

/** Turns brackets: one that begins a word opens, one that ends it closes, with full stops after it; others close when one is open. */
function turnBrackets(words: readonly PageWord[]): void {
  let open = 0;
  words.forEach((word, index) => {
    const begins = word.glued ? 0 : (/^[()[\]{}"'«»“”]+/.exec(word.text)?.[0].length ?? 0);
    const tail = words[index + 1]?.glued ? 0 : (/[()[\]{}"'«»“”]+[.,:;!?،؛؟]*$/.exec(word.text)?.[0].length ?? 0);
    const ends = word.text.length - tail;
    word.text = word.text.replace(BRACKETS, (sign, at: number) => {
      const opens = at < begins === at >= ends ? open < 1 : at < begins;
      open += opens ? 1 : -1;
      const kind = Math.max(OPENING.indexOf(sign), CLOSING.indexOf(sign));
      return (opens ? OPENING : CLOSING)[kind] ?? sign;
    });
  });
}
