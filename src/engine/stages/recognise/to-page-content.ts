import type { Area } from '../../model/geometry.js';
import type { Fragment, PageBlock, PageContent, PageDistortion } from '../../model/page.js';

interface RecognisedBlocks {
  width: number;
  height: number;
  /** Paragraphs, in the order that the recogniser gave them. */
  blocks: readonly PageBlock[];
  rules: readonly Area[];
  distortion?: PageDistortion;
}

/** Converts recognised blocks, in the page's units, to the layout's input: lines and rules like those of a text layer. */
export const recognisedContent = ({ blocks, ...page }: RecognisedBlocks): PageContent => ({
  ...page,
  ...{ fragments: blocks.flatMap(toFragments), turned: [], images: [], shades: [], isRecognised: true },
});

const toFragments = ({ lines }: PageBlock): Fragment[] =>
  lines.map((line, index) => (index === 0 ? { ...line, beginsParagraph: true } : line));
