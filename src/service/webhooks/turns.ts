import type { Store } from '../../store/store.js';
import { listDue, listDueEndpoints } from '../../store/webhook-deliveries.js';
import type { Slots } from './slots.js';

/** Chooses the next deliveries when more are due than there are slots. */
export interface Turns {
  /** Returns ids of due deliveries, as many as `slots` has room for, endpoint by endpoint, after the endpoint served last. */
  choose(slots: Slots, nowMs: number): string[];
}

export function createTurns(store: Store): Turns {
  /** Id of the endpoint that was served last. */
  let lastServed = '';
  return {
    choose: (slots, nowMs) => {
      const endpoints = listDueEndpoints(store, nowMs);
      const inTurn = [...endpoints.filter((id) => id > lastServed), ...endpoints.filter((id) => id <= lastServed)];
      const planned = slots.plan();
      const chosen: string[] = [];
      for (const endpointId of inTurn) {
        if (planned.isFull()) break;
        const free = planned.freeFor(endpointId);
        if (free === 0) continue;
        const found = listDue(store, endpointId, nowMs, free);
        planned.take(endpointId, found.length);
        chosen.push(...found);
        lastServed = endpointId;
      }
      return chosen;
    },
  };
}
