import { OcrError } from './ocr-error.js';

/** The prefixes of the ids that may be shortened. */
const PREFIXES = ['req_', 'job_'];

/**
 * Refuses the letters before an id, or a part of them, with nothing behind: every id begins with them, and a script whose
 * variable is empty must not act on the only job that there is. @throws OcrError USAGE
 */
export function refusePrefixAlone(id: string): void {
  if (!PREFIXES.some((prefix) => prefix.startsWith(id.toLowerCase()))) return;
  throw new OcrError('USAGE', `"${id}" is only the beginning of an id`, { hint: 'Give more of the id.' });
}
