import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CORPUS = fileURLToPath(new URL('./corpus', import.meta.url));

/** Lists the inputs that once broke a target, by their file names. */
export function readCorpus(target: string): ReadonlyArray<[name: string, bytes: Uint8Array]> {
  const folder = join(CORPUS, target);
  return readNames(folder).map((name) => [name, readFileSync(join(folder, name))]);
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Lists the targets that have a folder in the corpus. */
export function listCorpusFolders(): string[] {
  return readNames(CORPUS);
}

/** Saves an input under its digest, and returns the path. */
export function saveToCorpus(target: string, bytes: Uint8Array): string {
  const folder = join(CORPUS, target);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, createHash('sha256').update(bytes).digest('hex').slice(0, 16));
  writeFileSync(path, bytes);
  return path;
}
