import type { Command } from '../commander.js';
import { present } from '../declare.js';
import { parsePositiveCount, parseSince } from '../parse-option.js';

/** How much a list that grows for ever shows without `--limit`. */
export const DEFAULT_LIMIT = 100;

/** The options by which lists of what every organisation did are narrowed. */
export function addListFilters(list: Command): Command {
  return list
    .option('--org <orgId>', 'only this organisation')
    .option('-f, --function <id>', 'only this function')
    .option('--since <time>', 'only since then: a duration like 2h or 7d, a date, or an RFC 3339 time', parseSince)
    .option('--limit <count>', `at most this many (${DEFAULT_LIMIT})`, parsePositiveCount);
}

export function readListFilters(list: Command) {
  const { org, function: id, since, limit } = list.opts();
  return {
    ...present<string>('organisationId', org),
    ...present<string>('function', id),
    ...present<number>('sinceMs', since),
    limit: typeof limit === 'number' ? limit : DEFAULT_LIMIT,
  };
}
