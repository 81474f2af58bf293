import { open } from 'node:fs/promises';

/**
 * Makes names in a directory durable, those of several callers at once: who asks while it is being synced shares the next
 * sync, since the one under way may have begun before his name was there.
 */
export function createDirectorySync(directory: string): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = () => {
    const sync = syncDirectory(directory).finally(() => {
      if (running === sync) running = undefined;
    });
    running = sync;
    return sync;
  };
  return () => {
    if (running === undefined) return begin();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}

/** Makes the names in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}
