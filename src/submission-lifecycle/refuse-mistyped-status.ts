import { OcrError } from '../contract/ocr-error.js';
import { suggest } from '../contract/suggest.js';

/** Statuses that the ledger and our own service give. */
const STATUSES = ['queued', 'processing', 'completed', 'failed', 'gone', 'sending', 'interrupted'];

/** Words of other tools and servers, with ours for the same. A cancelled job has failed. */
const OTHER_WORDS = new Map([
  ['cancelled', 'failed'],
  ['canceled', 'failed'],
  ['error', 'failed'],
  ['done', 'completed'],
  ['succeeded', 'completed'],
  ['pending', 'queued'],
  ['running', 'processing'],
]);

/**
 * Refuses a status that is none of ours and that no item has: it would never match. A status of another service's own
 * (contract, States and transitions) is known by the items that have it. An HTTP status is a number.
 * @throws OcrError USAGE
 */
export function refuseMistypedStatus(status: string | undefined, items: readonly { status: string | null }[]): void {
  if (status === undefined || /^[1-5]\d\d$/.test(status)) return;
  const known = [...new Set([...STATUSES, ...items.flatMap((item) => item.status ?? [])])];
  if (known.includes(status)) return;
  const intended = OTHER_WORDS.get(status) ?? suggest(status, known);
  throw new OcrError('USAGE', `There is no status "${status}"`, {
    hint: `${intended === undefined ? '' : `Did you mean ${intended}?\n`}Known statuses: ${known.join(', ')}`,
  });
}
