import { makeOneLine } from '../../contract/visible.js';
import type { Output } from './output.js';
import { type Cell, toTabSeparated } from './table.js';

/**
 * Prints one more line of a list that goes on: with --json the entry, else its cells, separated by tabs. A table cannot align
 * what is not there yet.
 */
export async function printFollowed(output: Output, entry: unknown, cells: readonly Cell[]): Promise<void> {
  if (output.isJson) await output.json(entry, { compact: true });
  else await output.text(toTabSeparated([cells], makeOneLine));
}
