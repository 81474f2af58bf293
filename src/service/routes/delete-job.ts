import type { FastifyInstance } from 'fastify';
import { callOf } from '../http/call-record.js';
import { answerJob } from '../http/job-answers.js';
import { readPreference } from '../http/read-preference.js';
import { sendAnswer } from '../http/send-answer.js';
import { authenticate } from '../intake/admission.js';
import { findOwnId } from '../intake/own-id.js';
import type { ServiceComponents } from '../service-components.js';
import { jobExpired, jobNotFound } from './get-job.js';

/**
 * `DELETE /v1/ocr/jobs/{id}`, an addition that the catalog announces as `jobs.delete`: cancels an unfinished job, and deletes a
 * finished one with its result. `Prefer: if-unfinished` (RFC 7240) leaves a finished job as it is.
 */
export function registerDeleteJob(app: FastifyInstance, components: ServiceComponents): void {
  app.delete<{ Params: { id: string } }>('/v1/ocr/jobs/:id', async (request, reply) => {
    const record = callOf(request);
    const caller = await authenticate(components, request.raw.headers);
    record.caller = caller;
    const jobId = await findOwnId(components.store, 'job', request.params.id, caller.organisationId);
    const unfinishedOnly = readPreference(request.raw.headers, 'if-unfinished') !== undefined;
    const removal = await components.jobs.remove({
      jobId,
      organisationId: caller.organisationId,
      unfinishedOnly,
      resultTtlMs: components.config.resultTtlMs,
    });
    if (removal.kind === 'unknown') throw jobNotFound(request.params.id);
    record.jobId = jobId;
    if (removal.kind === 'expired') throw jobExpired();
    record.functionId = removal.view.function;
    const answer = answerJob(removal.view, undefined, request.id);
    const applied = unfinishedOnly ? { 'preference-applied': 'if-unfinished' } : {};
    return sendAnswer(request, reply, { ...answer, headers: { ...answer.headers, ...applied } });
  });
}
