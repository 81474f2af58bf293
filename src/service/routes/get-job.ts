import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findNames } from '../../store/names.js';
import type { JobView } from '../../store/queue.js';
import { callOf } from '../http/call-record.js';
import { answerJob, answerSupport } from '../http/job-answers.js';
import { readPreference } from '../http/read-preference.js';
import { sendAnswer } from '../http/send-answer.js';
import { ServiceError } from '../http/service-error.js';
import { type KeyAccess, mayRead } from '../intake/access-cache.js';
import { authenticateReader } from '../intake/admission.js';
import { findOwnId } from '../intake/own-id.js';
import type { ServiceComponents } from '../service-components.js';

/** Longest time that a poll is held. Proxies often cut a connection that is silent for a minute. */
const MAX_HOLD_S = 30;

/**
 * `GET /v1/ocr/jobs/{id}`. Another organisation's job is answered like an unknown one; a support key reads all, without results. `Prefer: wait=<seconds>` holds the
 * answer until the job ends or the time is over (RFC 7240, section 4.3).
 */
export function registerGetJob(app: FastifyInstance, components: ServiceComponents): void {
  const held = new Set<AbortController>();
  // A stopping service answers held polls at once.
  app.addHook('preClose', async () => {
    for (const hold of held) hold.abort();
  });

  app.get<{ Params: { id: string } }>('/v1/ocr/jobs/:id', async (request, reply) => {
    const record = callOf(request);
    const caller = await authenticateReader(components, request.raw.headers);
    record.caller = caller;
    const jobId = await findOwnId(components.store, 'job', request.params.id, caller.organisationId);
    const look = () => findJob(components, jobId, caller);
    const holdS = components.activity.isStopping ? 0 : readHold(request);
    const view = holdS === 0 ? await look() : await lookAtEnd(jobId, reply, holdS, look);
    Object.assign(record, { jobId: view.jobId, functionId: view.function });
    if (caller.organisationId === undefined) {
      const { organisationId } = view;
      const name = (await findNames(components.store, [organisationId])).organisation(organisationId) ?? '';
      return sendAnswer(request, reply, answerSupport(view, name, request.id));
    }
    const isPastKeeping =
      view.finishedAtMs !== null && view.finishedAtMs + components.config.resultTtlMs <= components.store.clock.now();
    const outcome = view.status === 'completed' ? await components.queue.findOutcome(view.jobId) : undefined;
    if (view.deletedAtMs !== null || isPastKeeping || (view.status === 'completed' && outcome === undefined))
      throw jobExpired();
    if (outcome !== undefined) components.answers.hold({ request, reply }, caller.organisationId, outcome.body);
    const answer = answerJob(view, outcome, request.id);
    const applied = holdS > 0 ? { 'preference-applied': `wait=${holdS}` } : {};
    return sendAnswer(request, reply, { ...answer, headers: { ...answer.headers, ...applied } });
  });

  /** Returns the result of `look` once the job has ended, the time is over, or the caller or the service goes away. */
  async function lookAtEnd(
    jobId: string,
    reply: FastifyReply,
    holdS: number,
    look: () => Promise<JobView>,
  ): Promise<JobView> {
    const hold = new AbortController();
    held.add(hold);
    reply.raw.once('close', () => hold.abort());
    try {
      const ended = components.jobs.waitFor(jobId, holdS * 1_000, hold.signal);
      const view = await look();
      if (view.finishedAtMs !== null) return view;
      await ended;
      return await look();
    } finally {
      hold.abort();
      held.delete(hold);
    }
  }
}

async function findJob({ queue }: ServiceComponents, id: string, caller: KeyAccess): Promise<JobView> {
  const view = await queue.find(id);
  if (view === undefined || !mayRead(caller, view.organisationId)) throw jobNotFound(id);
  return view;
}

export function jobNotFound(id: string): ServiceError {
  return new ServiceError('NOT_FOUND', `There is no job ${JSON.stringify(id.slice(0, 60))}`);
}

export function jobExpired(): ServiceError {
  return new ServiceError('EXPIRED', 'The result of the job is no longer kept');
}

/** Returns whole seconds, 0 for an answer at once. An invalid preference is ignored. */
function readHold(request: FastifyRequest): number {
  const asked = readPreference(request.raw.headers, 'wait') ?? '';
  return /^\d+$/.test(asked) ? Math.min(MAX_HOLD_S, Number(asked)) : 0;
}
