/** Attempts under way at once, in all and of one endpoint. */
const IN_ALL = 256;
const OF_ONE_ENDPOINT = 8;

/** Counts attempts under way, or planned to be. */
export interface Slots {
  freeFor(endpointId: string): number;
  isFull(): boolean;
  take(endpointId: string, count?: number): void;
  free(endpointId: string): void;
  /** A copy to try a plan on. */
  plan(): Slots;
}

/**
 * An endpoint that answers slowly fills its own slots and no more. While half of all are taken, each has one alone, so that
 * it takes as many slow endpoints as there are slots left to hold up another.
 */
export function createSlots(taken: ReadonlyMap<string, number> = new Map()): Slots {
  const counts = new Map(taken);
  let total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const isFull = () => total >= IN_ALL;
  return {
    freeFor: (endpointId) => {
      const own = counts.get(endpointId) ?? 0;
      const limit = total < IN_ALL / 2 ? OF_ONE_ENDPOINT : 1;
      return Math.max(0, Math.min(limit - own, IN_ALL - total));
    },
    isFull,
    take: (endpointId, count = 1) => {
      counts.set(endpointId, (counts.get(endpointId) ?? 0) + count);
      total += count;
    },
    free: (endpointId) => {
      const left = (counts.get(endpointId) ?? 0) - 1;
      if (left > 0) counts.set(endpointId, left);
      else counts.delete(endpointId);
      total--;
    },
    plan: () => createSlots(counts),
  };
}
