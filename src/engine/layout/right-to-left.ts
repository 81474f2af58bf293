import { hasLetter, isRtl, type PlacedWord } from './fragment.js';

const MIRRORED: Record<string, string> = { '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{' };
const mirror = (brackets: string): string => [...brackets].map((sign) => MIRRORED[sign] ?? sign).join('');

/**
 * Puts the words of a line that is read from the right in that order: what is in letters of other scripts, and numbers
 * at its end, from the left, as the Unicode bidirectional algorithm (UAX 9) sets them. Signs at the edges of words are
 * as on paper and become what is meant: ".2024" ends a sentence, ")word(" is in brackets.
 */
export function readFromRight(words: readonly PlacedWord[]): PlacedWord[] {
  const ordered: PlacedWord[] = [];
  let run: PlacedWord[] = [];
  /** Since the last word of the run: between two words of a run they are a part of it. */
  let signs: PlacedWord[] = [];
  const finish = () => {
    // Numbers to the left of the letters come after them.
    const from = run.findLastIndex(hasLetter) + 1;
    ordered.push(...run.slice(0, from).reverse(), ...run.slice(from), ...signs);
    run = [];
    signs = [];
  };
  for (const word of [...words].sort((a, b) => b.x1 - a.x1)) {
    if (/[\p{L}\p{N}]/u.test(word.text) && !isRtl(word.text)) {
      const [last] = run.slice(-1);
      if (signs.length > 0 && !(last !== undefined && hasLetter(last) && hasLetter(word))) finish();
      run.push(...signs, word);
      signs = [];
      continue;
    }
    if (run.length > 0 && !isRtl(word.text)) {
      signs.push(word);
      continue;
    }
    finish();
    ordered.push(word);
  }
  finish();
  let open = 0;
  for (const word of ordered) {
    const turned = /^[)\]}]$/.test(word.text) ? open < 1 : /^[([{]$/.test(word.text) && open > 0;
    word.text = turned ? mirror(word.text) : placeSigns(word.text);
    for (const sign of word.text) open += Number('([{'.includes(sign)) - Number(')]}'.includes(sign));
  }
  return ordered;
}

function placeSigns(text: string): string {
  if (!/[\p{L}\p{N}]/u.test(text)) return text;
  const placed = /\p{L}/u.test(text) ? text : text.replace(/^([.,:;!?%،؛؟]+)(.+)$/u, '$2$1');
  return placed.replace(/^[)\]}]+/, mirror).replace(/[([{]+(?=[.,:;!?،؛؟]*$)/, mirror);
}
