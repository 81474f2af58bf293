import type { ServiceEvent } from '../../api/events/follow-events.js';
import { createSignature } from '../../contract/signature.js';

/** Time that a receiver has to answer, as the service gives it. */
const TIMEOUT_MS = 10_000;

/** The result of an event at the receiver. */
export interface Forwarded {
  url: string;
  /** HTTP status; null without an answer, and `error` gives the reason. */
  status: number | null;
  ms: number;
  error: string | null;
}

export function isAccepted({ status }: Forwarded): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Posts an event as the service posts a delivery. A failure of the receiver is a result. */
export async function forward(
  { id, type, body }: ServiceEvent,
  { url, secret, version, signal }: { url: string; secret: string; version: string; signal: AbortSignal },
): Promise<Forwarded> {
  const bytes = Buffer.from(body);
  const startedAtMs = performance.now();
  const [status, error] = await fetch(url, {
    method: 'POST',
    body: bytes,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `ocr-webhooks/${version}`,
      'x-service-event': type,
      'x-service-delivery': id,
      'x-service-signature': createSignature([secret], Math.floor(Date.now() / 1_000), bytes),
    },
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).then(
    async (answer) => {
      await answer.body?.cancel();
      return [answer.status, null] as const;
    },
    (reason: unknown) => [null, explain(reason, url)] as const,
  );
  signal.throwIfAborted();
  return { url, status, ms: Math.round(performance.now() - startedAtMs), error };
}

function explain(reason: unknown, url: string): string {
  const { name, message, cause } = reason as Error & { cause?: NodeJS.ErrnoException & { errors?: Error[] } };
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1_000} s`;
  const code = cause?.code ?? (cause?.errors?.[0] as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ECONNREFUSED') return `nothing listens at ${new URL(url).host}`;
  return cause?.message || message;
}
