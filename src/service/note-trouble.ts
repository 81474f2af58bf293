import { DatabaseUnavailableError } from '../store/postgres/failure.js';
import type { Log } from './log.js';

/** Bounds of the time in which failures of one kind are only counted; it doubles with each line. */
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 600_000;
/** Time without a failure after which the next one is the first again; no task waits longer before it goes on. */
const OVER_AFTER_MS = 90_000;

interface Trouble {
  reason: string;
  /** Failures since the last line. */
  count: number;
  lastMs: number;
  pauseMs: number;
  silentUntilMs: number;
}

type Facts = Record<string, unknown>;

/** Creates the function that logs failures of tasks in the background. @param now monotonic milliseconds */
export function createTroubleNotes(now: () => number = () => performance.now()) {
  const kinds = new WeakMap<Log, Map<string, Trouble>>();

  /** Returns the failures to report: all since the last line, or undefined while they are only counted. */
  function countDue(log: Log, message: string, reason: string): number | undefined {
    const nowMs = now();
    const known = kinds.get(log) ?? new Map<string, Trouble>();
    kinds.set(log, known);
    const before = known.get(message);
    if (before === undefined || before.reason !== reason || nowMs - before.lastMs > OVER_AFTER_MS) {
      const pauseMs = FIRST_PAUSE_MS;
      known.set(message, { reason, count: 0, lastMs: nowMs, pauseMs, silentUntilMs: nowMs + pauseMs });
      return 1;
    }
    before.lastMs = nowMs;
    before.count++;
    if (nowMs < before.silentUntilMs) return undefined;
    const { count } = before;
    before.pauseMs = Math.min(before.pauseMs * 2, MAX_PAUSE_MS);
    Object.assign(before, { count: 0, silentUntilMs: nowMs + before.pauseMs });
    return count;
  }

  return (log: Log, error: unknown, message: string, facts: Facts = {}): void => {
    const reason = reasonOf(error);
    if (error instanceof DatabaseUnavailableError) {
      log.debug({ ...facts, reason }, message);
      return;
    }
    const failures = countDue(log, message, reason);
    if (failures !== undefined) log.error({ ...facts, reason, ...(failures > 1 ? { failures } : {}) }, message);
  };
}

/**
 * Logs that a task in the background failed and goes on later: the first failure, then at growing intervals, and when the
 * reason changes. While a shared database is away every task fails at every turn: the log says once that it is, so these
 * lines are for debugging.
 */
export const noteTrouble = createTroubleNotes();

/** Logs a failure that concerns one thing, each time. */
export function noteFailure(log: Log, error: unknown, message: string, facts: Facts): void {
  const line = { ...facts, reason: reasonOf(error) };
  if (error instanceof DatabaseUnavailableError) log.debug(line, message);
  else log.error(line, message);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
