import type { FastifyInstance } from 'fastify';
import type { CatalogBody } from '../../contract/envelopes.js';
import { describeFunctions, type FunctionDescription } from '../../functions/describe-functions.js';
import { nameLanguages } from '../../functions/name-languages.js';
import { answerCacheable, type Cacheable, makeCacheable } from '../http/answer-cacheable.js';
import { callOf } from '../http/call-record.js';
import { sendAnswer } from '../http/send-answer.js';
import type { KeyAccess } from '../intake/access-cache.js';
import { authenticateReader } from '../intake/admission.js';
import { isIncluded } from '../intake/check-access.js';
import type { ServiceComponents } from '../service-components.js';

/** `GET /v1/ocr/functions`: the catalog for this key. */
export function registerListFunctions(app: FastifyInstance, components: ServiceComponents): void {
  /** Rendered catalogs, by the included functions. */
  const bodies = new Map<string, Cacheable>();
  /** The languages that the rendered catalogs name. */
  let described: readonly string[] | undefined;
  const functions = describeFunctions();
  app.get('/v1/ocr/functions', async (request, reply) => {
    const caller = await authenticateReader(components, request.raw.headers);
    callOf(request).caller = caller;
    const included = functions.filter(({ id }) => mayCall(caller, id)).map(({ id }) => id);
    const languages = components.recognition.listLanguages();
    if (languages !== described) bodies.clear();
    described = languages;
    const key = included.join();
    const body = bodies.get(key) ?? makeCacheable(describeCatalog(functions, included, languages));
    bodies.set(key, body);
    return sendAnswer(request, reply, answerCacheable(request, body));
  });
}

/** A support key sends nothing. */
function mayCall(caller: KeyAccess, functionId: string): boolean {
  return caller.organisationId !== undefined && isIncluded(caller, functionId);
}

function describeCatalog(
  functions: readonly FunctionDescription[],
  included: readonly string[],
  languages: readonly string[],
): CatalogBody {
  return {
    functions: functions.map((listed) => ({
      ...listed,
      argsSchema: nameLanguages(listed.argsSchema, languages),
      included: included.includes(listed.id),
    })),
    extensions: ['requests', 'jobs.delete', 'usage', 'events'],
  };
}
