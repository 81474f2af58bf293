import type { FastifyInstance } from 'fastify';
import { answerCacheable, type Cacheable, makeCacheable } from '../http/answer-cacheable.js';
import { callOf } from '../http/call-record.js';
import { sendAnswer } from '../http/send-answer.js';
import { authenticateReader } from '../intake/admission.js';
import { createOpenApiDocument } from '../openapi/document.js';
import type { ServiceComponents } from '../service-components.js';

/** `GET /v1/openapi.json`, for any valid key. */
export function registerOpenApi(app: FastifyInstance, components: ServiceComponents): void {
  let document: Cacheable | undefined;
  app.get('/v1/openapi.json', async (request, reply) => {
    callOf(request).caller = await authenticateReader(components, request.raw.headers);
    document ??= makeCacheable(createOpenApiDocument(components.version));
    return sendAnswer(request, reply, answerCacheable(request, document));
  });
}
