import { sleep } from '../contract/sleep.js';
import { isAlive } from '../system/is-alive.js';
import type { FoundService } from './probe-service.js';

const POLL_INTERVAL_MS = 25;

/**
 * Asks the service to stop and waits until its process is gone; it finishes the calls that it is answering (≤ 30 s)
 * and keeps unfinished jobs for its next start. Returns whether it is gone.
 * @throws the signal's reason
 */
export async function stopService(found: FoundService, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
  // The id is safe to signal: only the owner can write the file, and the service has just proved that it wrote it.
  const { pid } = found.file;
  const deadline = performance.now() + timeoutMs;
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
    throw error;
  }
  while (performance.now() < deadline) {
    if (!isAlive(pid)) return true;
    await sleep(POLL_INTERVAL_MS, signal);
  }
  return false;
}
