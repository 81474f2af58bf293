import type { FastifyInstance } from 'fastify';
import type { CatalogBody } from '../../contract/envelopes.js';
import { catalog } from '../../functions/catalog.js';
import type { OcrFunction } from '../../functions/function.js';
import { nameLanguages } from '../../functions/name-languages.js';
import { answerCacheable, type Cacheable, makeCacheable } from '../http/answer-cacheable.js';
import { callOf } from '../http/call-record.js';
import { sendAnswer } from '../http/send-answer.js';
import { authenticate } from '../intake/admission.js';
import { isIncluded } from '../intake/check-access.js';
import type { Parts } from '../parts.js';

/** `GET /v1/ocr/functions`: the catalog as this key may use it. */
export function registerListFunctions(app: FastifyInstance, parts: Parts): void {
  /** By what it depends on: which functions are included. */
  const bodies = new Map<string, Cacheable>();
  app.get('/v1/ocr/functions', async (request, reply) => {
    const caller = await authenticate(parts, request.raw.headers);
    callOf(request).caller = caller;
    const included = catalog.filter(({ id }) => isIncluded(caller, id));
    const key = included.map(({ id }) => id).join();
    const body = bodies.get(key) ?? makeCacheable(describeCatalog(included, parts.recognition.languages));
    bodies.set(key, body);
    return sendAnswer(request, reply, answerCacheable(request, body));
  });
}

function describeCatalog(included: readonly OcrFunction[], languages: readonly string[]): CatalogBody {
  return {
    functions: catalog.map((listed) => {
      const { id, title, description, acceptedTypes, pageCap, argsSchema, resultSchema } = listed;
      return {
        id,
        title,
        description,
        acceptedTypes,
        pageCap,
        argsSchema: nameLanguages(argsSchema, languages),
        resultSchema,
        included: included.includes(listed),
      };
    }),
    extensions: ['requests'],
  };
}
