/** Bounds how many documents are sent and followed at once. */
export interface Semaphore {
  /** Resolves, in the order of the calls, with the function that lets the next one in. */
  acquire(): Promise<() => void>;
}

/** @param count how many may hold it at once, 1 or more */
export function createSemaphore(count: number): Semaphore {
  const waiting: Array<() => void> = [];
  let free = count;
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return {
    async acquire() {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return release;
    },
  };
}
