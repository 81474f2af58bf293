import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasUndecodableName } from './input-file.js';
import { typeOfName } from './sniff-type.js';

interface WalkedFile {
  path: string;
  /** Below the directory that was named, with `/`. */
  below: string;
}

/** A directory that could not be read. */
interface UnreadableDirectory {
  path: string;
  error: NodeJS.ErrnoException;
}

/** A path that is left out, and why: programs keep what is their own under hidden names, and a link to a directory may lead in a circle. */
export interface LeftOut {
  path: string;
  leftOut: 'hidden file' | 'hidden directory' | 'link to a directory' | 'pipe or device';
}

/** True for the name of a hidden file or directory: rsync's half of a file, a repository of Git, `.DS_Store`. */
export function isHiddenName(name: string): boolean {
  return name.startsWith('.');
}

/**
 * Every file below a directory, sorted by their paths' code units so that the order is the same everywhere. Hidden files
 * and directories below it are named and left out; the directory itself may be hidden. A link to a file counts as that file; a link to a directory is not followed, for it may lead in a circle.
 */
export async function* walkDirectory(root: string): AsyncGenerator<Walked> {
  yield* walk(root, '');
}

type Walked = WalkedFile | UnreadableDirectory | LeftOut;

async function* walk(directory: string, prefix: string): AsyncGenerator<Walked> {
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
    if (isHiddenName(entry.name)) yield { path, leftOut: entry.isDirectory() ? 'hidden directory' : 'hidden file' };
    else if (entry.isDirectory()) yield* walk(path, `${below}/`);
    else if (entry.isFile()) yield { path, below };
    else if (entry.isSymbolicLink()) yield* follow(path, below);
    // To read a pipe could take for ever.
    else yield { path, leftOut: 'pipe or device' };
  }
}

async function* follow(path: string, below: string): AsyncGenerator<Walked> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) yield { path, leftOut: 'link to a directory' };
  // It may have led to a file, so whoever opens it says what is wrong: a document on a disk that is not mounted, say.
  else if (found?.isFile() ?? (hasUndecodableName(path) || typeOfName(path) !== undefined)) yield { path, below };
}

/** `./scans` stays `./scans/a.pdf`: a script finds the name that it gave. */
export function joinAsTyped(directory: string, name: string): string {
  return directory.startsWith('../') ? `./${join(directory, name)}` : join(directory, name);
}
