/** Text put into a source file at a position of it. */
export interface Insertion {
  at: number;
  text: string;
  /** It ends what an insertion before it began. */
  closes: boolean;
  /** Characters of the source that it replaces. */
  replaces?: number;
}

/** The text with all insertions. They come in the order of a walk from the outside in: what was opened last is closed first. */
export function insertAll(text: string, insertions: readonly Insertion[]): string {
  const ordered = insertions.map((insertion, index) => ({ ...insertion, index }));
  ordered.sort(
    (a, b) => a.at - b.at || Number(b.closes) - Number(a.closes) || (a.closes ? b.index - a.index : a.index - b.index),
  );
  let result = '';
  let done = 0;
  for (const { at, text: inserted, replaces = 0 } of ordered) {
    result += text.slice(done, at) + inserted;
    done = at + replaces;
  }
  return result + text.slice(done);
}
