import type { Line } from '../model.js';

/** Of the words, each by its length, in steps of a thousandth; null where none of them was recognised. */
export function meanConfidence(lines: readonly Pick<Line, 'words'>[]): number | null {
  let [sum, characters] = [0, 0];
  for (const { words } of lines) {
    for (const { text, confidence } of words) {
      if (confidence === null) continue;
      sum += confidence * text.length;
      characters += text.length;
    }
  }
  return characters === 0 ? null : Math.round((sum / characters) * 1000) / 1000;
}
