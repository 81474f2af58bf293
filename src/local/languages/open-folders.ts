import { delimiter } from 'node:path';
import { LANGUAGE_FOLDERS_VARIABLE } from '../../engine/stages/recognise/languages.js';
import { makeDirectory } from '../../system/make-directory.js';
import { languageFolderOf } from './language-folder.js';

/**
 * Makes the folders of installed languages in these data directories and tells the engine, also that of document processes,
 * which read the variable. They have to exist before a document process starts: it sees only what was there then, and what
 * comes into such folders later. A folder that cannot be made is left out: the service works without it.
 */
export function openLanguageFolders(dataDirs: readonly string[]): void {
  const folders = [...new Set(dataDirs.map(languageFolderOf))].filter(canMake);
  process.env[LANGUAGE_FOLDERS_VARIABLE] = folders.join(delimiter);
}

function canMake(folder: string): boolean {
  try {
    makeDirectory(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}
