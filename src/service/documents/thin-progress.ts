/** Shortest time between two reports. Dozens of text layers are read in it, and each report is work for three threads. */
const INTERVAL_MS = 50;

export interface Progress {
  tell(pagesDone: number, pageCount: number): void;
  /** Stops all reports. */
  end(): void;
}

/**
 * Reports progress at once after a pause, and for the last page; otherwise a timer reports the latest. A thread that reads slow
 * pages runs no timers, so its progress is reported by the first rule.
 */
export function thinProgress(passOn: (pagesDone: number, pageCount: number) => void): Progress {
  let timer: NodeJS.Timeout | undefined;
  let passedAt = -Infinity;
  let latest: [pagesDone: number, pageCount: number] = [0, 0];
  const end = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const pass = () => {
    end();
    passedAt = performance.now();
    passOn(...latest);
  };
  return {
    tell(pagesDone, pageCount) {
      latest = [pagesDone, pageCount];
      if (pagesDone === pageCount || performance.now() - passedAt >= INTERVAL_MS) pass();
      else timer ??= setTimeout(pass, INTERVAL_MS);
    },
    end,
  };
}
