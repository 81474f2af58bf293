import type { Block } from '../../model/document.js';
import type { Fragment, PageContent, PageLayout } from '../../model/page.js';
import { classifyBlocks } from './blocks/classify.js';
import { markContinuations } from './blocks/continuations.js';
import { findFootnotes } from './blocks/footnotes.js';
import { findRunningBands } from './blocks/side-bands.js';
import { markStamps } from './blocks/stamps.js';
import { measureType } from './headings/find-headings.js';
import { partRunInTitles } from './headings/run-in-titles.js';
import { layOutPage } from './lay-out-page.js';
import { joinDropCaps } from './lines/drop-caps.js';
import { joinFragments } from './lines/fragment.js';
import { markHyphens } from './lines/hyphens.js';
import { takeLineNumbers } from './lines/line-numbers.js';
import { createLists } from './lists/lists.js';
import { refineRecognised } from './recognised/recognised-lines.js';
import { type PlacedPage, placeRecognised, scaleToPoints } from './recognised/recognised-page.js';
import type { EdgePage } from './running-heads/edge-rows.js';
import { findRunningHeads } from './running-heads/running-heads.js';

/** A page before its place in the document is known: by its text layer, or recognised, which gives blocks at once. */
export interface PageInput {
  number: number;
  content: PageContent | PageLayout;
}

/**
 * Pages → their blocks in reading order. What a page alone does not tell is told by the document: headers and footers
 * by what comes again, headings by the type that most of the text is set in.
 */
export function layOutDocument(sketches: readonly PageInput[]): Block[][] {
  const recognised = sketches.flatMap(({ content }) => ('words' in content ? [] : [content]));
  refineRecognised(recognised);
  const scale = scaleToPoints(recognised);
  const placed = sketches.map(({ number, content }) => {
    const page = 'words' in content ? placeText(content) : placeRecognised(content, scale);
    return { ...page, number, recognised: !('words' in content) };
  });
  const bands = findRunningBands(placed);
  const pages = placed.map((page, index) => {
    const { width, height } = page.content;
    const { fragments, margin } = withoutBand(page, bands[index] ?? []);
    return { ...page, width, height, items: fragments, fragments, margin };
  });
  const heads = findRunningHeads<Fragment>(pages satisfies EdgePage<Fragment>[]);
  const typewritten = isTypewritten(pages.map(({ content }) => content));
  const laid = pages.map(({ content, fragments, margin, lean }, index): PageLayout => {
    const ofPage = heads[index] ?? { header: [], footer: [] };
    return { ...layOutPage(content, fragments, { ...ofPage, margin }, typewritten), ...lean };
  });
  markStamps(laid);
  for (const page of laid) page.blocks = partRunInTitles(page.blocks);
  const type = measureType(laid.map(({ blocks }) => blocks));
  const lists = createLists();
  const blocks = laid.map((page) => classifyBlocks(page, type, lists));
  for (const ofPage of blocks) findFootnotes(ofPage, type.bodySize);
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

/** What comes again down the side of the page is no part of its text. */
function withoutBand(
  { fragments, margin }: PlacedPage,
  band: readonly Fragment[],
): Pick<PlacedPage, 'fragments' | 'margin'> {
  if (band.length === 0) return { fragments, margin };
  const taken = new Set(band);
  return { fragments: fragments.filter((fragment) => !taken.has(fragment)), margin: [...margin, ...band] };
}

function placeText(content: PageContent): PlacedPage {
  const { text, numbers } = takeLineNumbers(joinDropCaps(joinFragments(content.words)));
  return { content, fragments: text, margin: numbers, lean: {} };
}
