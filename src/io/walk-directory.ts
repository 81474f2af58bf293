import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isGarbled } from './input-file.js';
import { typeOfName } from './sniff-type.js';

export interface WalkedFile {
  path: string;
  /** Below the directory that was named, with `/`. */
  below: string;
}

/** A directory that could not be read. */
export interface UnreadableDirectory {
  path: string;
  error: NodeJS.ErrnoException;
}

/**
 * Every file below a directory, hidden ones too, sorted by their paths' code units so that the order is the same
 * everywhere. A link to a file counts as that file; a link to a directory is not followed, for it may lead in a circle.
 */
export async function* walkDirectory(root: string): AsyncGenerator<WalkedFile | UnreadableDirectory> {
  yield* walk(root, '');
}

async function* walk(directory: string, prefix: string): AsyncGenerator<WalkedFile | UnreadableDirectory> {
  let entries: Dirent[];
  try {
    entries = await readdir(directory, { withFileTypes: true });
  } catch (error) {
    yield { path: directory, error: error as NodeJS.ErrnoException };
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = joinAsTyped(directory, entry.name);
    const below = `${prefix}${entry.name}`;
    if (entry.isDirectory()) yield* walk(path, `${below}/`);
    else if (entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(path)))) yield { path, below };
  }
}

async function leadsToFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    // It may have led to one, so whoever opens it says what is wrong: a document on a disk that is not mounted, say.
    () => isGarbled(path) || typeOfName(path) !== undefined,
  );
}

/** `./scans` stays `./scans/a.pdf`: a script finds the name that it gave. */
function joinAsTyped(directory: string, name: string): string {
  return directory.startsWith('./') ? `./${join(directory, name)}` : join(directory, name);
}
