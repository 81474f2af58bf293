import type { Subscription } from '../../contract/subscription.js';

/** The stored subscription of an organisation. Times are Unix milliseconds. */
export interface Subscribed {
  subscription: Subscription;
  trialStartedAtMs: number | null;
  trialEndsAtMs: number | null;
}

/** The span in which an organisation's documents count. */
export interface Period {
  /** `2026-11`, a calendar month (UTC), or `trial:<start>`; as `usage.period` names it. */
  name: string;
  startsAtMs: number;
  endsAtMs: number;
}

/** Length of a trial. */
const TRIAL_MS = 30 * 86_400_000;

export function beginTrial(nowMs: number): { startedAtMs: number; endsAtMs: number } {
  return { startedAtMs: nowMs, endsAtMs: nowMs + TRIAL_MS };
}

/** Returns the present state: a trial past its end has expired. */
export function stateOf({ subscription, trialEndsAtMs }: Subscribed, nowMs: number): Subscription {
  const isOver = subscription === 'trialing' && trialEndsAtMs !== null && trialEndsAtMs <= nowMs;
  return isOver ? 'expired' : subscription;
}

/** Returns the span of the trial for a trialing organisation, else the month. */
export function periodOf({ subscription, trialStartedAtMs, trialEndsAtMs }: Subscribed, nowMs: number): Period {
  if (subscription === 'trialing' && trialStartedAtMs !== null && trialEndsAtMs !== null)
    return { name: `trial:${trialStartedAtMs}`, startsAtMs: trialStartedAtMs, endsAtMs: trialEndsAtMs };
  return monthOf(nowMs);
}

/** Returns the calendar month (UTC). */
export function monthOf(nowMs: number): Period {
  const now = new Date(nowMs);
  return {
    name: now.toISOString().slice(0, 7),
    startsAtMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1),
    endsAtMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1),
  };
}
