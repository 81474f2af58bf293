import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OcrError } from '../../contract/ocr-error.js';

/** A directory below which documents may be read: as it was named, and without symbolic links. */
export interface Root {
  named: string;
  real: string;
}

/** Resolves the directories; those that do not exist allow nothing. */
export async function openRoots(directories: readonly string[]): Promise<Root[]> {
  const roots = directories.map(async (directory) => {
    const named = resolve(directory);
    return { named, real: await realpath(named).catch(() => named) };
  });
  return await Promise.all(roots);
}

/** Returns the directories of the client's roots; the protocol has file: URIs alone. */
export function directoriesOf(roots: ReadonlyArray<{ uri: string }>): string[] {
  return roots.flatMap(({ uri }) => toPath(uri) ?? []);
}

/**
 * Finds a document below the roots. A relative path is looked for below each of them in turn.
 * @returns its path without symbolic links, which is the one to read
 * @throws OcrError PATH_NOT_ALLOWED, also for a link that leads out; FILE_NOT_FOUND, FILE_UNREADABLE
 */
export async function findBelow(roots: readonly Root[], path: string): Promise<string> {
  const given = /^file:/i.test(path) ? toPath(path) : path;
  if (given === undefined || given.includes('\0')) throw notAllowed(path, roots);
  const candidates = isAbsolute(given) ? [resolve(given)] : roots.map(({ named }) => resolve(named, given));
  const allowed = candidates.filter((candidate) =>
    roots.some(({ named, real }) => isBelow(named, candidate) || isBelow(real, candidate)),
  );
  let isRefused = allowed.length === 0;
  for (const candidate of allowed) {
    const { target, isWhole } = await followLinks(candidate);
    // A link that leads out is refused before it is known whether there is something at its end.
    if (!roots.some(({ real }) => isBelow(real, target))) isRefused = true;
    else if (isWhole) {
      await refuseOthers(target, path);
      return target;
    }
  }
  if (isRefused) throw notAllowed(path, roots);
  throw new OcrError('FILE_NOT_FOUND', `No such file: ${path}`, {
    hint: `Relative paths are looked for below ${listRoots(roots)}.`,
  });
}

/** Returns the path without links, as far as it exists. */
async function followLinks(path: string): Promise<{ target: string; isWhole: boolean }> {
  for (let existing = path; ; existing = dirname(existing)) {
    const target = await realpath(existing).catch(() => undefined);
    if (target !== undefined) return { target: resolve(target, relative(existing, path)), isWhole: existing === path };
    if (existing === dirname(existing)) return { target: path, isWhole: false };
  }
}

/** A pipe would make the call wait for whoever writes into it. */
async function refuseOthers(target: string, path: string): Promise<void> {
  const found = await stat(target);
  if (found.isFile()) return;
  const what = found.isDirectory() ? 'a directory' : 'no regular file';
  throw new OcrError('FILE_UNREADABLE', `${path} is ${what}`, { hint: 'Name one document.' });
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function notAllowed(path: string, roots: readonly Root[]): OcrError {
  return new OcrError('PATH_NOT_ALLOWED', `${path} is outside the directories that may be read`, {
    hint: `Documents are read below ${listRoots(roots)}.`,
  });
}

function listRoots(roots: readonly Root[]): string {
  return roots.length === 0 ? 'no directory' : roots.map(({ named }) => named).join(', ');
}

function toPath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
