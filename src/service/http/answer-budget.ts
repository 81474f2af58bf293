import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from './service-error.js';
import { whenClosed } from './when-closed.js';

/** A call with its pending answer. */
export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface AnswerBudget {
  /**
   * Counts the answer with `result`, JSON text, until it is sent or its caller is gone.
   * @throws ServiceError PROVIDER_UNAVAILABLE when open answers hold too much already
   */
  hold(exchange: Exchange, organisationId: string, result: string): void;
}

/** Smaller answers fit into the buffers of the socket, or nearly. */
const SMALL_LENGTH = 64 * 1024;
/** Share of the budget for one organisation, so that its slow readers leave room for others. */
const SHARE = 0.5;

/** Bounds the memory of answers that wait for their readers. A single answer of any size always passes. */
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
