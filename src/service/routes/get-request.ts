import type { FastifyInstance } from 'fastify';
import type { RequestBody } from '../../contract/envelopes.js';
import { timeOfId } from '../../contract/identifiers.js';
import { sleep } from '../../contract/sleep.js';
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

/** Time within which the line of an answered call is in the database, also on a busy machine. */
const RECENT_MS = 2_000;
const LOOK_AGAIN_MS = 50;

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
    const row = await findLine(await findOwnId(store, 'req', text, caller.organisationId));
    if (row === undefined || !mayRead(caller, row.organisationId))
      throw new ServiceError('NOT_FOUND', `There is no request ${JSON.stringify(text.slice(0, 60))}`);
    return sendAnswer(request, reply, answerJson(200, await describe(caller, row), request.id));
  });

  /** Another process of a fleet may still gather the line of a call that it answered a moment ago. */
  async function findLine(id: string): Promise<RequestRow | undefined> {
    for (;;) {
      const row = await findRequest(store, id);
      const isAnswered = typeof row?.httpStatus === 'number';
      const mayBeAnswered = isRecent(timeOfId(id)) || isRecent(row?.jobFinishedAtMs);
      if (!store.isShared || isAnswered || !mayBeAnswered) return row;
      await sleep(LOOK_AGAIN_MS);
    }
  }

  const isRecent = (timeMs: number | null | undefined) =>
    typeof timeMs === 'number' && Math.abs(store.clock.now() - timeMs) < RECENT_MS;

  async function describe(caller: KeyAccess, row: RequestRow): Promise<RequestBody> {
    const body = toRequestBody(row);
    if (caller.organisationId !== undefined) return body;
    const { organisationId: id } = row;
    const names = await findNames(store, [id]);
    const organisation = id === null ? null : { id, name: names.organisation(id) ?? '' };
    return { ...body, organisation };
  }
}
