import type { Area } from '../../model/geometry.js';
import type { Fragment, PageBlock, PageContent, PageDistortion } from '../../model/page.js';

interface RecognisedBlocks {
  width: number;
  height: number;
  /** Paragraphs, in the order that the recogniser gave them. */
  blocks: readonly PageBlock[];
  rules: readonly Area[];
  /** Tinted grounds of columns; none if absent. */
  shades?: readonly Area[];
  distortion?: PageDistortion;
}

/** Converts recognised blocks, in the page's units, to the layout's input: lines, rules and grounds like those of a text layer. */
export const recognisedContent = ({ blocks, ...page }: RecognisedBlocks): PageContent => ({
  ...{ shades: [], ...page },
  ...{ fragments: blocks.flatMap(toFragments), turned: [], images: [], isRecognised: true },
});

const toFragments = ({ lines }: PageBlock): Fragment[] =>
  lines.map((line, index) => (index === 0 ? { ...line, beginsParagraph: true } : line));
