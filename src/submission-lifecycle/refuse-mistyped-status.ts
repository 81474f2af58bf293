import { OcrError } from '../contract/ocr-error.js';
import { suggest } from '../contract/suggest.js';

/** Statuses that people type. `sending` is absent: a server may have `pending`, which differs in one letter. */
const STATUSES = ['completed', 'failed', 'queued', 'processing', 'interrupted'];

/**
 * Refuses a status that no item has and that is close to one of ours: "complete" would never match. Any other may be a
 * status of the service's own (contract, States and transitions) that no item has right now.
 * @throws OcrError USAGE
 */
export function refuseMistypedStatus(status: string | undefined, known: readonly { status: string | null }[]): void {
  if (status === undefined || known.some((item) => item.status === status)) return;
  const intended = STATUSES.includes(status) ? undefined : suggest(status, STATUSES);
  if (intended === undefined) return;
  throw new OcrError('USAGE', `There is no status "${status}"`, { hint: `Did you mean ${intended}?` });
}
