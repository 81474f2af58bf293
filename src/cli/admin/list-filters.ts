import type { Command } from '../commander.js';
import { present } from '../declare.js';
import * as ofAll from '../list-filters.js';
import { parsePositiveCount } from '../parse-option.js';

/** How much a list that grows for ever shows without `--limit`. */
export const DEFAULT_LIMIT = 100;

/** The options by which lists of what every organisation did are narrowed. */
export function addListFilters(list: Command): Command {
  return ofAll
    .addListFilters(list.option('--org <orgId>', 'only this organisation'))
    .option('--limit <count>', `at most this many (${DEFAULT_LIMIT})`, parsePositiveCount);
}

export function readListFilters(list: Command) {
  const { org, limit } = list.opts();
  return {
    ...ofAll.readListFilters(list),
    ...present<string>('organisationId', org),
    limit: typeof limit === 'number' ? limit : DEFAULT_LIMIT,
  };
}
