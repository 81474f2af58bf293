import type { Fragment, PageContent } from '../../../model/page.js';
import { takeHeadRuledTables } from './head-ruled-tables.js';
import { takeOpenTables } from './open-tables.js';
import { takeRuledTables } from './ruled-tables.js';
import type { FoundTables, TableFinder } from './table-finder.js';
import type { Rules } from './table-rules.js';

/** Finders of tables without rules between their columns, the surest first: the next ones do not see what one of them takes. */
const TABLE_FINDERS: readonly TableFinder[] = [takeHeadRuledTables, takeOpenTables];

/**
 * Finds the tables of a page that rules or grounds are drawn for, first those in grids. Stripes have no edges within
 * grids, but separate rows elsewhere. Tables of white space alone are found later, column by column.
 */
export function findDrawnTables(
  all: readonly Fragment[],
  page: PageContent,
  rules: Rules,
  striped: Rules,
): FoundTables {
  const none: FoundTables = { tables: [], rest: all, turned: page.turned, frames: [] };
  return TABLE_FINDERS.reduce((found, find) => find(found, striped), takeRuledTables(none, page, rules));
}
