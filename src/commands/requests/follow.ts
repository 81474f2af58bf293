import type { Context } from '../../context.js';
import type { SubmissionRecord } from '../../ledger/record.js';
import type { Card } from './card.js';

export interface FollowOptions {
  /** Requests to begin with, newest first. */
  first: readonly Card[];
  /** Selects records, and makes cards of them. */
  look(records: readonly SubmissionRecord[]): Card[];
  print(card: Card): Promise<void>;
}

/** Time between two looks into the ledger. */
const LOOK_INTERVAL_MS = 500;

/**
 * Prints requests as the ledger comes to know them, oldest first: each when it was answered, and again when its state has
 * changed. It ends when the command is interrupted, or its reader has gone.
 */
export async function follow(context: Context, options: FollowOptions): Promise<void> {
  const { clock, io, signal } = context;
  const watch = (await context.ledger()).watch();
  const shown = new Set(options.first.map(stateOf));
  for (const card of [...options.first].reverse()) await options.print(card);
  // Known requests are not new, also where the list leaves them out.
  for (const card of options.look(watch())) shown.add(stateOf(card));
  context.endWithReader();
  while (!io.stdout.isClosed) {
    await clock.sleep(LOOK_INTERVAL_MS, signal);
    for (const card of options.look(watch())) {
      const state = stateOf(card);
      if (card.status === 'sending' || shown.has(state)) continue;
      shown.add(state);
      await options.print(card);
    }
  }
}

function stateOf({ createdAt, requestId, status, httpStatus, error, input }: Card): string {
  return JSON.stringify([createdAt, requestId, status, httpStatus, error?.code ?? null, input.sha256]);
}
