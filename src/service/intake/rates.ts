import { countInWindow } from '../../store/rate-windows.js';
import type { Store } from '../../store/store.js';

/** Count of an organisation in its window, this call included. */
export interface RateUse {
  count: number;
  /** Milliseconds to the end of the window, 0 after it. Each call returns the present value. */
  remainingMs(): number;
}

/** Counts calls per organisation in fixed windows. A window begins with the first call of an organisation after its last one. */
export interface RateCounter {
  count(organisationId: string): Promise<RateUse>;
}

interface Window {
  count: number;
  endsAtMs: number;
}

/** Counts in memory, on a monotonic clock, for a store that one process holds. A restart begins a new window. */
export function createRateCounter(windowMs: number, now = () => performance.now()): RateCounter {
  const windows = new Map<string, Window>();
  let nextSweepMs = now() + windowMs;

  function sweep(nowMs: number): void {
    if (nowMs < nextSweepMs) return;
    nextSweepMs = nowMs + windowMs;
    for (const [id, window] of windows) if (window.endsAtMs <= nowMs) windows.delete(id);
  }

  function open(organisationId: string): Window {
    const nowMs = now();
    const known = windows.get(organisationId);
    if (known !== undefined && nowMs < known.endsAtMs) return known;
    sweep(nowMs);
    const window = { count: 0, endsAtMs: nowMs + windowMs };
    windows.set(organisationId, window);
    return window;
  }

  return {
    count: async (organisationId) => {
      const window = open(organisationId);
      window.count++;
      const { count, endsAtMs } = window;
      return { count, remainingMs: () => Math.max(0, endsAtMs - now()) };
    },
  };
}

/** Counts in a store that processes share. A crash of the database begins a new window. */
export function createSharedRateCounter(store: Store, windowMs: number): RateCounter {
  return {
    count: async (organisationId) => {
      const { count, endsAtMs } = await countInWindow(store, organisationId, windowMs);
      return { count, remainingMs: () => Math.max(0, endsAtMs - store.clock.steadyNow()) };
    },
  };
}
