import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a directory and those above it, where they are not there yet. Node's own `recursive` never comes back where the
 * system makes no directories in one that is there (`/proc/…` answers ENOENT), and holds the process so that no signal
 * ends it.
 * @param mode of what is made anew
 * @throws what the file system does
 */
export function makeDirectory(path: string, mode = 0o777): void {
  make(resolve(path), mode);
}

function make(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(path) !== path) {
      make(dirname(path), mode);
      makeLast(path, mode);
    } else if (!isDirectory(path)) throw error;
  }
}

/** Another process may have made it in between. */
function makeLast(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
