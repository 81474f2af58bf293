import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { listInstallFolders, planRecognition } from '../../engine/stages/recognise/languages.js';
import { unpackedPathOf } from '../../engine/stages/recognise/unpacked-data.js';
import { makeDirectory } from '../../system/make-directory.js';
import { writeFileAtomically } from '../../system/write-file-atomically.js';

/**
 * Unpacks the language data of this package, once, to where document processes may read: native Tesseract reads doubtful pages
 * with it again. Where it cannot be written, the built-in engine reads them, which takes half as long again.
 */
export async function unpackLanguageData(): Promise<void> {
  const [folder] = listInstallFolders(process.env);
  if (folder === undefined) return;
  try {
    for (const { path } of planRecognition().models) {
      const unpacked = unpackedPathOf(path, folder);
      if (unpacked === undefined || existsSync(unpacked)) continue;
      const own = dirname(unpacked);
      makeDirectory(own, 0o700);
      await writeFileAtomically(unpacked, await promisify(gunzip)(await readFile(path)));
      await removeOthers(own);
    }
  } catch {
    // A full or read-only disk: the service works without it.
  }
}

/** Removes the data that another version unpacked. */
async function removeOthers(own: string): Promise<void> {
  const folder = dirname(own);
  const others = (await readdir(folder)).filter((name) => name !== basename(own));
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
