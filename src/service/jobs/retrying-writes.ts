import { setTimeout as sleep } from 'node:timers/promises';
import { explainLackOfResources } from '../http/service-error.js';
import type { Log } from '../log.js';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** Writes of a store that may lack what it needs for a while: room on its disk, most of all. */
export interface RetryingWrites {
  /** What the store lacks, in words; undefined when it can be written. */
  readonly blockedReason: string | undefined;
  /** Writes once. `hasWritten`: whether there was anything to write. @throws whatever the write does */
  attempt<T>(write: () => Promise<T>, hasWritten?: (value: T) => boolean): Promise<T>;
  /** Writes as soon as it can be, for as long as there is patience. @throws what the last attempt did, and faults at once */
  writeUntilDone<T>(write: () => Promise<T>): Promise<T>;
}

export interface RetryingWritesOptions {
  log: Log;
  /** How long a write is insisted on. */
  patienceMs: number;
  /** Nothing is waited for any more. */
  isStopping(): boolean;
}

export function createRetryingWrites({ log, patienceMs, isStopping }: RetryingWritesOptions): RetryingWrites {
  let blockedReason: string | undefined;
  /** Writes that are insisted on and did not succeed yet: a smaller one that finds room does not end the blockedReason. */
  let waiting = 0;

  function noteSuccess(): void {
    if (blockedReason === undefined || waiting > 0) return;
    blockedReason = undefined;
    log.info('the store can be written again');
  }

  /** Whether the write may succeed later. */
  function noteFailure(error: unknown): boolean {
    const lack = explainLackOfResources(error);
    if (lack === undefined) return false;
    if (blockedReason === undefined) log.error({ reason: lack }, 'the store cannot be written');
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
      const deadline = performance.now() + patienceMs;
      waiting++;
      try {
        for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
          try {
            const value = await write();
            waiting--;
            noteSuccess();
            return value;
          } catch (error) {
            if (!noteFailure(error) || isStopping() || performance.now() + waitMs > deadline) throw error;
          }
          await sleep(waitMs);
        }
      } catch (error) {
        waiting--;
        throw error;
      }
    },
  };
}
