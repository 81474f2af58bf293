import type { Command } from '../commander.js';
import { present } from '../declare.js';
import * as ofAll from '../list-filters.js';
import { parseOwnId } from './own-ids.js';

/** How much a list that grows for ever shows without `--limit`. */
export const DEFAULT_LIMIT = 100;

/** The options by which lists of what every organisation did are narrowed. */
export function addListFilters(list: Command): Command {
  return ofAll.addListFilters(list.option('--org <orgId>', 'only this organisation', parseOwnId), DEFAULT_LIMIT);
}

export function readListFilters(list: Command) {
  return {
    limit: DEFAULT_LIMIT,
    ...ofAll.readListFilters(list),
    ...present<string>('organisationId', list.opts().org),
  };
}
