import { quote } from '../../contract/command-words.js';
import { isTerminal, type RequestBody } from '../../contract/envelopes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { PORTAL_KEY } from '../../contract/portal.js';
import { refusePrefixAlone } from '../../contract/prefix-alone.js';
import { findNames, type Names } from '../../store/names.js';
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
  return await toViews(store, await listRequests(store, await resolveFilter(store, filter)));
}

/** Calls as they are answered. */
export interface RequestFollower {
  /** Returns the calls that came to match since the last look, oldest first. */
  look(): Promise<RequestView[]>;
}

/** An event has one delivery for each endpoint of its organisation, of which there are ten at a time. */
const MAX_DELIVERIES = 100;

/** Lines that one look reads; a busier service is caught up with at the next looks. */
const MAX_LINES = 1_000;
/** Lines before the newest that a look reads again: of several processes one may number a line first and write it last. */
const LOOK_BACK_LINES = 1_000;

/**
 * Follows the log from now on. A call is shown once: when it is answered, or when its job has ended in a way that the filter
 * asks for.
 * @throws OcrError NOT_FOUND for an organisation or a key that does not exist
 */
export async function followRequests(store: Store, filter: LoggedRequestFilter): Promise<RequestFollower> {
  const resolved = { ...(await resolveFilter(store, filter)), limit: 1 };
  /** Calls that may still come to match, in the order of their lines. */
  const open = new Set<string>();
  let newest = await findNewestLine(store);
  /** The lines among the last ones that were read already. */
  let read = new Map<string, number>();
  const readLines = async (limit: number) => {
    const fresh: string[] = [];
    for (const { line, requestId } of await listLinesAfter(store, newest - LOOK_BACK_LINES, limit)) {
      if (!read.has(requestId)) fresh.push(requestId);
      read.set(requestId, line);
    }
    newest = Math.max(newest, ...read.values());
    read = new Map([...read].filter(([, line]) => line > newest - LOOK_BACK_LINES));
    return fresh;
  };
  await readLines(LOOK_BACK_LINES);
  return {
    look: async () => {
      for (const requestId of await readLines(LOOK_BACK_LINES + MAX_LINES)) open.add(requestId);
      const found: RequestRow[] = [];
      for (const requestId of open) {
        const row = await findRequest(store, requestId);
        if (row?.httpStatus === null) continue;
        const [matching] = row === undefined ? [] : await listRequests(store, { ...resolved, requestId });
        if (matching !== undefined || row === undefined || !hasUnfinishedJob(row)) open.delete(requestId);
        if (matching !== undefined) found.push(matching);
      }
      return await toViews(store, found);
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
  if (key === PORTAL_KEY) return { keyId: PORTAL_KEY };
  // The key may be unknown here: calls with unknown keys are refused and logged too.
  return key.length <= 4 ? { keyLastFour: key } : { keyId: (await requireKey(store, key)).id };
}

/** @throws OcrError NOT_FOUND, AMBIGUOUS_ID, USAGE for the id of a job */
export async function getLoggedRequest(store: Store, requestId: string): Promise<RequestDetails> {
  refusePrefixAlone(requestId);
  if (requestId.startsWith('job_'))
    throw new OcrError('USAGE', `${requestId} is a job, not a request`, {
      hint: `ocr admin jobs get ${quote(requestId)}`,
    });
  const row = await findRequest(store, await expandId(store, 'req', requestId));
  if (row === undefined)
    throw new OcrError('NOT_FOUND', `The request log has no ${requestId}`, {
      status: 404,
      hint: 'ocr admin requests list',
    });
  const job = row.jobId === null ? null : await findAnyJob(store, row.jobId);
  const names = await namesOf(store, [row]);
  return { ...toView(row, names), job, deliveries: await findDeliveries(store, row, job) };
}

/** Deliveries name the call that started the job; polls and repeated calls are others. */
async function findDeliveries(store: Store, row: RequestRow, job: JobAdminView | null): Promise<DeliveryView[]> {
  const { organisationId } = row;
  if (organisationId === null) return [];
  const requestId = job !== null && !row.cached ? job.requestId : row.requestId;
  return (await describeDeliveries(store, { organisationId, requestId, limit: MAX_DELIVERIES })).reverse();
}

async function toViews(store: Store, rows: readonly RequestRow[]): Promise<RequestView[]> {
  const names = await namesOf(store, rows);
  return rows.map((row) => toView(row, names));
}

async function namesOf(store: Store, rows: readonly RequestRow[]): Promise<Names> {
  return await findNames(
    store,
    rows.map(({ organisationId }) => organisationId),
    rows.map(({ keyId }) => keyId),
  );
}

function toView(row: RequestRow, names: Names): RequestView {
  const { requestId, keyId, ...rest } = toRequestBody(row);
  const orgId = row.organisationId;
  return { requestId, orgId, orgName: names.organisation(orgId), keyId, keyName: names.key(keyId), ...rest };
}
