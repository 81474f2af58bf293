import type { BoxView, RunView } from './document-view.js';

/** A word less sure than this is marked: of clean print, recognition is surer of every word. */
const MIN_SURE_CONFIDENCE = 0.8;

export interface KnownWord {
  text: string;
  confidence: number | undefined;
  box: BoxView | undefined;
}

/**
 * Cuts a text into runs, with the unsure words apart. Words are looked for in their order; one that the text does not have as
 * it was read (a hyphen that joins, say) stays unmarked.
 */
export function markWords(text: string, words: readonly KnownWord[]): RunView[] {
  const runs: RunView[] = [];
  let [at, shown] = [0, 0];
  for (const { text: word, confidence, box } of words) {
    const found = word === '' ? -1 : text.indexOf(word, at);
    if (found < 0) continue;
    at = found + word.length;
    if (confidence === undefined || confidence >= MIN_SURE_CONFIDENCE) continue;
    if (found > shown) runs.push({ text: text.slice(shown, found) });
    runs.push({ text: word, unsure: { confidence, box } });
    shown = at;
  }
  if (shown < text.length || runs.length === 0) runs.push({ text: text.slice(shown) });
  return runs;
}
