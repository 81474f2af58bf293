import { randomUUID } from 'node:crypto';
import { readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../system/is-alive.js';
import { placeFile } from '../system/place-file.js';

const STALE_AFTER_MS = 30_000;

/**
 * Lets one of many commands start the service while the others wait for it. Only a courtesy that saves the others a
 * process each: what keeps two services apart is the lock that the service itself takes on its data directory.
 * Returns the function that lets go, or undefined where another command is starting the service right now.
 */
export async function takeStartLock(dataDir: string): Promise<(() => Promise<void>) | undefined> {
  const path = join(dataDir, 'starting.lock');
  // Written before it gets its name: nobody could tell whether an empty lock is stale.
  const draft = `${path}.${process.pid}.${randomUUID()}`;
  try {
    await writeFile(draft, String(process.pid), { mode: 0o600 });
    for (let attempt = 0; attempt < 2; attempt++) {
      if (await placeFile(draft, path)) return async () => await unlink(path).catch(() => {});
      if (!(await isStale(path))) return undefined;
      await unlink(path).catch(() => {});
    }
    return undefined;
  } finally {
    await unlink(draft).catch(() => {});
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const [{ mtimeMs }, text] = await Promise.all([stat(path), readFile(path, 'utf8')]);
    // Also one of the future: the clock was set back.
    if (Math.abs(Date.now() - mtimeMs) > STALE_AFTER_MS) return true;
    return !isAlive(Number(text));
  } catch {
    return true; // gone meanwhile
  }
}
