import type { FastifyInstance } from 'fastify';
import { callOf } from '../http/call-record.js';
import { answerJob } from '../http/job-answers.js';
import { sendAnswer } from '../http/send-answer.js';
import { ServiceError } from '../http/service-error.js';
import { authenticate } from '../intake/admission.js';
import { findOwnId } from '../intake/own-id.js';
import type { ServiceComponents } from '../service-components.js';
import { jobExpired, jobNotFound } from './get-job.js';

/**
 * `DELETE /v1/ocr/jobs/{id}`, an addition that the catalog announces as `jobs.delete`: cancels an unfinished job, and deletes a
 * finished one with its result. `?unfinished=true` leaves a finished job as it is.
 */
export function registerDeleteJob(app: FastifyInstance, components: ServiceComponents): void {
  app.delete<{ Params: { id: string }; Querystring: Record<string, string | string[]> }>(
    '/v1/ocr/jobs/:id',
    async (request, reply) => {
      const record = callOf(request);
      const caller = await authenticate(components, request.raw.headers);
      record.caller = caller;
      const jobId = findOwnId(components.store, 'job', request.params.id, caller.organisationId);
      const removal = await components.jobs.remove({
        jobId,
        organisationId: caller.organisationId,
        unfinishedOnly: readUnfinishedOnly(request.query.unfinished),
        resultTtlMs: components.config.resultTtlMs,
      });
      if (removal.kind === 'unknown') throw jobNotFound(request.params.id);
      record.jobId = jobId;
      if (removal.kind === 'expired') throw jobExpired();
      record.functionId = removal.view.function;
      return sendAnswer(request, reply, answerJob(removal.view, undefined, request.id));
    },
  );
}

/** A value that is not understood must not delete anything. @throws ServiceError INVALID_ARGS */
function readUnfinishedOnly(value: string | string[] | undefined): boolean {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw new ServiceError('INVALID_ARGS', 'The query parameter "unfinished" is true or false');
}
