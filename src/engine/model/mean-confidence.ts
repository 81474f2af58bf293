import type { Line, Page } from './document.js';

/** Mean confidence of words, 0-1, each weighed by its length; null when none of them was recognised. */
export function meanConfidence(words: Iterable<{ text: string; confidence: number | null }>): number | null {
  let [sum, characters] = [0, 0];
  for (const { text, confidence } of words) {
    if (confidence === null) continue;
    sum += confidence * text.length;
    characters += text.length;
  }
  return characters === 0 ? null : sum / characters;
}

/** Mean confidence of the words of lines, rounded to a thousandth as results show it. */
export function roundedConfidence(lines: readonly Pick<Line, 'words'>[]): number | null {
  const mean = meanConfidence(lines.flatMap(({ words }) => words));
  return mean === null ? null : Math.round(mean * 1000) / 1000;
}

/** Mean confidence of the words of pages, rounded like the one of lines. Text layers have none: a long one is not looked at. */
export function pagesConfidence(pages: readonly Pick<Page, 'blocks' | 'source'>[]): number | null {
  const recognised = pages.filter(({ source }) => source !== 'text-layer');
  return roundedConfidence(recognised.flatMap(({ blocks }) => blocks.flatMap(({ lines }) => lines)));
}
