import type { Block } from '../../model/document.js';
import type { Fragment, PageContent } from '../../model/page.js';
import { classifyBlocks } from './blocks/classify.js';
import { markContinuations } from './blocks/continuations.js';
import { findFootnotes } from './blocks/footnotes.js';
import { markStamps } from './blocks/stamps.js';
import { findHeadings } from './headings/find-headings.js';
import { layOutPage } from './lay-out-page.js';
import { joinDropCaps } from './lines/drop-caps.js';
import { markHyphens } from './lines/hyphens.js';
import { takeLineNumbers } from './lines/line-numbers.js';
import { lineText } from './lines/lines.js';
import { createLists } from './lists/lists.js';
import { findRunningHeads } from './running-heads/running-heads.js';

/** A page before its place in the document is known. */
export interface PageInput {
  /** From 1. */
  number: number;
  content: PageContent;
}

/**
 * Pages → their blocks in reading order. The document tells what a page alone does not: headers and footers by what comes
 * again, headings by the type that most of the text is set in.
 */
export function layOutDocument(inputs: readonly PageInput[]): Block[][] {
  const pages = inputs.map(takeMargin);
  const heads = findRunningHeads<Fragment>(pages.map(toEdgePage));
  const isTypewritten = isTypewriting(inputs);
  const layouts = pages.map(({ content, fragments, margin }, index) => {
    const ofPage = heads[index] ?? { header: [], footer: [] };
    return layOutPage(content, fragments, { ...ofPage, margin }, isTypewritten);
  });
  markStamps(layouts);
  const { bodySize, levels } = findHeadings(layouts.map(({ blocks }) => blocks));
  const lists = createLists();
  const blocks = layouts.map((layout) => classifyBlocks(layout, levels, lists));
  for (const ofPage of blocks) findFootnotes(ofPage, bodySize);
  markContinuations(blocks, bodySize);
  markHyphens(blocks);
  return blocks;
}

/** A page whose text is divided into its flow and its margin. */
interface PartedPage extends PageInput {
  fragments: Fragment[];
  /** Numbers of lines. */
  margin: readonly Fragment[];
}

/** Recognition reads no drop caps as such, and numbers of lines with their lines. */
function takeMargin(input: PageInput): PartedPage {
  const { fragments, isRecognised } = input.content;
  if (isRecognised) return { ...input, fragments, margin: [] };
  const { text, numbers } = takeLineNumbers(joinDropCaps(fragments));
  return { ...input, fragments: text, margin: numbers };
}

const toEdgePage = ({ number, content, fragments }: PartedPage) => ({
  ...{ number, width: content.width, height: content.height },
  ...{ recognised: content.isRecognised, items: fragments, rules: content.rules },
});

/** Share of the words of a document that are set in type of one width: from here on such type is no sign of code. */
const MIN_TYPEWRITTEN_SHARE = 0.8;
/** Share of the lines of a document that end or call as those of programs do, from which on all of it is code. */
const MIN_PROGRAM_SHARE = 0.3;
const PROGRAM_LINE = /[\w\]]\(|\):$|[{};]$|^[})\]]|\s[=!<>+*/-]?=\s/;

/**
 * True when most of the text layers are set in type of one width, as by a typewriter, and are no listing of a program.
 * Recognition tells no pitch.
 */
function isTypewriting(inputs: readonly PageInput[]): boolean {
  const lines = inputs.flatMap(({ content }) => (content.isRecognised ? [] : content.fragments));
  // Counts line by line: a list of all words of a long document would be as costly as the rest of its layout.
  const count = (ofLine: (line: Fragment) => number) => lines.reduce((sum, line) => sum + ofLine(line), 0);
  const typewritten = count(({ words }) => words.filter((word) => word.monospaced === true).length);
  return (
    typewritten > count(({ words }) => words.length) * MIN_TYPEWRITTEN_SHARE &&
    lines.filter((line) => PROGRAM_LINE.test(lineText(line))).length < lines.length * MIN_PROGRAM_SHARE
  );
}
