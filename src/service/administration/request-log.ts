import { quote } from '../../contract/command-words.js';
import type { RequestBody } from '../../contract/envelopes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { findRequest, listRequests, type RequestFilter, type RequestRow } from '../../store/requests.js';
import type { Store } from '../../store/store.js';
import { toRequestBody } from '../monitoring/request-view.js';
import { requireKey } from './keys.js';
import { requireOrganisation } from './organisations.js';

/** As `ocr admin requests` prints it: what the organisation itself is shown, and whose it is. */
export interface RequestView extends RequestBody {
  /** Null where no key was known. */
  orgId: string | null;
}

export interface LoggedRequestFilter extends Omit<RequestFilter, 'keyId' | 'keyLastFour'> {
  /** An id of a key, its last four characters, or all of it. */
  key?: string;
}

/** @throws OcrError NOT_FOUND for an organisation or a key that does not exist */
export async function listLoggedRequests(
  store: Store,
  { key, ...filter }: LoggedRequestFilter,
): Promise<RequestView[]> {
  // An empty list would read as "nothing happened".
  if (filter.organisationId !== undefined) await requireOrganisation(store, filter.organisationId);
  return listRequests(store, { ...filter, ...(await keyFilter(store, key)) }).map(toView);
}

async function keyFilter(store: Store, key: string | undefined): Promise<Pick<RequestFilter, 'keyId' | 'keyLastFour'>> {
  if (key === undefined) return {};
  // Also of keys that this service never had: calls with them are refused and logged.
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
