import type { Command } from '../commander.js';
import { present } from '../declare.js';
import * as shared from '../list-filters.js';
import { parseOrganisation } from './own-ids.js';

/** Rows that a list shows without `--limit`: these lists grow for ever. */
export const DEFAULT_LIMIT = 100;

/** Adds the options that filter lists across organisations. */
export function addListFilters(list: Command): Command {
  return shared.addListFilters(addOrganisationFilter(list), DEFAULT_LIMIT);
}

/** Adds the option that limits a list to one organisation. */
export function addOrganisationFilter(list: Command): Command {
  return list.option('--org <org>', 'only this organisation, by its name or id', parseOrganisation);
}

export function readListFilters(list: Command) {
  return {
    limit: DEFAULT_LIMIT,
    ...shared.readListFilters(list),
    ...present<string>('organisationId', list.opts().org),
  };
}
