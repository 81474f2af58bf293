import { sleep } from '../../contract/sleep.js';
import { DatabaseUnavailableError, explainAbsence } from './failure.js';

/** Failures in succession after which nobody waits for the database any more. */
const MAX_FAILURES = 3;
const PROBE_EVERY_MS = 1_000;

/** Guards the database's callers against waiting for one that is away, each for the whole time limit. */
export interface Breaker {
  /** Runs the work; fails at once while the database is away. @throws DatabaseUnavailableError */
  guard<T>(work: () => Promise<T>): Promise<T>;
  stop(): void;
}

/**
 * Opens after three failures in succession. Then one probe a second asks, and its first answer closes the breaker.
 * @param probe asks the database something small
 * @param onChange is told the reason when the breaker opens, and undefined when it closes
 */
export function createBreaker(
  probe: () => Promise<unknown>,
  onChange: (reason: string | undefined) => void = () => {},
): Breaker {
  let failures = 0;
  let openFor: DatabaseUnavailableError | undefined;
  const stopping = new AbortController();

  async function probeUntilBack(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(PROBE_EVERY_MS, stopping.signal).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        await probe();
        break;
      } catch {
        // It is still away.
      }
    }
    openFor = undefined;
    failures = 0;
    onChange(undefined);
  }

  function noteFailure(error: DatabaseUnavailableError): void {
    failures++;
    if (failures < MAX_FAILURES || openFor !== undefined) return;
    openFor = error;
    onChange(error.message);
    void probeUntilBack();
  }

  return {
    guard: async (work) => {
      if (openFor !== undefined) throw openFor;
      try {
        const value = await work();
        failures = 0;
        return value;
      } catch (error) {
        const explained = explainAbsence(error);
        if (explained instanceof DatabaseUnavailableError) noteFailure(explained);
        throw explained;
      }
    },
    stop: () => stopping.abort(),
  };
}
