import type { FastifyInstance } from 'fastify';
import { isLocalCaller } from '../http/is-local-caller.js';
import { sendAnswer } from '../http/send-answer.js';
import { ServiceError } from '../http/service-error.js';
import { measure } from '../monitoring/measure.js';
import type { ServiceComponents } from '../service-components.js';

const TEXT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** `GET /metrics` without a key: for callers on this machine, or for every caller when `metricsPublic` is set. */
export function registerMetrics(app: FastifyInstance, components: ServiceComponents): void {
  app.get('/metrics', async (request, reply) => {
    if (!components.config.metricsPublic && !isLocalCaller(request))
      throw new ServiceError('NOT_FOUND', '/metrics answers callers on its own machine, unless metricsPublic is set');
    const body = components.metrics.render(await measure(components));
    return sendAnswer(request, reply, {
      status: 200,
      body,
      requestId: request.id,
      headers: { 'content-type': TEXT_TYPE },
    });
  });
}
