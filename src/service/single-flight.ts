/** Work that many ask for: one round of it at a time, and another when it was asked for since the last one began. */
export interface SingleFlight {
  /** There is, or may be, something to do. */
  wake(): void;
  /** No other round begins; resolves when the one under way has ended. */
  stop(): Promise<void>;
}

/** @param round never throws: nobody waits for it who could be told */
export function createSingleFlight(round: () => Promise<void>): SingleFlight {
  let isAskedFor = false;
  let isStopped = false;
  let underWay: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (isAskedFor && !isStopped) {
      isAskedFor = false;
      await round();
    }
    underWay = undefined;
  }

  return {
    wake: () => {
      isAskedFor = true;
      if (!isStopped) underWay ??= run();
    },
    stop: async () => {
      isStopped = true;
      await underWay;
    },
  };
}
