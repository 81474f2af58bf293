import type { RequestBody } from '../../contract/envelopes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { findRequest, listRequests, type RequestFilter, type RequestRow } from '../../store/requests.js';
import type { Store } from '../../store/store.js';
import { toRequestBody } from '../request-view.js';
import { requireOrganisation } from './organisations.js';

/** As `ocr admin requests` prints it: what the organisation itself is shown, and whose it is. */
export interface RequestView extends RequestBody {
  /** Null where no key was known. */
  orgId: string | null;
}

/** @throws OcrError NOT_FOUND for an organisation that does not exist */
export async function listLoggedRequests(store: Store, filter: RequestFilter): Promise<RequestView[]> {
  // An empty list would read as "nothing happened".
  if (filter.organisationId !== undefined) await requireOrganisation(store, filter.organisationId);
  return listRequests(store, filter).map(toView);
}

/** @throws OcrError NOT_FOUND */
export function getLoggedRequest(store: Store, requestId: string): RequestView {
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
