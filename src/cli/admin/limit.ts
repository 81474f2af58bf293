import { InvalidArgumentError } from '../commander.js';
import { count } from '../declare.js';

/** How much a list that grows for ever shows where nobody says. */
export const DEFAULT_LIMIT = 100;

/** What `--limit` takes. */
export function readLimit(text: string): number {
  const limit = count(text);
  if (limit < 1) throw new InvalidArgumentError('It must be at least 1.');
  return limit;
}
