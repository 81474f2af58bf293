import { setTimeout as sleepOfNode } from 'node:timers/promises';
import { StoreFailedError } from '../../store/sqlite/store-failure.js';
import { describeLackOfResources, explainLackOfResources } from '../http/service-error.js';
import type { Log } from '../log.js';

/** Bounds of the wait between two attempts; it doubles after each. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 4_000;

/** Writes to a store that may lack a resource for a while, above all disk space. */
export interface RetryingWrites {
  /** The resource that the store lacks, in words; undefined while it can be written. */
  readonly blockedReason: string | undefined;
  /**
   * Writes once. `hasWritten` tells from the value whether anything was written, which proves that the store has room.
   * @throws the error of the write
   */
  attempt<T>(write: () => Promise<T>, hasWritten?: (value: T) => boolean): Promise<T>;
  /** Repeats the write until it succeeds. @throws the last error after `maxWaitMs` or while stopping; other faults at once */
  writeUntilDone<T>(write: () => Promise<T>): Promise<T>;
}

export interface RetryingWritesOptions {
  log: Log;
  /** Bound on all waits of one write together. */
  maxWaitMs: number;
  /** True once no write may wait any more. */
  isStopping(): boolean;
  /** Monotonic milliseconds and waiting; tests pass a clock of their own. */
  clock?: { now(): number; sleep(ms: number): Promise<unknown> };
}

export function createRetryingWrites(options: RetryingWritesOptions): RetryingWrites {
  const { log, maxWaitMs, isStopping, clock = { now: () => performance.now(), sleep: sleepOfNode } } = options;
  let blockedReason: string | undefined;
  /** Count of failed writes that still retry. A smaller write that finds room does not end the blocked state. */
  let retrying = 0;

  function noteSuccess(): void {
    if (blockedReason === undefined || retrying > 0) return;
    blockedReason = undefined;
    log.info('the store can be written again');
  }

  /** Returns true when the write may succeed later. */
  function noteFailure(error: unknown): boolean {
    const lack = explainLackOfResources(error);
    // A failed store stays failed: the service ends.
    if (lack === undefined || error instanceof StoreFailedError) return false;
    if (blockedReason === undefined)
      log.error({ reason: describeLackOfResources(error) }, 'the store cannot be written');
    blockedReason = lack;
    return true;
  }

  return {
    get blockedReason() {
      return blockedReason;
    },
    attempt: async (write, hasWritten = () => true) => {
      try {
        const value = await write();
        if (hasWritten(value)) noteSuccess();
        return value;
      } catch (error) {
        noteFailure(error);
        throw error;
      }
    },
    writeUntilDone: async (write) => {
      const deadline = clock.now() + maxWaitMs;
      retrying++;
      try {
        for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
          try {
            const value = await write();
            retrying--;
            noteSuccess();
            return value;
          } catch (error) {
            if (!noteFailure(error) || isStopping() || clock.now() + waitMs > deadline) throw error;
          }
          await clock.sleep(waitMs);
        }
      } catch (error) {
        retrying--;
        throw error;
      }
    },
  };
}
