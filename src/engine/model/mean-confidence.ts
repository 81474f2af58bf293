import type { Line } from './document.js';

/** Of words, each by its length, 0-1; null where none of them was recognised. */
export function meanConfidence(words: Iterable<{ text: string; confidence: number | null }>): number | null {
  let [sum, characters] = [0, 0];
  for (const { text, confidence } of words) {
    if (confidence === null) continue;
    sum += confidence * text.length;
    characters += text.length;
  }
  return characters === 0 ? null : sum / characters;
}

/** The same of lines, as results show it: in steps of a thousandth. */
export function shownConfidence(lines: readonly Pick<Line, 'words'>[]): number | null {
  const mean = meanConfidence(lines.flatMap(({ words }) => words));
  return mean === null ? null : Math.round(mean * 1000) / 1000;
}
