/** Bounds the number of things under way at once. */
export interface Semaphore {
  /** Resolves, in the order of the calls, with the function that releases the place. */
  acquire(): Promise<() => void>;
}

/** @param count number of places, 1 or more */
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
