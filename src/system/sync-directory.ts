import { closeSync, fsync, openSync } from 'node:fs';

/** Waits for the disk, so a thread does it. Without `promisify`: to import node:util is to load a good part of Node. */
export function syncFile(fd: number): Promise<void> {
  return new Promise((resolve, reject) => fsync(fd, (error) => (error === null ? resolve() : reject(error))));
}

/** For each directory: the sync that runs, and the one that is to follow it. */
const syncs = new Map<string, { running: Promise<void>; next: Promise<void> | undefined }>();

/**
 * Makes what was named in a directory last: a rename, a link. Those of several callers at once share a sync: who asks while
 * one runs shares the next, since the one under way may have begun before his name was there. Windows cannot and need not.
 */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const current = syncs.get(path);
  if (current === undefined) return await startSync(path);
  current.next ??= current.running.catch(() => {}).then(() => startSync(path));
  await current.next;
}

async function startSync(path: string): Promise<void> {
  const running = syncNow(path);
  const entry = { running, next: undefined };
  syncs.set(path, entry);
  try {
    await running;
  } finally {
    if (syncs.get(path) === entry && entry.next === undefined) syncs.delete(path);
  }
}

async function syncNow(path: string): Promise<void> {
  const fd = openSync(path, 'r');
  try {
    await syncFile(fd);
  } finally {
    closeSync(fd);
  }
}
