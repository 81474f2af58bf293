import type { Page } from '../../../store/page.js';
import {
  findRequest,
  type RequestPageFilter,
  type RequestRow,
  readRequestOf,
  readRequestPage,
  streamRequests,
} from '../../../store/requests.js';
import { hideName } from './hide-name.js';
import type { Scope } from './scope.js';

/** Reads a page of calls, newest first. */
export async function readRequests(
  { store, seesFiles }: Scope,
  organisationId: string,
  filter: RequestPageFilter,
): Promise<Page<RequestRow>> {
  const { rows, olderThan } = await store.read(readRequestPage(organisationId, filter));
  return { rows: rows.map((row) => show(row, seesFiles)), olderThan };
}

/** Reads up to 10,000 calls, newest first, a part at a time. */
export async function* streamAllRequests(
  { store, seesFiles }: Scope,
  organisationId: string,
  filter: RequestPageFilter,
): AsyncGenerator<RequestRow[]> {
  for await (const rows of streamRequests(store, organisationId, filter)) yield rows.map((row) => show(row, seesFiles));
}

/** Finds a call; undefined for one that is unknown or another's. */
export async function findOneRequest(
  { store, organisationId, seesFiles }: Scope,
  requestId: string,
): Promise<RequestRow | undefined> {
  const row =
    organisationId === undefined
      ? await findRequest(store, requestId)
      : await store.read(readRequestOf(organisationId, requestId));
  return row && show(row, seesFiles);
}

/** The digest of a file tells who knows the file that it is this one. */
function show(row: RequestRow, seesFiles: boolean): RequestRow {
  if (seesFiles) return row;
  const { fileName, errorMessage, jobErrorMessage } = row;
  return {
    ...row,
    fileName: null,
    sha256: null,
    errorMessage: hideName(errorMessage, fileName),
    jobErrorMessage: hideName(jobErrorMessage, fileName),
  };
}
