import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentEvent } from '../../contract/webhook-event.js';
import type { Caller } from '../../store/access.js';
import { metaOf } from '../../store/job-events.js';
import type { JobOutcome, JobView } from '../../store/queue.js';
import { findEarlierAnswer } from '../../store/requests.js';
import { rememberCachedAnswer } from '../../store/result-cache.js';
import type { Exchange } from '../http/answer-budget.js';
import { callOf, noteRefusedKey } from '../http/call-record.js';
import { answerQueued, answerSuccess, jobError } from '../http/job-answers.js';
import { describeCall } from '../http/log-calls.js';
import { noteFault } from '../http/note-fault.js';
import { type Answer, allowBody, answerError, sendAnswer } from '../http/send-answer.js';
import { ServiceError } from '../http/service-error.js';
import { acceptDocument, type Call, type Intake, replayedBy } from '../intake/accept-document.js';
import { type Admission, admit } from '../intake/admission.js';
import type { ServiceComponents } from '../service-components.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the headers of the call have passed every check. */
    admission: Admission | null;
    /** Renders the `RateLimit-*` headers; null for a call that was refused before it was counted. */
    renderRateHeaders: (() => Record<string, string>) | null;
  }
}

const MAX_FUNCTION_LENGTH = 100;
/** Statuses of answers with `RateLimit-*` headers. */
const RATED_STATUSES = new Set([200, 202, 429]);

/** `POST /v1/ocr/{function}` (contract, section Endpoints). */
export function registerRunFunction(app: FastifyInstance, components: ServiceComponents): void {
  app.decorateRequest('admission', null);
  app.decorateRequest('renderRateHeaders', null);
  app.post<{ Params: { function: string } }>(
    '/v1/ocr/:function',
    {
      // The hook runs before the body is read, whatever its type.
      onRequest: async (request, reply) => {
        const record = callOf(request);
        record.functionId = request.params.function.slice(0, MAX_FUNCTION_LENGTH);
        try {
          refuseWhileStopping(components);
          request.admission = await admit(components, request.raw, request.params.function, {
            authenticated: (caller) => {
              record.caller = caller;
            },
            counted: (render) => {
              request.renderRateHeaders = render;
            },
          });
        } catch (error) {
          noteFault(components.log, request.id, error);
          noteRefusedKey(request, error);
          return finishCall(request, reply, answerError(error, request.id));
        }
      },
    },
    async (request, reply) => {
      let answer: Answer;
      try {
        allowBody(request.raw, reply.raw);
        answer = await run(components, { request, reply });
      } catch (error) {
        noteFault(components.log, request.id, error);
        answer = answerError(error, request.id);
      }
      return finishCall(request, reply, answer);
    },
  );
}

function refuseWhileStopping({ activity }: ServiceComponents): void {
  if (activity.isStopping)
    throw new ServiceError('PROVIDER_UNAVAILABLE', 'The service is stopping', { headers: { connection: 'close' } });
}

async function run(components: ServiceComponents, exchange: Exchange): Promise<Answer> {
  const { request } = exchange;
  const record = callOf(request);
  const call: Call = {
    ...(request.admission as Admission),
    requestId: request.id,
    startedAtMs: record.startedAtMs,
    request: request.raw,
    onReceived: (facts) => {
      record.facts = facts;
    },
  };
  const intake = await acceptDocument(components, call);
  switch (intake.kind) {
    case 'job':
      record.jobId = intake.jobId;
      // The job may run already, but the answer to an asynchronous call is always `queued`.
      if (!intake.isInline) return answerQueued(call.requestId, intake.jobId, 'queued');
      return await answerWhenDone(components, exchange, call.requestId, intake.jobId, intake.ended);
    case 'cached':
      return await answerFromCache(components, exchange, call, intake);
    case 'replay':
      return await answerAgain(components, exchange, intake.requestId);
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
  const earlier = await rememberCachedAnswer(components.store, entry, use, event);
  if (earlier !== undefined) {
    record.isCached = false;
    record.jobId = undefined;
    return await answerAgain(components, exchange, replayedBy(earlier));
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
async function answerAgain(components: ServiceComponents, exchange: Exchange, requestId: string): Promise<Answer> {
  const record = callOf(exchange.request);
  record.replayOf = requestId;
  const first = await findEarlierAnswer(components.store, requestId);
  if (first?.jobId == null) throw expired();
  record.jobId = first.jobId;
  if (first.isCached) {
    const outcome = await findOutcome(components, exchange, first.jobId);
    return answerSuccess(first, outcome, { isCached: true, durationMs: first.processingMs ?? 0 });
  }
  const ended = components.jobs.waitFor(first.jobId, components.config.inlineTimeoutMs);
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

function finishCall(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const key = request.admission?.idempotencyKey;
  const echoed = key === undefined ? {} : { 'idempotency-key': key };
  const rate = RATED_STATUSES.has(answer.status) ? request.renderRateHeaders?.() : undefined;
  return sendAnswer(request, reply, { ...answer, headers: { ...answer.headers, ...rate, ...echoed } });
}
