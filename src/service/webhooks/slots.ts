import { MAX_ATTEMPTS_PER_ENDPOINT } from '../../store/webhook-deliveries.js';

/** Bounds on concurrent attempts of this process: in total and for one organisation. */
const MAX_ATTEMPTS = 256;
const MAX_ATTEMPTS_PER_ORGANISATION = 64;

/** An endpoint and whose it is. */
export interface EndpointOwner {
  endpointId: string;
  organisationId: string;
}

/** Counts running or planned attempts. */
export interface Slots {
  freeFor(endpoint: EndpointOwner): number;
  isFull(): boolean;
  take(endpoint: EndpointOwner, count?: number): void;
  free(endpoint: EndpointOwner): void;
  /** Returns a copy for planning. */
  plan(): Slots;
}

/**
 * A slow endpoint fills only its own slots, and the slow endpoints of one organisation a quarter of all. While half of all slots
 * are taken, each endpoint has just one, so that only as many slow endpoints as there are free slots can delay the others.
 */
export function createSlots(taken: ReadonlyMap<string, number> = new Map()): Slots {
  /** Attempts by the id of each endpoint, of each organisation, and of all. */
  const counts = new Map(taken);
  const countOf = (id: string) => counts.get(id) ?? 0;
  const change = ({ endpointId, organisationId }: EndpointOwner, by: number) => {
    for (const id of [endpointId, organisationId, ALL]) {
      const count = countOf(id) + by;
      if (count > 0) counts.set(id, count);
      else counts.delete(id);
    }
  };
  return {
    freeFor: ({ endpointId, organisationId }) => {
      const limit = countOf(ALL) < MAX_ATTEMPTS / 2 ? MAX_ATTEMPTS_PER_ENDPOINT : 1;
      const left = [
        limit - countOf(endpointId),
        MAX_ATTEMPTS_PER_ORGANISATION - countOf(organisationId),
        MAX_ATTEMPTS - countOf(ALL),
      ];
      return Math.max(0, Math.min(...left));
    },
    isFull: () => countOf(ALL) >= MAX_ATTEMPTS,
    take: (endpoint, count = 1) => change(endpoint, count),
    free: (endpoint) => change(endpoint, -1),
    plan: () => createSlots(counts),
  };
}

/** Stands for every endpoint; no id is empty. */
const ALL = '';
