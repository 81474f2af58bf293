import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** Containers have 64 MiB there. */
const MIN_FREE_BYTES = 8 * 2 ** 30;

/**
 * Global setup of vitest: temporary files go into memory where it has room. Services and commands sync whatever they write,
 * and a disk takes some milliseconds for each sync: a tenth of the tests' time. A TMPDIR that is set is kept.
 */
export default function useMemory(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return;
  const directory = mkdtempSync(join(IN_MEMORY, 'ocr-tests-'));
  // PostgreSQL and unprivileged services run as other users.
  chmodSync(directory, 0o1777);
  process.env.TMPDIR = directory;
  return () => rmSync(directory, { recursive: true, force: true });
}

function hasRoom(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    // Other systems have no such directory.
    return false;
  }
}
