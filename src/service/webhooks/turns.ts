import type { Store } from '../../store/store.js';
import { listDue, listDueEndpoints } from '../../store/webhook-deliveries.js';
import type { EndpointOwner, Slots } from './slots.js';

/** Chooses the next deliveries when more are due than there are slots. */
export interface Turns {
  /** Returns ids of due deliveries, as many as `slots` has room for, endpoint by endpoint, after the endpoint served last. */
  choose(slots: Slots, nowMs: number): Promise<string[]>;
}

export function createTurns(store: Store): Turns {
  /** Id of the endpoint that was served last. */
  let lastServed = '';
  return {
    choose: async (slots, nowMs) => {
      const endpoints = await listDueEndpoints(store, nowMs);
      const isAfter = ({ endpointId }: EndpointOwner) => endpointId > lastServed;
      const inTurn = [...endpoints.filter(isAfter), ...endpoints.filter((endpoint) => !isAfter(endpoint))];
      const planned = slots.plan();
      const chosen: string[] = [];
      for (const endpoint of inTurn) {
        if (planned.isFull()) break;
        const free = planned.freeFor(endpoint);
        if (free === 0) continue;
        const found = await listDue(store, endpoint.endpointId, nowMs, free);
        planned.take(endpoint, found.length);
        chosen.push(...found);
        lastServed = endpoint.endpointId;
      }
      return chosen;
    },
  };
}
