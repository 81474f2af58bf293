/** Bounds on concurrent attempts: in total and for one endpoint. */
const MAX_ATTEMPTS = 256;
const MAX_ATTEMPTS_PER_ENDPOINT = 8;

/** Counts running or planned attempts. */
export interface Slots {
  freeFor(endpointId: string): number;
  isFull(): boolean;
  take(endpointId: string, count?: number): void;
  free(endpointId: string): void;
  /** Returns a copy for planning. */
  plan(): Slots;
}

/**
 * A slow endpoint fills only its own slots. While half of all slots are taken, each endpoint has just one, so that only as many
 * slow endpoints as there are free slots can delay the others.
 */
export function createSlots(taken: ReadonlyMap<string, number> = new Map()): Slots {
  const counts = new Map(taken);
  let total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const isFull = () => total >= MAX_ATTEMPTS;
  return {
    freeFor: (endpointId) => {
      const own = counts.get(endpointId) ?? 0;
      const limit = total < MAX_ATTEMPTS / 2 ? MAX_ATTEMPTS_PER_ENDPOINT : 1;
      return Math.max(0, Math.min(limit - own, MAX_ATTEMPTS - total));
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
