import { readFileSync } from 'node:fs';
import { isAlive } from '../system/is-alive.js';
import { readServiceFile } from './probe-service.js';

/** The process id of a service that wrote `service.json`, still runs, and does not answer; undefined where there is none. */
export async function findUnresponsiveService(dataDir: string): Promise<number | undefined> {
  const file = await readServiceFile(dataDir);
  return file !== undefined && isAlive(file.pid) && isOcr(file.pid) ? file.pid : undefined;
}

/** A killed service's number may be another program's by now, where the system tells. */
function isOcr(pid: number): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('serve');
  } catch {
    return false;
  }
}
