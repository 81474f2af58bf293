import { MOMENT_IN_WORDS } from '../contract/moment.js';
import type { Command } from './commander.js';
import { present, takeOnce } from './declare.js';
import { parsePositiveCount, parseSince } from './parse-option.js';

/** Adds the options that filter every list of sent documents. */
export function addListFilters(list: Command, defaultLimit: number | string = 'all'): Command {
  takeOnce(list, ['function']);
  return list
    .option('--limit <count>', `at most this many (${defaultLimit})`, parsePositiveCount)
    .option('-f, --function <id>', 'only this function')
    .option('--since <time>', `only since then: ${MOMENT_IN_WORDS}`, parseSince);
}

export function readListFilters(list: Command): { function?: string; sinceMs?: number; limit?: number } {
  const { function: id, since, limit } = list.opts();
  return {
    ...present<string>('function', id),
    ...present<number>('sinceMs', since),
    ...present<number>('limit', limit),
  };
}
