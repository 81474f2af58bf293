import { divide } from '../../../model/groups.js';
import type { Fragment } from '../../../model/page.js';
import { takeHeadRuledTables } from './head-ruled-tables.js';
import { takeOpenTables } from './open-tables.js';
import type { FoundTables, TableFinder } from './table-finder.js';
import type { Rules } from './table-rules.js';

/** Finders of tables without rules between their columns, the surest first: the next ones do not see what one of them takes. */
const TABLE_FINDERS: readonly TableFinder[] = [takeHeadRuledTables, takeOpenTables];

/**
 * Finds the tables among the pieces of a page that rules or stripes are drawn for. Those in grids are pieces already;
 * tables of white space alone are found later, column by column. Returns the text around the tables before these.
 */
export function findDrawnTables(pieces: readonly Fragment[], rules: Rules): FoundTables {
  const [tables, rest] = divide(pieces, ({ block }) => block?.table !== undefined);
  const found: FoundTables = { tables, rest, turned: [], frames: [], boxes: [] };
  return TABLE_FINDERS.reduce((before, find) => find(before, rules), found);
}
