/** How far an organisation is in its window, this call included. */
export interface RateUse {
  count: number;
  /** Milliseconds to the window's end, 0 when it is over; asked again it says what is left then. */
  remainingMs(): number;
}

/** Counts calls per organisation in fixed windows. A store that several machines share can stand here. */
export interface RateCounter {
  count(organisationId: string): Promise<RateUse>;
}

interface Window {
  count: number;
  endsAtMs: number;
}

/**
 * In memory, on a clock that nobody sets: one process holds a data directory. A window begins with an organisation's first
 * call after its last window, so a restart begins a new one.
 */
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
