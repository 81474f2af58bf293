import type { Choice } from '../../store/turns.js';

/**
 * Slots beyond the workers. An organisation that comes while all workers are taken starts there at once, however long the
 * documents of the others take.
 */
export const RESERVED_SLOTS = 1;

/** Returns the organisations that may have the next slot; undefined while all slots are taken. */
export function chooseForNextSlot(runningCount: number, workers: number): Choice | undefined {
  if (runningCount < workers) return 'any';
  return runningCount < workers + RESERVED_SLOTS ? 'light' : undefined;
}
