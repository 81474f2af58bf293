import { explainAmbiguousId } from '../../contract/ambiguous-id.js';
import { shortId } from '../../contract/identifiers.js';
import { OcrError } from '../../contract/ocr-error.js';
import { findShortened, MAX_CANDIDATES, type ShortenedKind } from '../../store/short-ids.js';
import type { Store } from '../../store/store.js';

/**
 * Returns the whole id for the beginning of one, `req_01AB`; any other text as it is. @throws OcrError AMBIGUOUS_ID with the
 * candidates
 */
export async function expandId(store: Store, kind: ShortenedKind, text: string): Promise<string> {
  const shortened = shortId(text, kind);
  if (shortened === undefined) return text;
  const candidates = await findShortened(store, kind, shortened);
  if (candidates.length > 1)
    throw new OcrError('AMBIGUOUS_ID', explainAmbiguousId(shortened, candidates, MAX_CANDIDATES), {
      hint: 'Give more of the id.',
    });
  return candidates[0] ?? text;
}
