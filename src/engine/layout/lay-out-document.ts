import type { Block } from '../model.js';
import { classifyBlocks, type LaidPage } from './classify.js';
import { markContinuations } from './continuations.js';
import { joinDropCaps } from './drop-caps.js';
import type { EdgePage } from './edge-rows.js';
import { findFootnotes } from './footnotes.js';
import { joinFragments } from './fragment.js';
import { measureType } from './headings/find-headings.js';
import { partRunInTitles } from './headings/run-in-titles.js';
import { markHyphens } from './hyphens.js';
import type { Fragment, LaidLine } from './laid.js';
import { layOutPage } from './lay-out-page.js';
import { takeLineNumbers } from './line-numbers.js';
import { createLists } from './lists.js';
import type { PageContent } from './place-words.js';
import { regroupBlocks } from './recognised-blocks.js';
import { refineRecognised } from './recognised-lines.js';
import { findRunningHeads } from './running-heads.js';
import { markStamps } from './stamps.js';
import { findRecognisedTables } from './tables/recognised-tables.js';

/** A page before its place in the document is known: by its text layer, or recognised, which gives blocks at once. */
export interface PageSketch {
  number: number;
  content: PageContent | LaidPage;
}

/**
 * Pages → their blocks in reading order. What a page alone does not tell is told by the document: headers and footers
 * by what comes again, headings by the type that most of the text is set in.
 */
export function layOutDocument(sketches: readonly PageSketch[]): Block[][] {
  refineRecognised(sketches.flatMap(({ content }) => ('words' in content ? [] : [content])));
  const pages = sketches.map(({ number, content }) => {
    const { width, height } = content;
    if (!('words' in content))
      return { number, content, recognised: true as const, width, height, items: linesOf(content) };
    const { text, numbers } = takeLineNumbers(joinDropCaps(joinFragments(content.words)));
    return { number, content, recognised: false as const, width, height, items: text, numbers };
  });
  const heads = findRunningHeads<Fragment>(pages satisfies EdgePage<Fragment>[]);
  const typewritten = isTypewritten(pages.flatMap(({ content }) => ('words' in content ? [content] : [])));
  const laid = pages.map((page, index) => {
    const ofPage = heads[index] ?? { header: [], footer: [] };
    return page.recognised
      ? regroupBlocks(
          findRecognisedTables(takeOut(page.content, ofPage.header as LaidLine[], ofPage.footer as LaidLine[])),
        )
      : layOutPage(page.content, page.items, { ...ofPage, margin: page.numbers }, typewritten);
  });
  markStamps(laid);
  for (const page of laid) page.blocks = partRunInTitles(page.blocks);
  const scale = measureType(laid.map(({ blocks }) => blocks));
  const lists = createLists();
  const blocks = laid.map((page) => classifyBlocks(page, scale, lists));
  for (const ofPage of blocks) findFootnotes(ofPage, scale.bodySize);
  markContinuations(blocks);
  markHyphens(blocks);
  return blocks;
}

/** Of the words: what is set in type of one width is no code where most of a document is. */
const LEAST_TYPEWRITTEN = 0.8;

function isTypewritten(pages: readonly PageContent[]): boolean {
  let [all, monospaced] = [0, 0];
  for (const { words } of pages) {
    all += words.length;
    for (const word of words) if (word.monospaced) monospaced++;
  }
  return monospaced > all * LEAST_TYPEWRITTEN;
}

const linesOf = (page: LaidPage): LaidLine[] => page.blocks.flatMap(({ lines }) => lines);

/** Recognised lines stand in blocks already: headers and footers leave theirs. */
function takeOut(page: LaidPage, header: LaidLine[], footer: LaidLine[]): LaidPage {
  if (header.length + footer.length === 0) return page;
  const outside = new Set([...header, ...footer]);
  const blocks = page.blocks
    .map((block) => ({ ...block, lines: block.lines.filter((line) => !outside.has(line)) }))
    .filter(({ lines }) => lines.length > 0);
  if (header.length > 0) blocks.unshift({ kind: 'header', lines: header });
  if (footer.length > 0) blocks.push({ kind: 'footer', lines: footer });
  return { ...page, blocks };
}
