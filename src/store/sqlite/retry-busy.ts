import { setTimeout as sleep } from 'node:timers/promises';
import { classifySqliteError } from './database.js';

const FIRST_WAIT_MS = 1;
const MAX_WAIT_MS = 50;

/** Repeats `attempt` while another process holds the database. The waits have jitter, so that two waiters do not stay in step. */
export async function retryWhileBusy<T>(attempt: () => T, timeoutMs: number): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    try {
      return attempt();
    } catch (error) {
      if (classifySqliteError(error) !== 'busy' || performance.now() >= deadline) throw error;
    }
    await sleep(waitMs * (0.5 + Math.random()));
  }
}
