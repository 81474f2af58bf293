import type { FastifyInstance } from 'fastify';
import { callOf } from '../http/call-record.js';
import { answerJob } from '../http/job-answers.js';
import { sendAnswer } from '../http/send-answer.js';
import { ServiceError } from '../http/service-error.js';
import { authenticate } from '../intake/admission.js';
import type { Parts } from '../parts.js';

/** `GET /v1/ocr/jobs/{id}`. Another organisation's job is as unknown as one that never was. */
export function registerGetJob(app: FastifyInstance, parts: Parts): void {
  app.get<{ Params: { id: string } }>('/v1/ocr/jobs/:id', async (request, reply) => {
    const record = callOf(request);
    const caller = await authenticate(parts, request.raw.headers);
    record.caller = caller;
    const view = await parts.queue.find(request.params.id);
    if (view === undefined || view.organisationId !== caller.organisationId)
      throw new ServiceError('NOT_FOUND', `There is no job ${JSON.stringify(request.params.id.slice(0, 60))}`);
    Object.assign(record, { jobId: view.jobId, functionId: view.function });
    const isPastKeeping = view.finishedAtMs !== null && view.finishedAtMs + parts.config.resultTtlMs <= Date.now();
    const outcome = view.status === 'completed' ? await parts.queue.findOutcome(view.jobId) : undefined;
    if (isPastKeeping || (view.status === 'completed' && outcome === undefined))
      throw new ServiceError('EXPIRED', 'The result of the job is no longer kept');
    return sendAnswer(request, reply, answerJob(view, outcome, request.id));
  });
}
