import { readdir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { idTime } from '../contract/identifiers.js';

const KEEP_FINISHED_MS = 90 * 86_400_000;
const PRUNE_EVERY_MS = 86_400_000;

/**
 * Once a day: finished records by their names alone, for ids begin with their time, and temporary files that a killed
 * process left.
 */
export async function prune(openDir: string, doneDir: string, nowMs: number): Promise<void> {
  const marker = join(doneDir, '.pruned');
  const lastMs = await modifiedAtMs(marker);
  if (lastMs !== undefined && nowMs - lastMs < PRUNE_EVERY_MS) return;
  await writeFile(marker, '', { mode: 0o600 });
  await utimes(marker, nowMs / 1000, nowMs / 1000);
  const oldest = `sub_${idTime(Math.max(0, nowMs - KEEP_FINISHED_MS))}`;
  for (const directory of [openDir, doneDir]) {
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      const isOldRecord = directory === doneDir && name.startsWith('sub_') && name < oldest;
      const isLeftover = name.endsWith('.tmp') && nowMs - ((await modifiedAtMs(path)) ?? nowMs) > PRUNE_EVERY_MS;
      if (isOldRecord || isLeftover) await unlink(path).catch(() => {});
    }
  }
}

async function modifiedAtMs(path: string): Promise<number | undefined> {
  return await stat(path).then(
    (found) => found.mtimeMs,
    () => undefined,
  );
}
