import type { Area } from '../../../model/geometry.js';
import type { Fragment, PageTable, TurnedWords } from '../../../model/page.js';
import { standForTable } from './table.js';
import type { Rules } from './table-rules.js';

/** State of a page while its tables are found: each finder moves text from `rest` and `turned` into tables. */
export interface FoundTables {
  /** Tables, each as one piece for the reading order. */
  tables: readonly Fragment[];
  /** Text that stands in no table. */
  rest: readonly Fragment[];
  turned: readonly TurnedWords[];
  /** Grids whose text is no table: boxes around a text, drawings. */
  frames: readonly Frame[];
  /** Rows of boxes side by side, each with a text of its own. */
  boxes: readonly (readonly Area[])[];
}

/** The area of a grid that is no table. */
interface Frame extends Area {
  /** Number of cells of the grid. */
  cells: number;
}

/** Finds tables of one kind; `rules` are those of the page, their pieces joined. */
export type TableFinder = (found: FoundTables, rules: Rules) => FoundTables;

/** A table, its place and the text that it is made of. */
export interface FoundTable {
  table: PageTable;
  area: Area;
  fragments: readonly Fragment[];
}

/** Moves the text of a table from `rest` to the tables. */
export const moveTable = (found: FoundTables, { table, area, fragments }: FoundTable): FoundTables => ({
  ...found,
  tables: [...found.tables, standForTable(table, area)],
  rest: found.rest.filter((fragment) => !fragments.includes(fragment)),
});
