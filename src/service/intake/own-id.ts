import { explainAmbiguousId } from '../../contract/ambiguous-id.js';
import { canonicalId, shortId } from '../../contract/identifiers.js';
import { findShortened, MAX_CANDIDATES } from '../../store/short-ids.js';
import type { Store } from '../../store/store.js';
import { ServiceError } from '../http/service-error.js';

/**
 * Returns the whole id of a request or job that the caller may read, also for its beginning. Ids of other organisations are
 * never among the candidates. A support key belongs to no organisation: it may read all.
 * @throws ServiceError AMBIGUOUS_ID
 */
export async function findOwnId(
  store: Store,
  kind: 'req' | 'job',
  text: string,
  organisationId: string | undefined,
): Promise<string> {
  const shortened = shortId(text, kind);
  if (shortened === undefined) return canonicalId(text);
  const candidates = await findShortened(store, kind, shortened, organisationId);
  if (candidates.length > 1)
    throw new ServiceError('AMBIGUOUS_ID', explainAmbiguousId(shortened, candidates, MAX_CANDIDATES));
  return candidates[0] ?? text;
}
