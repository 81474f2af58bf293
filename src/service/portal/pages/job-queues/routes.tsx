import { countJobsOf } from '../../../../store/job-pages.js';
import type { JobRow } from '../../../../store/jobs.js';
import { answerPage, answerRedirect, type PortalAnswer, PortalNotFound } from '../../answers.js';
import { hrefOf } from '../../components/frame.js';
import { originOf, ownScopeOf, type PortalCall, type PortalRoute } from '../../portal-call.js';
import { EVERYBODY, MEMBERS, OPERATORS } from '../../roles.js';
import { findOwnerOfJob } from '../../scoped/ids.js';
import { findJob, findResult, noteResult, readJobs, releaseLease } from '../../scoped/jobs.js';
import { answerChoice } from '../choose-organisation.js';
import { renderExample } from '../request-logs/curl.js';
import { JOBS_PATH } from './job-columns.js';
import { JobPage, ReleasePage, ResultPage } from './job-page.js';
import { ListPage } from './list-page.js';
import { readFilter } from './read-filter.js';

export const JOB_QUEUE_ROUTES: readonly PortalRoute[] = [
  { method: 'GET', path: JOBS_PATH, roles: EVERYBODY, live: ['jobs'], answer: answerList },
  {
    method: 'GET',
    path: `${JOBS_PATH}/:jobId`,
    roles: EVERYBODY,
    live: ['jobs'],
    organisationOf: ({ store }, { jobId = '' }) => findOwnerOfJob(store, jobId),
    answer: answerJob,
  },
  { method: 'POST', path: `${JOBS_PATH}/:jobId/result`, roles: MEMBERS, answer: answerResult },
  { method: 'GET', path: `${JOBS_PATH}/:jobId/release`, roles: OPERATORS, answer: askToRelease },
  { method: 'POST', path: `${JOBS_PATH}/:jobId/release`, roles: OPERATORS, answer: release },
];

async function answerList(call: PortalCall): Promise<PortalAnswer> {
  const { organisationId, store, url, frame } = call;
  if (organisationId === undefined) return await answerChoice(call, 'Job Queues');
  const nowMs = store.clock.now();
  const read = readFilter(url.searchParams);
  const isRefused = read.errors.length > 0;
  const part = isRefused ? { rows: [], olderThan: undefined } : await readJobs(ownScopeOf(call), read.filter);
  const counts = await store.read(countJobsOf(organisationId, startOfDay(nowMs)));
  const example = renderExample(originOf(call));
  return answerPage(<ListPage frame={frame} {...{ read, part, counts, nowMs, example }} />);
}

/** Returns the beginning of the day in UTC. */
function startOfDay(nowMs: number): number {
  return new Date(nowMs).setUTCHours(0, 0, 0, 0);
}

/** Finds the job of the address. @throws PortalNotFound for another's */
async function requireJob(call: PortalCall): Promise<JobRow> {
  await call.components.requests.flush();
  const job = await findJob(ownScopeOf(call), call.params.jobId ?? '');
  if (job === undefined) throw new PortalNotFound();
  return job;
}

async function answerJob(call: PortalCall): Promise<PortalAnswer> {
  const job = await requireJob(call);
  return answerPage(<JobPage frame={call.frame} job={job} nowMs={call.store.clock.now()} />);
}

async function answerResult(call: PortalCall): Promise<PortalAnswer> {
  const { components, frame } = call;
  const job = await requireJob(call);
  const { jobId } = job;
  const outcome = await findResult(components, job);
  if (outcome !== undefined) await noteResult(ownScopeOf(call), jobId);
  return answerPage(<ResultPage frame={frame} jobId={jobId} body={outcome?.body} />);
}

async function askToRelease(call: PortalCall): Promise<PortalAnswer> {
  const job = await requireJob(call);
  return answerPage(<ReleasePage frame={call.frame} job={job} nowMs={call.store.clock.now()} />);
}

async function release(call: PortalCall): Promise<PortalAnswer> {
  const { jobId } = await requireJob(call);
  if (await releaseLease(ownScopeOf(call), jobId)) call.components.store.bell.ring('job');
  return answerRedirect(hrefOf(call.frame, `${JOBS_PATH}/${jobId}`));
}
