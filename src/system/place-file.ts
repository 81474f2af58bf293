import { link, rename, stat, unlink } from 'node:fs/promises';
import { retryInUse } from './retry-in-use.js';

/** Codes of file systems without hard links, or with a limit on them; EISDIR is what Node makes of Windows' answer. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR']);

/** True for the error of a link that says that there can be none, not that this one failed. */
export function cannotLink(error: unknown): boolean {
  return NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Moves a whole file to a name that nothing has yet: unlike a rename, a link never replaces. Without hard links it looks
 * and then renames: of two processes at the same moment the later one wins.
 * @returns false where the name is taken; the file stays where it is
 * @throws ErrnoException
 */
export async function placeFile(from: string, to: string): Promise<boolean> {
  try {
    await retryInUse(() => link(from, to));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    if (!cannotLink(error)) throw error;
    if (await exists(to)) return false;
    await retryInUse(() => rename(from, to));
    return true;
  }
  await retryInUse(() => unlink(from));
  return true;
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
