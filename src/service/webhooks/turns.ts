import type { Store } from '../../store/store.js';
import { listDue, listDueEndpoints } from '../../store/webhook-deliveries.js';
import type { Slots } from './slots.js';

/** Chooses what is sent next where more is due than can be sent. */
export interface Turns {
  /** Ids of deliveries, as many as `slots` has room for, endpoint by endpoint, from where the last choice ended. */
  choose(slots: Slots, nowMs: number): string[];
}

export function createTurns(store: Store): Turns {
  /** The endpoint whose turn it was last. */
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
