import { quote } from '../../contract/command-words.js';
import { isTerminal, type RequestBody } from '../../contract/envelopes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { createNames, type Names } from '../../store/names.js';
import { findNewestLine, listLinesAfter } from '../../store/request-lines.js';
import { findRequest, listRequests, type RequestFilter, type RequestRow } from '../../store/requests.js';
import type { Store } from '../../store/store.js';
import { toRequestBody } from '../monitoring/request-view.js';
import { expandId } from './expand-id.js';
import { findAnyJob, type JobAdminView } from './jobs.js';
import { requireKey } from './keys.js';
import { nameOrganisation } from './organisations.js';
import { withFunctionId } from './parse-functions.js';
import { type DeliveryView, describeDeliveries } from './webhook-deliveries.js';

/** A line as `ocr admin requests` prints it: the organisation's own view, and the organisation. */
export interface RequestView extends RequestBody {
  /** Null for calls without a known key. */
  orgId: string | null;
  orgName: string | null;
  keyName: string | null;
}

/** A line with what came of the call: its job, and each delivery with every attempt. */
export interface RequestDetails extends RequestView {
  job: JobAdminView | null;
  deliveries: DeliveryView[];
}

export interface LoggedRequestFilter extends Omit<RequestFilter, 'keyId' | 'keyLastFour' | 'requestId'> {
  /** A key id, the last four characters of a key, or the raw key. */
  key?: string;
}

/** @throws OcrError NOT_FOUND for an organisation or a key that does not exist */
export async function listLoggedRequests(store: Store, filter: LoggedRequestFilter): Promise<RequestView[]> {
  const names = createNames(store);
  return listRequests(store, await resolveFilter(store, filter)).map((row) => toView(row, names));
}

/** Calls as they are answered. */
export interface RequestFollower {
  /** Returns the calls that came to match since the last look, oldest first. */
  look(): RequestView[];
}

/** An event has one delivery for each endpoint of its organisation, of which there are ten at a time. */
const MAX_DELIVERIES = 100;

/** Lines that one look reads; a busier service is caught up with at the next looks. */
const MAX_LINES = 1_000;

/**
 * Follows the log from now on. A call is shown once: when it is answered, or when its job has ended in a way that the filter
 * asks for.
 * @throws OcrError NOT_FOUND for an organisation or a key that does not exist
 */
export async function followRequests(store: Store, filter: LoggedRequestFilter): Promise<RequestFollower> {
  const resolved = { ...(await resolveFilter(store, filter)), limit: 1 };
  /** Calls that may still come to match, in the order of their lines. */
  const open = new Set<string>();
  let newest = findNewestLine(store);
  return {
    look: () => {
      for (const { line, requestId } of listLinesAfter(store, newest, MAX_LINES)) {
        newest = line;
        open.add(requestId);
      }
      const names = createNames(store);
      return [...open].flatMap((requestId) => {
        const row = findRequest(store, requestId);
        if (row?.httpStatus === null) return [];
        const [matching] = row === undefined ? [] : listRequests(store, { ...resolved, requestId });
        if (matching !== undefined || row === undefined || !hasUnfinishedJob(row)) open.delete(requestId);
        return matching === undefined ? [] : [toView(matching, names)];
      });
    },
  };
}

function hasUnfinishedJob({ httpStatus, jobStatus }: RequestRow): boolean {
  return httpStatus === 202 && jobStatus !== null && !isTerminal(jobStatus);
}

async function resolveFilter(store: Store, { key, ...filter }: LoggedRequestFilter): Promise<RequestFilter> {
  // An empty list would look like "nothing happened".
  return { ...(await nameOrganisation(store, withFunctionId(filter))), ...(await keyFilter(store, key)) };
}

async function keyFilter(store: Store, key: string | undefined): Promise<Pick<RequestFilter, 'keyId' | 'keyLastFour'>> {
  if (key === undefined) return {};
  // The key may be unknown here: calls with unknown keys are refused and logged too.
  return key.length <= 4 ? { keyLastFour: key } : { keyId: (await requireKey(store, key)).id };
}

/** @throws OcrError NOT_FOUND, AMBIGUOUS_ID, USAGE for the id of a job */
export function getLoggedRequest(store: Store, requestId: string): RequestDetails {
  if (requestId.startsWith('job_'))
    throw new OcrError('USAGE', `${requestId} is a job, not a request`, {
      hint: `ocr admin jobs get ${quote(requestId)}`,
    });
  const row = findRequest(store, expandId(store, 'req', requestId));
  if (row === undefined)
    throw new OcrError('NOT_FOUND', `The request log has no ${requestId}`, {
      status: 404,
      hint: 'ocr admin requests list',
    });
  const job = row.jobId === null ? null : findAnyJob(store, row.jobId);
  return { ...toView(row, createNames(store)), job, deliveries: findDeliveries(store, row, job) };
}

/** Deliveries name the call that started the job; polls and repeated calls are others. */
function findDeliveries(store: Store, row: RequestRow, job: JobAdminView | null): DeliveryView[] {
  const { organisationId } = row;
  if (organisationId === null) return [];
  const requestId = job !== null && !row.cached ? job.requestId : row.requestId;
  return describeDeliveries(store, { organisationId, requestId, limit: MAX_DELIVERIES }).reverse();
}

function toView(row: RequestRow, names: Names): RequestView {
  const { requestId, keyId, ...rest } = toRequestBody(row);
  const orgId = row.organisationId;
  return { requestId, orgId, orgName: names.organisation(orgId), keyId, keyName: names.key(keyId), ...rest };
}
