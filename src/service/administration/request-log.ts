import { quote } from '../../contract/command-words.js';
import type { RequestBody } from '../../contract/envelopes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { findRequest, listRequests, type RequestFilter, type RequestRow } from '../../store/requests.js';
import type { Store } from '../../store/store.js';
import { toRequestBody } from '../monitoring/request-view.js';
import { requireKey } from './keys.js';
import { requireOrganisation } from './organisations.js';
import { withFunctionId } from './parse-functions.js';

/** A line as `ocr admin requests` prints it: the organisation's own view, and the organisation. */
export interface RequestView extends RequestBody {
  /** Null for calls without a known key. */
  orgId: string | null;
}

export interface LoggedRequestFilter extends Omit<RequestFilter, 'keyId' | 'keyLastFour'> {
  /** A key id, the last four characters of a key, or the raw key. */
  key?: string;
}

/** @throws OcrError NOT_FOUND for an organisation or a key that does not exist */
export async function listLoggedRequests(
  store: Store,
  { key, ...filter }: LoggedRequestFilter,
): Promise<RequestView[]> {
  // An empty list would look like "nothing happened".
  if (filter.organisationId !== undefined) await requireOrganisation(store, filter.organisationId);
  return listRequests(store, { ...withFunctionId(filter), ...(await keyFilter(store, key)) }).map(toView);
}

async function keyFilter(store: Store, key: string | undefined): Promise<Pick<RequestFilter, 'keyId' | 'keyLastFour'>> {
  if (key === undefined) return {};
  // The key may be unknown here: calls with unknown keys are refused and logged too.
  return key.length <= 4 ? { keyLastFour: key } : { keyId: (await requireKey(store, key)).id };
}

/** @throws OcrError NOT_FOUND, USAGE for the id of a job */
export function getLoggedRequest(store: Store, requestId: string): RequestView {
  if (requestId.startsWith('job_'))
    throw new OcrError('USAGE', `${requestId} is a job, not a request`, {
      hint: `ocr admin jobs get ${quote(requestId)}`,
    });
  const row = findRequest(store, requestId);
  if (row === undefined)
    throw new OcrError('NOT_FOUND', `The request log has no ${requestId}`, {
      status: 404,
      hint: 'ocr admin requests list',
    });
  return toView(row);
}

function toView(row: RequestRow): RequestView {
  const { requestId, ...rest } = toRequestBody(row);
  return { requestId, orgId: row.organisationId, ...rest };
}
