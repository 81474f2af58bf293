import type { Command } from '../commander.js';
import { present } from '../declare.js';
import * as shared from '../list-filters.js';
import { parseOrganisation } from './own-ids.js';

/** Rows that a list shows without `--limit`: these lists grow for ever. */
export const DEFAULT_LIMIT = 100;

/** Adds the options that filter lists across organisations. */
export function addListFilters(list: Command): Command {
  return shared.addListFilters(
    list.option('--org <org>', 'only this organisation, by its name or id', parseOrganisation),
    DEFAULT_LIMIT,
  );
}

export function readListFilters(list: Command) {
  return {
    limit: DEFAULT_LIMIT,
    ...shared.readListFilters(list),
    ...present<string>('organisationId', list.opts().org),
  };
}
