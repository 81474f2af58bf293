import type { FastifyInstance } from 'fastify';
import type { RequestBody } from '../../contract/envelopes.js';
import { findNames } from '../../store/names.js';
import { findRequest, type RequestRow } from '../../store/requests.js';
import { callOf } from '../http/call-record.js';
import { answerJson, sendAnswer } from '../http/send-answer.js';
import { ServiceError } from '../http/service-error.js';
import { type KeyAccess, mayRead } from '../intake/access-cache.js';
import { authenticateReader } from '../intake/admission.js';
import { findOwnId } from '../intake/own-id.js';
import { toRequestBody } from '../monitoring/request-view.js';
import type { ServiceComponents } from '../service-components.js';

/**
 * `GET /v1/ocr/requests/{requestId}`: the organisation's own entry of the request log, an addition that the catalog announces.
 * Entries of other organisations, and of calls without a known key, are answered like unknown ones. A support key reads every
 * entry.
 */
export function registerGetRequest(app: FastifyInstance, components: ServiceComponents): void {
  const { store } = components;
  app.get<{ Params: { requestId: string } }>('/v1/ocr/requests/:requestId', async (request, reply) => {
    const caller = await authenticateReader(components, request.raw.headers);
    callOf(request).caller = caller;
    await components.requests.flush();
    const { requestId: text } = request.params;
    const row = await findRequest(store, await findOwnId(store, 'req', text, caller.organisationId));
    if (row === undefined || !mayRead(caller, row.organisationId))
      throw new ServiceError('NOT_FOUND', `There is no request ${JSON.stringify(text.slice(0, 60))}`);
    return sendAnswer(request, reply, answerJson(200, await describe(caller, row), request.id));
  });

  async function describe(caller: KeyAccess, row: RequestRow): Promise<RequestBody> {
    const body = toRequestBody(row);
    if (caller.organisationId !== undefined) return body;
    const { organisationId: id } = row;
    const names = await findNames(store, [id]);
    const organisation = id === null ? null : { id, name: names.organisation(id) ?? '' };
    return { ...body, organisation };
  }
}
