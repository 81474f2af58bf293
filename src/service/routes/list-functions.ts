import type { FastifyInstance } from 'fastify';
import type { CatalogBody } from '../../contract/envelopes.js';
import { catalog } from '../../functions/catalog.js';
import { nameLanguages } from '../../functions/name-languages.js';
import { answerCacheable } from '../http/answer-cacheable.js';
import { callOf } from '../http/call-record.js';
import { sendAnswer } from '../http/send-answer.js';
import { authenticate } from '../intake/admission.js';
import { isIncluded } from '../intake/check-access.js';
import type { Parts } from '../parts.js';

/** `GET /v1/ocr/functions`: the catalog as this key may use it. */
export function registerListFunctions(app: FastifyInstance, parts: Parts): void {
  app.get('/v1/ocr/functions', async (request, reply) => {
    const caller = await authenticate(parts, request.raw.headers);
    callOf(request).caller = caller;
    const body: CatalogBody = {
      functions: catalog.map(({ id, title, description, acceptedTypes, pageCap, argsSchema, resultSchema }) => ({
        id,
        title,
        description,
        acceptedTypes,
        pageCap,
        argsSchema: nameLanguages(argsSchema, parts.recognition.languages),
        resultSchema,
        included: isIncluded(caller, id),
      })),
      extensions: ['requests'],
    };
    return sendAnswer(request, reply, answerCacheable(request, JSON.stringify(body)));
  });
}
