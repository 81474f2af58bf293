import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../store/access.js';
import type { JobView } from '../../store/queue.js';
import { findEarlierAnswer, type RequestEntry, recordRequest } from '../../store/requests.js';
import { rememberCachedAnswer } from '../../store/result-cache.js';
import { answerQueued, answerSuccess, jobError } from '../http/job-answers.js';
import { type Answer, allowBody, answerError, sendAnswer } from '../http/send-answer.js';
import { SenderLostError, ServiceError } from '../http/service-error.js';
import { acceptDocument, type Call, type Intake, type UploadFacts } from '../intake/accept-document.js';
import { type Admission, admit } from '../intake/admission.js';
import type { Parts } from '../parts.js';

interface CallState {
  startedAtMs: number;
  functionId: string;
  caller: Caller | undefined;
  admission: Admission | undefined;
  facts: UploadFacts | undefined;
  jobId: string | undefined;
  isCached: boolean;
  replayOf: string | undefined;
}

const states = new WeakMap<FastifyRequest, CallState>();

/** `POST /v1/ocr/{function}` (contract, section Endpoints). */
export function registerRunFunction(app: FastifyInstance, parts: Parts): void {
  app.post<{ Params: { function: string } }>(
    '/v1/ocr/:function',
    {
      // Before the body is looked at, whatever it is.
      onRequest: async (request, reply) => {
        const state = beginCall(request, request.params.function);
        try {
          refuseWhileStopping(parts);
          state.admission = await admit(parts, request.raw, state.functionId, (caller) => {
            state.caller = caller;
          });
        } catch (error) {
          return finishCall(parts, request, reply, state, answerError(error, request.id));
        }
      },
    },
    async (request, reply) => {
      const state = states.get(request) as CallState;
      let answer: Answer;
      try {
        allowBody(request.raw, reply.raw);
        answer = await run(parts, request, state);
      } catch (error) {
        if (!(error instanceof ServiceError || error instanceof SenderLostError))
          parts.log.error({ requestId: request.id, fault: describeFault(error) }, 'a call failed');
        answer = answerError(error, request.id);
      }
      return finishCall(parts, request, reply, state, answer);
    },
  );
}

function beginCall(request: FastifyRequest, functionId: string): CallState {
  const state: CallState = {
    startedAtMs: Date.now(),
    functionId: functionId.slice(0, 100),
    caller: undefined,
    admission: undefined,
    facts: undefined,
    jobId: undefined,
    isCached: false,
    replayOf: undefined,
  };
  states.set(request, state);
  return state;
}

function refuseWhileStopping({ activity }: Parts): void {
  if (activity.isStopping)
    throw new ServiceError('PROVIDER_UNAVAILABLE', 'The service is stopping', { headers: { connection: 'close' } });
}

async function run(parts: Parts, request: FastifyRequest, state: CallState): Promise<Answer> {
  const call: Call = {
    ...(state.admission as Admission),
    requestId: request.id,
    startedAtMs: state.startedAtMs,
    request: request.raw,
    onReceived: (facts) => {
      state.facts = facts;
    },
  };
  const intake = await acceptDocument(parts, call);
  switch (intake.kind) {
    case 'job':
      state.jobId = intake.jobId;
      return await answerWhenDone(parts, call.requestId, intake.jobId, intake.isInline ? intake.ended : undefined);
    case 'cached':
      return await answerFromCache(parts, call, state, intake);
    case 'replay':
      state.replayOf = intake.requestId;
      return await answerAgain(parts, state, intake.requestId);
  }
}

/** The result where it came in time, else the job's handle. `ended`: undefined when nobody waits for it. */
async function answerWhenDone(
  parts: Parts,
  requestId: string,
  jobId: string,
  ended: Promise<boolean> | undefined,
): Promise<Answer> {
  if (ended !== undefined) await ended;
  const view = await findJob(parts, jobId);
  if (ended === undefined || view.finishedAtMs === null) return answerQueued(requestId, jobId, view.status);
  if (view.status === 'failed') throw jobError(view);
  const outcome = await parts.queue.findOutcome(jobId);
  if (outcome === undefined) throw expired();
  return answerSuccess({ requestId, function: view.function }, outcome, {
    isCached: false,
    durationMs: outcome.durationMs,
  });
}

async function answerFromCache(
  parts: Parts,
  call: Call,
  state: CallState,
  { jobId, use, facts }: Extract<Intake, { kind: 'cached' }>,
): Promise<Answer> {
  const outcome = await parts.queue.findOutcome(jobId);
  if (outcome === undefined) throw expired();
  state.isCached = true;
  state.jobId = jobId;
  const durationMs = Date.now() - state.startedAtMs;
  if (use !== undefined) {
    state.facts = facts;
    await rememberCachedAnswer(parts.store, { ...describeCall(state, call.requestId, 200), durationMs }, use);
  }
  return answerSuccess({ requestId: call.requestId, function: call.target.id }, outcome, {
    isCached: true,
    durationMs,
  });
}

/** The first answer once more: the same requestId, the same jobId. While the first call runs, its answer is waited for. */
async function answerAgain(parts: Parts, state: CallState, requestId: string): Promise<Answer> {
  const first = await findEarlierAnswer(parts.store, requestId);
  if (first?.jobId == null) throw expired();
  state.jobId = first.jobId;
  if (first.isCached) {
    const outcome = await parts.queue.findOutcome(first.jobId);
    if (outcome === undefined) throw expired();
    return answerSuccess(first, outcome, { isCached: true, durationMs: first.durationMs ?? 0 });
  }
  if (first.status === 202) return await answerWhenDone(parts, requestId, first.jobId, undefined);
  const ended = parts.jobs.waitFor(first.jobId, parts.config.inlineTimeoutMs);
  const hasEnded = (await findJob(parts, first.jobId)).finishedAtMs !== null;
  try {
    return await answerWhenDone(parts, requestId, first.jobId, hasEnded ? Promise.resolve(true) : ended);
  } catch (error) {
    return answerError(error, requestId);
  }
}

async function findJob(parts: Parts, jobId: string): Promise<JobView> {
  const view = await parts.queue.find(jobId);
  if (view === undefined) throw expired();
  return view;
}

function expired(): ServiceError {
  return new ServiceError('EXPIRED', 'The result is no longer kept; send the document again under a new key');
}

function finishCall(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  state: CallState,
  answer: Answer,
): FastifyReply {
  const key = state.admission?.idempotencyKey;
  const echoed = key === undefined ? {} : { 'idempotency-key': key };
  const entry = describeCall(state, request.id, answer.status, answer.errorCode);
  // The answer does not wait for its line in the log.
  recordRequest(parts.store, entry).catch((error: unknown) =>
    parts.log.error({ requestId: request.id, reason: String(error) }, 'the call could not be logged'),
  );
  return sendAnswer(request, reply, { ...answer, headers: { ...answer.headers, ...echoed } });
}

function describeCall(state: CallState, id: string, status: number, errorCode?: string): RequestEntry {
  return {
    id,
    organisationId: state.caller?.organisationId,
    keyId: state.caller?.keyId,
    keyLastFour: state.caller?.keyLastFour,
    function: state.functionId,
    fileName: state.facts?.fileName,
    sizeBytes: state.facts?.sizeBytes,
    pageCount: state.facts?.pageCount,
    jobId: state.jobId,
    isCached: state.isCached,
    replayOf: state.replayOf,
    status,
    errorCode,
    createdAtMs: state.startedAtMs,
    durationMs: Date.now() - state.startedAtMs,
  };
}

function describeFault(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
