/** How many documents are sent and followed at once. */
export interface Slots {
  /** Resolves, for one after the other as they asked, with the function that lets the next one in. */
  take(): Promise<() => void>;
}

export function createSlots(count: number): Slots {
  const waiting: Array<() => void> = [];
  let free = count;
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return {
    async take() {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return release;
    },
  };
}
