/** Codes of Windows for a file that another program (a virus scanner, an indexer) has open, or that is still being removed. */
const IN_USE = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** Waits between attempts; such programs have files open for some milliseconds, seldom for a second. */
const DELAYS_MS = [5, 10, 20, 50, 100, 200, 400, 800];

/**
 * Makes a change to a directory (rename, link, unlink, create) again while Windows refuses it because another program has the file
 * open. Other systems allow the change, and there the codes mean what they say.
 * @throws the error of the last attempt
 */
export async function retryInUse<T>(
  work: () => T | Promise<T>,
  platform: NodeJS.Platform = process.platform,
): Promise<T> {
  for (const delayMs of DELAYS_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isInUse(error, platform)) throw error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return await work();
}

/** Like `retryInUse` where nothing can be awaited; the thread waits. */
export function retryInUseNow<T>(work: () => T, platform: NodeJS.Platform = process.platform): T {
  for (const delayMs of DELAYS_MS) {
    try {
      return work();
    } catch (error) {
      if (!isInUse(error, platform)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);
    }
  }
  return work();
}

function isInUse(error: unknown, platform: NodeJS.Platform): boolean {
  return platform === 'win32' && IN_USE.has((error as NodeJS.ErrnoException).code ?? '');
}
