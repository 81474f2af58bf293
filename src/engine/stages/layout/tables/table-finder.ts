import type { Area } from '../../../model/geometry.js';
import type { Fragment, PageContent, TurnedWords } from '../../../model/page.js';
import type { Rules } from './table-rules.js';

/** A page while its tables are found: each finder takes from `rest` and `turned` what it puts into tables. */
export interface FoundTables {
  /** Each table as one piece, for the reading order. */
  tables: readonly Fragment[];
  /** Text that stands in no table. */
  rest: readonly Fragment[];
  turned: readonly TurnedWords[];
  /** Grids that hold text which is no table: boxes around a text, drawings. */
  frames: readonly Frame[];
  /** Cells of such grids that hold an article each. */
  boxes: readonly Area[];
}

/** The area of a grid that is no table. */
interface Frame extends Area {
  /** Number of cells of the grid. */
  cells: number;
}

/** `rules`: those of the page, their pieces joined. */
export type TableFinder = (found: FoundTables, page: PageContent, rules: Rules) => FoundTables;
