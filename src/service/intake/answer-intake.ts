import type { DocumentEvent } from '../../contract/webhook-event.js';
import type { Caller } from '../../store/access.js';
import { metaOf } from '../../store/job-events.js';
import type { JobOutcome, JobView } from '../../store/queue.js';
import { findEarlierAnswer } from '../../store/requests.js';
import { rememberCachedAnswer } from '../../store/result-cache.js';
import type { Exchange } from '../http/answer-budget.js';
import { callOf } from '../http/call-record.js';
import { answerQueued, answerSuccess, jobError } from '../http/job-answers.js';
import { describeCall } from '../http/log-calls.js';
import { noteFault } from '../http/note-fault.js';
import { type Answer, answerError } from '../http/send-answer.js';
import { ServiceError } from '../http/service-error.js';
import type { ServiceComponents } from '../service-components.js';
import { type Call, type Intake, maxWaitOf, replayedBy } from './accept-document.js';

/**
 * Answers a call whose document was accepted: with the result when it comes in time, with the job's handle, from the cache, or
 * as an earlier call with the same key. @throws ServiceError of a job that failed in time
 */
export async function answerIntake(
  components: ServiceComponents,
  exchange: Exchange,
  call: Call,
  intake: Intake,
): Promise<Answer> {
  const record = callOf(exchange.request);
  switch (intake.kind) {
    case 'job':
      record.jobId = intake.jobId;
      // The job may run already, but the answer to an asynchronous call is always `queued`.
      if (!intake.isInline) return answerQueued(call.requestId, intake.jobId, 'queued');
      return await answerWhenDone(components, exchange, call.requestId, intake.jobId, intake.ended);
    case 'cached':
      return await answerFromCache(components, exchange, call, intake);
    case 'replay':
      return await answerAgain(components, exchange, call, intake.requestId);
  }
}

/** Answers with the result when it came in time, else with the job's handle for good. The store decides which was first. */
async function answerWhenDone(
  components: ServiceComponents,
  exchange: Exchange,
  requestId: string,
  jobId: string,
  ended: Promise<boolean>,
): Promise<Answer> {
  await ended;
  let view = await findJob(components, jobId);
  if (!isDecided(view)) {
    await defer(components, jobId);
    view = await findJob(components, jobId);
  }
  if (view.deferred === 1 || view.finishedAtMs === null) return answerQueued(requestId, jobId, view.status);
  if (view.status === 'failed') throw jobError(view);
  const outcome = await findOutcome(components, exchange, jobId);
  return answerSuccess({ requestId, function: view.function }, outcome, {
    isCached: false,
    durationMs: outcome.durationMs,
  });
}

/** True when the form of the answer is settled: a handle, or the end of the job. */
function isDecided({ deferred, finishedAtMs }: JobView): boolean {
  return deferred === 1 || finishedAtMs !== null;
}

/** Records the 202. A store without room does not prevent the answer: the handle is valid anyway. */
async function defer({ queue, log }: ServiceComponents, jobId: string): Promise<void> {
  await queue
    .defer(jobId)
    .catch((error: unknown) => log.error({ jobId, reason: String(error) }, 'a 202 could not be remembered'));
}

async function answerFromCache(
  components: ServiceComponents,
  exchange: Exchange,
  call: Call,
  { jobId, use, facts }: Extract<Intake, { kind: 'cached' }>,
): Promise<Answer> {
  const { request } = exchange;
  const outcome = await findOutcome(components, exchange, jobId);
  const record = callOf(request);
  Object.assign(record, { isCached: true, jobId, facts });
  const durationMs = record.elapsedMs();
  const answer = answerSuccess({ requestId: call.requestId, function: call.target.id }, outcome, {
    isCached: true,
    durationMs,
  });
  const event = describeCachedAnswer(call, outcome, durationMs);
  const entry = { ...describeCall(request, answer), organisationId: call.caller.organisationId };
  const earlier = await rememberCachedAnswer(components.store, entry, use, event, call.alsoWrite);
  if (earlier !== undefined) {
    record.isCached = false;
    record.jobId = undefined;
    return await answerAgain(components, exchange, call, replayedBy(earlier));
  }
  components.webhooks.wake();
  return answer;
}

/** Describes a document that was answered from the cache as processed. It has no job of its own. */
function describeCachedAnswer(call: Call, outcome: JobOutcome, durationMs: number): DocumentEvent {
  const { requestId, target } = call;
  const meta = metaOf(outcome, true, durationMs);
  return { requestId, function: target.id, status: 'completed', pageCount: meta.pageCount, meta };
}

/** Repeats the first answer, with its requestId and jobId. While the first call runs, this waits for its answer. */
async function answerAgain(
  components: ServiceComponents,
  exchange: Exchange,
  call: Call,
  requestId: string,
): Promise<Answer> {
  const record = callOf(exchange.request);
  record.replayOf = requestId;
  const first = await findEarlierAnswer(components.store, requestId);
  if (first?.jobId == null) throw expired();
  record.jobId = first.jobId;
  if (first.isCached) {
    const outcome = await findOutcome(components, exchange, first.jobId);
    return answerSuccess(first, outcome, { isCached: true, durationMs: first.processingMs ?? 0 });
  }
  const ended = components.jobs.waitFor(first.jobId, maxWaitOf(components, call));
  const mustWait = !isDecided(await findJob(components, first.jobId));
  try {
    return await answerWhenDone(components, exchange, requestId, first.jobId, mustWait ? ended : Promise.resolve(true));
  } catch (error) {
    noteFault(components.log, requestId, error);
    return answerError(error, requestId);
  }
}

async function findJob(components: ServiceComponents, jobId: string): Promise<JobView> {
  const view = await components.queue.find(jobId);
  if (view === undefined || view.deletedAtMs !== null) throw expired();
  return view;
}

/** Finds the result of a job and takes memory of the answer budget for it. */
async function findOutcome(components: ServiceComponents, exchange: Exchange, jobId: string): Promise<JobOutcome> {
  const outcome = await components.queue.findOutcome(jobId);
  if (outcome === undefined) throw expired();
  const { organisationId } = callOf(exchange.request).caller as Caller;
  components.answers.hold(exchange, organisationId, outcome.body);
  return outcome;
}

function expired(): ServiceError {
  return new ServiceError('EXPIRED', 'The result is no longer kept; send the document again under a new key');
}
