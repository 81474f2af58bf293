import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Exchange } from '../http/answer-budget.js';
import { callOf, noteRefusedKey } from '../http/call-record.js';
import { noteFault } from '../http/note-fault.js';
import { type Answer, allowBody, answerError, sendAnswer } from '../http/send-answer.js';
import { acceptDocument, type Call } from '../intake/accept-document.js';
import { type Admission, admit, refuseWhileStopping } from '../intake/admission.js';
import { answerIntake } from '../intake/answer-intake.js';
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

async function run(components: ServiceComponents, exchange: Exchange): Promise<Answer> {
  const { request } = exchange;
  const record = callOf(request);
  const call: Call = {
    ...(request.admission as Admission),
    requestId: request.id,
    startedAtMs: record.startedAtMs,
    onReceived: (facts) => {
      record.facts = facts;
    },
  };
  return await answerIntake(components, exchange, call, await acceptDocument(components, call, request.raw));
}

function finishCall(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const key = request.admission?.idempotencyKey;
  const echoed = key === undefined ? {} : { 'idempotency-key': key };
  const rate = RATED_STATUSES.has(answer.status) ? request.renderRateHeaders?.() : undefined;
  return sendAnswer(request, reply, { ...answer, headers: { ...answer.headers, ...rate, ...echoed } });
}
