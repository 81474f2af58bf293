import { proveStop, type ServiceFile, STOP_PATH, STOP_PROOF_HEADER } from '../contract/service-file.js';
import { sleep } from '../contract/sleep.js';
import { isAlive } from '../system/is-alive.js';
import type { FoundService } from './probe-service.js';

const POLL_INTERVAL_MS = 25;
const CALL_TIMEOUT_MS = 3_000;

export interface StopperOptions {
  platform?: NodeJS.Platform;
  /** Sends a signal, and throws ESRCH where the process is gone. */
  signal?: (pid: number, name: NodeJS.Signals) => unknown;
}

export type StopService = (found: FoundService, timeoutMs: number, signal?: AbortSignal) => Promise<boolean>;

/**
 * Creates the function that stops a service. The service is asked by an authenticated call. One that does not know the call, of
 * an earlier version, gets SIGTERM, but not on Windows, where a signal ends a process before it can clean up.
 */
export function createStopper({
  platform = process.platform,
  signal = process.kill.bind(process),
}: StopperOptions = {}): StopService {
  return async ({ file }, timeoutMs, abort) => {
    const deadline = performance.now() + timeoutMs;
    if (!(await askToStop(file)) && platform !== 'win32' && !sendTerm(file.pid, signal)) return true;
    while (performance.now() < deadline) {
      if (!isAlive(file.pid)) return true;
      await sleep(POLL_INTERVAL_MS, abort);
    }
    return false;
  };
}

/**
 * Asks the service to stop and waits until its process is gone; it finishes the calls that it is answering (≤ 30 s)
 * and keeps unfinished jobs for its next start. Returns true when it is gone.
 * @throws the signal's reason
 */
export const stopService: StopService = createStopper();

/** True when the service has agreed to stop. */
async function askToStop(file: ServiceFile): Promise<boolean> {
  const http = process.getBuiltinModule('node:http');
  return await new Promise((resolve) => {
    const headers = { [STOP_PROOF_HEADER]: proveStop(file), 'content-length': '0' };
    const options = { method: 'POST', agent: false, headers, timeout: CALL_TIMEOUT_MS } as const;
    const request = http.request(`${file.url}${STOP_PATH}`, options, (response) => {
      response.resume();
      resolve(response.statusCode === 202);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
    request.end();
  });
}

/**
 * False when the process is gone. The id is safe to signal: only the owner can write the file, and the service has just proved
 * that it wrote it.
 */
function sendTerm(pid: number, signal: NonNullable<StopperOptions['signal']>): boolean {
  try {
    signal(pid, 'SIGTERM');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
