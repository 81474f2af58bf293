import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { renderKeyEnd } from '../../../contract/portal.js';
import { ageCell } from '../../../io/output/age-cell.js';
import { printFollowed } from '../../../io/output/print-followed.js';
import type { Cell, Column } from '../../../io/output/table.js';
import { explainNothing } from '../../../service/administration/explain-nothing.js';
import { withAdministration } from '../../../service/administration/open.js';
import {
  followRequests,
  type LoggedRequestFilter,
  listLoggedRequests,
  type RequestView,
} from '../../../service/administration/request-log.js';

export type ListOptions = ServiceLocation & LoggedRequestFilter & { isFollowing: boolean };

/** Time between two looks into the log. */
const LOOK_INTERVAL_MS = 500;

/**
 * Lists the request log of a service, newest first, with the refused calls. `isFollowing` goes on after the newest ones.
 * @throws OcrError NOT_FOUND
 */
export async function list(
  context: Context,
  { dataDir, configFile, isFollowing, ...filter }: ListOptions,
): Promise<void> {
  const { env, output, clock } = context;
  const location = { dataDir, configFile };
  if (isFollowing) return await withAdministration(location, env, ({ store }) => follow(context, store, filter));
  const found = await withAdministration(location, env, ({ store }) => listLoggedRequests(store, filter));
  if (output.isJson) return await output.json(found);
  if (found.length === 0) output.note(explainNothing('requests', filter.function));
  else {
    const nowMs = clock.now();
    await output.table(
      COLUMNS,
      found.map((entry) => rowOf(entry, nowMs)),
    );
  }
}

/** Prints the newest calls that match, oldest first, then each one that comes to match, until the command is interrupted. */
async function follow(
  context: Context,
  store: Parameters<typeof followRequests>[0],
  filter: LoggedRequestFilter,
): Promise<void> {
  const { io, output, clock, signal } = context;
  context.endWithReader();
  const follower = await followRequests(store, filter);
  const limit = Math.min(filter.limit, MAX_FIRST);
  const answered = (await listLoggedRequests(store, { ...filter, limit })).filter(
    ({ httpStatus }) => httpStatus !== null,
  );
  for (let entries = answered.reverse(); !io.stdout.isClosed; entries = await follower.look()) {
    for (const entry of entries) await printFollowed(output, entry, rowOf(entry, clock.now()));
    await clock.sleep(LOOK_INTERVAL_MS, signal);
  }
}

/** Calls that are shown before the first new one. */
const MAX_FIRST = 10;

const COLUMNS: readonly Column[] = [
  'Request',
  'Time',
  { name: 'Organisation', omitWhen: 'narrow' },
  { name: 'Key', omitWhen: 'narrow' },
  { name: 'Method', omitWhen: 'narrow' },
  { name: 'Function', omitWhen: 'narrowest' },
  'HTTP',
  { name: 'Job', omitWhen: 'narrow' },
  { name: 'ms', omitWhen: 'narrow' },
  { name: 'Error', omitWhen: 'empty' },
  { name: 'Organisation name', omitWhen: 'early' },
];

function rowOf(entry: RequestView, nowMs: number): Cell[] {
  const { requestId, createdAt, orgId, keyLastFour, method, httpStatus, elapsedMs, error } = entry;
  const jobStatus = entry.jobDeletedAt === undefined ? entry.jobStatus : 'deleted';
  const what = entry.function ?? { path: entry.path ?? '' };
  const key = keyLastFour === null ? null : renderKeyEnd(keyLastFour);
  const [status, took] = [httpStatus, elapsedMs].map((number) => String(number ?? ''));
  const age = ageCell(createdAt, nowMs);
  const organisation = { prose: entry.orgName ?? '' };
  const cells = [requestId, age, orgId, key, method, what, status, jobStatus, took, error?.code, organisation];
  return cells.map((cell) => cell ?? '');
}
