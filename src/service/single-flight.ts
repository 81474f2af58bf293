/** Runs a task once at a time, and once more when `wake` was called during a run. */
export interface SingleFlight {
  /** Requests a run. */
  wake(): void;
  /** Prevents further runs; resolves when the present one has ended. */
  stop(): Promise<void>;
}

/** @param task never throws, because no caller waits for it */
export function createSingleFlight(task: () => Promise<void>): SingleFlight {
  let isRequested = false;
  let isStopped = false;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (isRequested && !isStopped) {
      isRequested = false;
      await task();
    }
    running = undefined;
  }

  return {
    wake: () => {
      isRequested = true;
      if (!isStopped) running ??= run();
    },
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}
