import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { CatalogBody } from '../../contract/envelopes.js';
import { catalog } from '../../functions/catalog.js';
import { callOf } from '../http/call-record.js';
import { answerError, sendAnswer } from '../http/send-answer.js';
import { authenticate } from '../intake/admission.js';
import { isIncluded } from '../intake/check-access.js';
import type { Parts } from '../parts.js';

/** `GET /v1/ocr/functions`: the catalog as this key may use it. */
export function registerListFunctions(app: FastifyInstance, parts: Parts): void {
  app.get('/v1/ocr/functions', async (request, reply) => {
    try {
      const caller = await authenticate(parts, request.raw.headers);
      callOf(request).caller = caller;
      const body: CatalogBody = {
        functions: catalog.map(({ id, title, description, acceptedTypes, pageCap, argsSchema }) => ({
          id,
          title,
          description,
          acceptedTypes,
          pageCap,
          argsSchema,
          included: isIncluded(caller, id),
        })),
        extensions: ['requests'],
      };
      const text = JSON.stringify(body);
      const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
      const headers = { etag, 'cache-control': 'private, no-cache', vary: 'Authorization, X-API-Key' };
      const isKnown = matches(request.headers['if-none-match'], etag);
      return sendAnswer(request, reply, {
        status: isKnown ? 304 : 200,
        body: isKnown ? '' : text,
        requestId: request.id,
        headers,
      });
    } catch (error) {
      return sendAnswer(request, reply, answerError(error, request.id));
    }
  });
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
