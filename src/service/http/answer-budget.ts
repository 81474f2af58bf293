import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from './service-error.js';
import { whenClosed } from './when-closed.js';

/** A call whose answer is being made. */
export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface AnswerBudget {
  /**
   * Counts the answer with `result`, JSON text, until it is out or its caller is gone.
   * @throws ServiceError PROVIDER_UNAVAILABLE when the answers under way hold too much already
   */
  hold(exchange: Exchange, organisationId: string, result: string): void;
}

/** Smaller answers lie in the socket's own buffers, or nearly. */
const SMALL_LENGTH = 64 * 1024;
/** Of the budget, for one organisation: its callers that read nothing leave room for the others'. */
const SHARE = 0.5;

/** Bounds what answers hold in memory that wait for their readers. Where none is under way, any one is let through. */
export function createAnswerBudget(maxBytes: number): AnswerBudget {
  const held = new Map<string, number>();
  let total = 0;

  function add(organisationId: string, bytes: number): void {
    total += bytes;
    const sum = (held.get(organisationId) ?? 0) + bytes;
    if (sum === 0) held.delete(organisationId);
    else held.set(organisationId, sum);
  }

  return {
    hold({ request, reply }, organisationId, result) {
      if (result.length < SMALL_LENGTH || request.raw.socket.destroyed) return;
      const bytes = Buffer.byteLength(result);
      const own = held.get(organisationId) ?? 0;
      if (total > 0 && (total + bytes > maxBytes || (own > 0 && own + bytes > maxBytes * SHARE)))
        throw new ServiceError(
          'PROVIDER_UNAVAILABLE',
          'Too many large answers wait for their readers; read them, or ask again later',
        );
      add(organisationId, bytes);
      whenClosed(request.raw, reply.raw, () => add(organisationId, -bytes));
    },
  };
}
