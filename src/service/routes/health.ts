import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type HealthBody, proveHealth } from '../../contract/service-file.js';
import { isLocalCaller } from '../http/is-local-caller.js';
import { answerError, answerJson, sendAnswer } from '../http/send-answer.js';
import { explainLackOfResources, ServiceError } from '../http/service-error.js';
import type { ServiceComponents } from '../service-components.js';

/** `/healthz`: alive; `/readyz`: may take work. Neither needs a key; details are for callers on this machine. */
export function registerHealth(app: FastifyInstance, components: ServiceComponents): void {
  const { activity } = components;
  app.get<{ Querystring: { nonce?: unknown } }>('/healthz', async (request, reply) => {
    const { nonce } = request.query;
    const body: HealthBody = {
      status: activity.isStopping ? 'stopping' : 'ok',
      version: components.version,
      instanceId: components.instanceId,
      ...(typeof nonce === 'string' ? { proof: proveHealth(components.proofKey, nonce) } : {}),
    };
    if (isLocalCaller(request)) {
      // A process whose database is away is alive, and knows nothing of the jobs.
      const unfinishedJobs = await components.queue.countUnfinished().catch((error: unknown) => {
        if (explainLackOfResources(error) === undefined) throw error;
        return undefined;
      });
      const isBusy = unfinishedJobs !== 0 || activity.openRequests > 0;
      body.pid = process.pid;
      if (unfinishedJobs !== undefined) body.unfinishedJobs = unfinishedJobs;
      body.openRequests = activity.openRequests;
      body.idleMs = isBusy ? 0 : Math.round(performance.now() - activity.lastEndedAtMs);
    }
    return sendAnswer(request, reply, answerJson(200, body, request.id));
  });
  /** Strangers do not learn what a document could reach. */
  const readyBody = (request: FastifyRequest) => ({
    status: 'ready',
    ...(isLocalCaller(request) ? { documentIsolation: components.isolation } : {}),
  });
  app.get('/readyz', async (request, reply) => {
    const obstacle = await components.readiness.findObstacle();
    const answer =
      obstacle === undefined
        ? answerJson(200, readyBody(request), request.id)
        : answerError(
            new ServiceError('PROVIDER_UNAVAILABLE', `The service takes no work now: ${obstacle}`),
            request.id,
          );
    return sendAnswer(request, reply, answer);
  });
}
