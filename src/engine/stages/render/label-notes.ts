import type { Block, OcrDocument, Word } from '../../model/document.js';

/**
 * Labels of footnotes, and of the raised marks that lead to them. Numbers begin anew on each page: a label that is used
 * again gets the page's number.
 */
export function labelNotes({ pages }: OcrDocument): { labels: Map<Block, string>; marks: Map<Word, string> } {
  const labels = new Map<Block, string>();
  const marks = new Map<Word, string>();
  const taken = new Set<string>();
  for (const { number, blocks } of pages) {
    const onPage = new Map<string, string>();
    for (const block of blocks) {
      if (block.kind !== 'footnote' || block.marker === undefined) continue;
      let label = /^\w+$/.test(block.marker) ? block.marker : `note-${onPage.size + 1}`;
      if (taken.has(label)) label = `${label}-${number}`;
      if (taken.has(label)) continue;
      taken.add(label);
      onPage.set(block.marker, label);
      labels.set(block, label);
    }
    if (onPage.size > 0) for (const [word, label] of findMarks(blocks, onPage)) marks.set(word, label);
  }
  return { labels, marks };
}

/** A raised number or sign that equals that of a note. */
interface Mark {
  word: Word;
  label: string;
  isBehindText: boolean;
  /** True where its block has it once: the names of authors of one institute have the same number. */
  isLone: boolean;
}

/**
 * Finds the raised marks of a page's notes, given the label of each. A number that stands behind a word or the end of a
 * clause leads to its note. The same number behind a variable, or apart, is an exponent or a part of a fraction.
 */
function findMarks(blocks: readonly Block[], labelOf: ReadonlyMap<string, string>): Map<Word, string> {
  const raised = blocks.filter(({ kind }) => kind !== 'footnote').flatMap((block) => marksIn(block, labelOf));
  const labelsOf = (holds: (mark: Mark) => boolean) => new Set(raised.filter(holds).map(({ label }) => label));
  const behindText = labelsOf(({ isBehindText }) => isBehindText);
  const lone = labelsOf(({ isBehindText, isLone }) => isBehindText && isLone);
  const marks = raised.filter(({ label, isBehindText, isLone, word }) => {
    if (!/\d/.test(word.text)) return true;
    return (isBehindText || !behindText.has(label)) && (isLone || !lone.has(label));
  });
  return new Map(marks.map(({ word, label }) => [word, label]));
}

function marksIn({ lines }: Block, labelOf: ReadonlyMap<string, string>): Mark[] {
  const marks = lines.flatMap(({ words }) =>
    words.flatMap((word, index) => {
      const label = word.raised ? labelOf.get(word.text.normalize('NFKC').replace(/[[\]()]/g, '')) : undefined;
      const isBehindText = word.glued === true && isText(words[index - 1]);
      return label === undefined ? [] : [{ word, label, isBehindText }];
    }),
  );
  return marks.map((mark) => ({ ...mark, isLone: marks.filter(({ label }) => label === mark.label).length === 1 }));
}

/** Letters of one variable, of a product of them, or of a unit; figures; brackets of a formula. */
const VARIABLE = /(?:^|[^\p{L}])(?:\p{L}|\p{Ll}{2})$|[\p{N}\])}]$/u;

const isText = (word: Word | undefined): boolean => word !== undefined && !VARIABLE.test(word.text);
