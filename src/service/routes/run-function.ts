import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentEvent } from '../../contract/webhook-event.js';
import type { Caller } from '../../store/access.js';
import type { JobOutcome, JobView } from '../../store/queue.js';
import { findEarlierAnswer } from '../../store/requests.js';
import { rememberCachedAnswer } from '../../store/result-cache.js';
import { recordCachedEvent } from '../../store/webhooks.js';
import type { Exchange } from '../http/answer-budget.js';
import { callOf } from '../http/call-record.js';
import { answerQueued, answerSuccess, jobError } from '../http/job-answers.js';
import { describeCall } from '../http/log-calls.js';
import { noteFault } from '../http/note-fault.js';
import { type Answer, allowBody, answerError, sendAnswer } from '../http/send-answer.js';
import { ServiceError } from '../http/service-error.js';
import { acceptDocument, type Call, type Intake, replayedBy } from '../intake/accept-document.js';
import { type Admission, admit } from '../intake/admission.js';
import type { ServiceComponents } from '../service-components.js';

const MAX_FUNCTION_LENGTH = 100;
/** Answers that say how far the organisation is in its rate. */
const RATED_STATUSES = new Set([200, 202, 429]);

const admissions = new WeakMap<FastifyRequest, Admission>();
/** What makes the `RateLimit-*` headers of an answer; none for a call that was refused before it was counted. */
const rates = new WeakMap<FastifyRequest, () => Record<string, string>>();

/** `POST /v1/ocr/{function}` (contract, section Endpoints). */
export function registerRunFunction(app: FastifyInstance, parts: ServiceComponents): void {
  app.post<{ Params: { function: string } }>(
    '/v1/ocr/:function',
    {
      // Before the body is looked at, whatever it is.
      onRequest: async (request, reply) => {
        const record = callOf(request);
        record.functionId = request.params.function.slice(0, MAX_FUNCTION_LENGTH);
        try {
          refuseWhileStopping(parts);
          const admission = await admit(parts, request.raw, request.params.function, {
            authenticated: (caller) => {
              record.caller = caller;
            },
            counted: (describe) => rates.set(request, describe),
          });
          admissions.set(request, admission);
        } catch (error) {
          noteFault(parts.log, request.id, error);
          return finishCall(request, reply, answerError(error, request.id));
        }
      },
    },
    async (request, reply) => {
      let answer: Answer;
      try {
        allowBody(request.raw, reply.raw);
        answer = await run(parts, { request, reply });
      } catch (error) {
        noteFault(parts.log, request.id, error);
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

async function run(parts: ServiceComponents, exchange: Exchange): Promise<Answer> {
  const { request } = exchange;
  const record = callOf(request);
  const call: Call = {
    ...(admissions.get(request) as Admission),
    requestId: request.id,
    startedAtMs: record.startedAtMs,
    request: request.raw,
    onReceived: (facts) => {
      record.facts = facts;
    },
  };
  const intake = await acceptDocument(parts, call);
  switch (intake.kind) {
    case 'job':
      record.jobId = intake.jobId;
      // As it was when it was accepted.
      if (!intake.isInline) return answerQueued(call.requestId, intake.jobId, 'queued');
      return await answerWhenDone(parts, exchange, call.requestId, intake.jobId, intake.ended);
    case 'cached':
      return await answerFromCache(parts, exchange, call, intake);
    case 'replay':
      return await answerAgain(parts, exchange, intake.requestId);
  }
}

/** The result where it came in time, else the job's handle, which is then the answer for good: the store decides which was first. */
async function answerWhenDone(
  parts: ServiceComponents,
  exchange: Exchange,
  requestId: string,
  jobId: string,
  ended: Promise<boolean>,
): Promise<Answer> {
  await ended;
  let view = await findJob(parts, jobId);
  if (!isDecided(view)) {
    await defer(parts, jobId);
    view = await findJob(parts, jobId);
  }
  if (view.deferred === 1 || view.finishedAtMs === null) return answerQueued(requestId, jobId, view.status);
  if (view.status === 'failed') throw jobError(view);
  const outcome = await findOutcome(parts, exchange, jobId);
  return answerSuccess({ requestId, function: view.function }, outcome, {
    isCached: false,
    durationMs: outcome.durationMs,
  });
}

/** Whether it is known in what form its call is answered. */
function isDecided({ deferred, finishedAtMs }: JobView): boolean {
  return deferred === 1 || finishedAtMs !== null;
}

/** A handle is true also where the store has no room for saying that it was given. */
async function defer({ queue, log }: ServiceComponents, jobId: string): Promise<void> {
  await queue
    .defer(jobId)
    .catch((error: unknown) => log.error({ jobId, reason: String(error) }, 'a 202 could not be remembered'));
}

async function answerFromCache(
  parts: ServiceComponents,
  exchange: Exchange,
  call: Call,
  { jobId, use, facts }: Extract<Intake, { kind: 'cached' }>,
): Promise<Answer> {
  const { request } = exchange;
  const outcome = await findOutcome(parts, exchange, jobId);
  const record = callOf(request);
  Object.assign(record, { isCached: true, jobId, facts });
  const durationMs = record.elapsedMs();
  const answer = answerSuccess({ requestId: call.requestId, function: call.target.id }, outcome, {
    isCached: true,
    durationMs,
  });
  const event = describeCachedAnswer(call, outcome, durationMs);
  const { organisationId } = call.caller;
  if (use === undefined) await recordCachedEvent(parts.store, organisationId, event);
  else {
    const entry = { ...describeCall(request, answer), organisationId };
    const earlier = await rememberCachedAnswer(parts.store, entry, use, event);
    if (earlier !== undefined) {
      record.isCached = false;
      record.jobId = undefined;
      return await answerAgain(parts, exchange, replayedBy(earlier));
    }
  }
  parts.webhooks.wake();
  return answer;
}

/** An accepted document whose answer was at hand is a processed one; it has no job of its own. */
function describeCachedAnswer(call: Call, { provider, pageCount }: JobOutcome, durationMs: number): DocumentEvent {
  const { requestId, target } = call;
  const meta = { provider, pageCount, cached: true, durationMs };
  return { requestId, function: target.id, status: 'completed', pageCount, meta };
}

/** The first answer once more: the same requestId, the same jobId. While the first call runs, its answer is waited for. */
async function answerAgain(parts: ServiceComponents, exchange: Exchange, requestId: string): Promise<Answer> {
  const record = callOf(exchange.request);
  record.replayOf = requestId;
  const first = await findEarlierAnswer(parts.store, requestId);
  if (first?.jobId == null) throw expired();
  record.jobId = first.jobId;
  if (first.isCached) {
    const outcome = await findOutcome(parts, exchange, first.jobId);
    return answerSuccess(first, outcome, { isCached: true, durationMs: first.processingMs ?? 0 });
  }
  const ended = parts.jobs.waitFor(first.jobId, parts.config.inlineTimeoutMs);
  const mustWait = !isDecided(await findJob(parts, first.jobId));
  try {
    return await answerWhenDone(parts, exchange, requestId, first.jobId, mustWait ? ended : Promise.resolve(true));
  } catch (error) {
    noteFault(parts.log, requestId, error);
    return answerError(error, requestId);
  }
}

async function findJob(parts: ServiceComponents, jobId: string): Promise<JobView> {
  const view = await parts.queue.find(jobId);
  if (view === undefined) throw expired();
  return view;
}

/** What a call's job found, as far as there is room for it on its way out. */
async function findOutcome(parts: ServiceComponents, exchange: Exchange, jobId: string): Promise<JobOutcome> {
  const outcome = await parts.queue.findOutcome(jobId);
  if (outcome === undefined) throw expired();
  const { organisationId } = callOf(exchange.request).caller as Caller;
  parts.answers.hold(exchange, organisationId, outcome.body);
  return outcome;
}

function expired(): ServiceError {
  return new ServiceError('EXPIRED', 'The result is no longer kept; send the document again under a new key');
}

function finishCall(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const key = admissions.get(request)?.idempotencyKey;
  const echoed = key === undefined ? {} : { 'idempotency-key': key };
  const rate = RATED_STATUSES.has(answer.status) ? rates.get(request)?.() : undefined;
  return sendAnswer(request, reply, { ...answer, headers: { ...answer.headers, ...rate, ...echoed } });
}
