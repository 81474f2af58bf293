import { findAlignedTables } from './aligned-tables.js';
import { buildBlocks, type LaidBlock } from './blocks.js';
import type { LaidPage } from './classify.js';
import { type Fragment, joinFragments, type PlacedWord } from './fragment.js';
import { joinRules } from './grids.js';
import { buildLines } from './lines.js';
import type { PageContent, TurnedWords } from './place-words.js';
import { splitColumns } from './reading-order.js';
import { takeRuledTables } from './ruled-tables.js';
import type { RunningHeads } from './running-heads.js';

/**
 * What stands on a page → blocks in reading order. Headers come first and footers last, whatever column they stand
 * over; text of another direction comes after the page's own.
 */
export function layOutPage(content: PageContent, fragments: Fragment[], heads: RunningHeads<Fragment>): LaidPage {
  const outside = new Set([...heads.header, ...heads.footer]);
  const flow = outside.size === 0 ? fragments : fragments.filter((fragment) => !outside.has(fragment));
  const rules = joinRules(content.rules);
  const { tables, rest, turned } = takeRuledTables(flow, content.turned, rules);
  const layOutRegion = (region: Fragment[]) => buildBlocks(findAlignedTables(buildLines(region), rules.horizontal));
  const blocks = [
    ...layOutHead(heads.header, 'header'),
    ...splitColumns([...rest, ...tables]).flatMap(layOutRegion),
    ...turned.flatMap(layOutTurned),
    ...layOutHead(heads.footer, 'footer'),
  ];
  return { width: content.width, height: content.height, blocks };
}

function layOutHead(fragments: readonly Fragment[], kind: 'header' | 'footer'): LaidBlock[] {
  return fragments.length === 0 ? [] : [{ kind, lines: buildLines(fragments) }];
}

function layOutTurned({ words, toPage }: TurnedWords): LaidBlock[] {
  const blocks = splitColumns(joinFragments(words)).flatMap((region) => buildBlocks(buildLines(region)));
  for (const word of blocks.flatMap(({ lines }) => lines.flatMap((line): PlacedWord[] => line.words))) {
    Object.assign(word, toPage(word));
  }
  return blocks;
}
