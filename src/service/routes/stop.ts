import type { FastifyInstance } from 'fastify';
import { isStopProof, STOP_PATH, STOP_PROOF_HEADER } from '../../contract/service-file.js';
import { isLocalCaller } from '../http/is-local-caller.js';
import { answerJson, sendAnswer } from '../http/send-answer.js';
import { ServiceError } from '../http/service-error.js';
import type { ServiceComponents } from '../service-components.js';

/**
 * `POST /stop` stops the service for a caller on this machine that can read its `service.json`; for others there is no such path.
 * Not every system has signals that a process can handle. The answer comes first: the service then finishes its open calls.
 */
export function registerStop(app: FastifyInstance, components: ServiceComponents, stop: () => unknown): void {
  app.post(STOP_PATH, async (request, reply) => {
    const proof = request.raw.headers[STOP_PROOF_HEADER];
    if (!isLocalCaller(request) || !isStopProof(components, typeof proof === 'string' ? proof : undefined))
      throw new ServiceError('NOT_FOUND', `There is nothing at "${STOP_PATH}"`);
    components.log.info('asked to stop');
    const sent = sendAnswer(request, reply, answerJson(202, { status: 'stopping' }, request.id));
    stop();
    return sent;
  });
}
