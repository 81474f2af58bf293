/** Dozens of text layers are read in this time, and each report is work for three threads. */
const INTERVAL_MS = 50;

export interface Progress {
  tell(pagesDone: number, pageCount: number): void;
  /** Nothing is passed on from here on. */
  end(): void;
}

/**
 * Passes progress on at once where nothing was passed on for a while, and of the last page; else the latest of it by a
 * timer. A thread that comes to no timer while it reads slow pages is heard of nevertheless.
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
