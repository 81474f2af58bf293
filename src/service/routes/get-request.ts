import type { FastifyInstance } from 'fastify';
import { canonicalId } from '../../contract/identifiers.js';
import { findRequest } from '../../store/requests.js';
import { callOf } from '../http/call-record.js';
import { answerJson, sendAnswer } from '../http/send-answer.js';
import { ServiceError } from '../http/service-error.js';
import { authenticate } from '../intake/admission.js';
import { toRequestBody } from '../monitoring/request-view.js';
import type { ServiceComponents } from '../service-components.js';

/**
 * `GET /v1/ocr/requests/{requestId}`: the organisation's own entry of the request log, an addition that the catalog announces.
 * Entries of other organisations, and of calls without a known key, are answered like unknown ones.
 */
export function registerGetRequest(app: FastifyInstance, components: ServiceComponents): void {
  app.get<{ Params: { requestId: string } }>('/v1/ocr/requests/:requestId', async (request, reply) => {
    const caller = await authenticate(components, request.raw.headers);
    callOf(request).caller = caller;
    const requestId = canonicalId(request.params.requestId);
    await components.requests.flush();
    const row = findRequest(components.store, requestId);
    if (row === undefined || row.organisationId !== caller.organisationId)
      throw new ServiceError('NOT_FOUND', `There is no request ${JSON.stringify(requestId.slice(0, 60))}`);
    return sendAnswer(request, reply, answerJson(200, toRequestBody(row), request.id));
  });
}
