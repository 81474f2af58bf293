import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Answer } from './send-answer.js';

/** JSON text that changes rarely, rendered and tagged once for many answers. */
export interface Cacheable {
  text: string;
  etag: string;
}

export function makeCacheable(value: unknown): Cacheable {
  const text = JSON.stringify(value);
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
}

/** Answers with the text and its ETag, or 304 when the caller has it already. */
export function answerCacheable(request: FastifyRequest, { text, etag }: Cacheable): Answer {
  const isKnown = matches(request.headers['if-none-match'], etag);
  return {
    status: isKnown ? 304 : 200,
    body: isKnown ? '' : text,
    requestId: request.id,
    headers: { etag, 'cache-control': 'private, no-cache', vary: 'Authorization, X-API-Key' },
  };
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
