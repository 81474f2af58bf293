import { OcrError } from '../contract/ocr-error.js';
import { suggest } from '../contract/suggest.js';

/** Those that are typed; `sending` is one letter from `pending`, which a server may have. */
const STATUSES = ['completed', 'failed', 'queued', 'processing', 'interrupted'];

/**
 * Refuses a status that nothing here has and that is all but one of ours: "complete" would match nothing for ever. Any
 * other may be one of the service's own (contract, States and transitions) that nothing has right now.
 * @throws OcrError USAGE
 */
export function refuseStatusSlip(status: string | undefined, known: readonly { status: string | null }[]): void {
  if (status === undefined || known.some((item) => item.status === status)) return;
  const meant = STATUSES.includes(status) ? undefined : suggest(status, STATUSES);
  if (meant === undefined) return;
  throw new OcrError('USAGE', `There is no status "${status}"`, { hint: `Did you mean ${meant}?` });
}
