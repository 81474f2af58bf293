import { DAY_MS } from './days.js';

/** Course of an allowance, if documents go on coming as they do. */
export type Forecast =
  | { is: 'unlimited' | 'used-up' | 'idle' }
  /** Enough until the period ends. */
  | { is: 'enough'; perDay: number }
  | { is: 'exhausted'; perDay: number; atMs: number };

/** Foretells when an allowance is used up: `documents` came in the last `elapsedMs`. */
export function forecast(
  { used, limit, endsAtMs }: { used: number; limit: number | undefined; endsAtMs: number },
  { documents, elapsedMs }: { documents: number; elapsedMs: number },
  nowMs: number,
): Forecast {
  if (limit === undefined) return { is: 'unlimited' };
  if (used >= limit) return { is: 'used-up' };
  if (documents <= 0) return { is: 'idle' };
  // The first hours of an organisation say little about its days.
  const perDay = documents / Math.max(1, elapsedMs / DAY_MS);
  const atMs = nowMs + ((limit - used) / perDay) * DAY_MS;
  return atMs < endsAtMs ? { is: 'exhausted', perDay, atMs } : { is: 'enough', perDay };
}
