/** How far two texts share their words, whatever their order: 2·hits / (truth + got), lower-cased, edge punctuation off. */
export function wordF1(truth: string, got: string): number {
  const [wanted, found] = [splitWords(truth), splitWords(got)];
  const left = new Map<string, number>();
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  let hits = 0;
  for (const word of found) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    hits++;
  }
  return wanted.length + found.length === 0 ? 1 : (2 * hits) / (wanted.length + found.length);
}

/** The words of a text, lower-cased, edge punctuation off. */
export function splitWords(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '');
}
