import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { OcrError } from '../../contract/ocr-error.js';
import { reasonOf } from '../../contract/system-reason.js';
import { makeDirectory } from '../../system/make-directory.js';
import { writeFileAtomically } from '../../system/write-file-atomically.js';
import { installPackage, type NpmOptions } from './npm.js';

/** Variants in a data package, the best first: best_int reads as well as the larger best, and faster. */
const VARIANTS = ['4.0.0_best_int', '4.0.0_fast', '4.0.0'];
/** Bound of the data of a language: the largest model has 40 MB. */
const MAX_DATA_BYTES = 256 * 1024 * 1024;

/**
 * Installs the data of a language into a folder, from npm's registry. npm checks its digest; nothing is kept of data that
 * does not match, and readers of the folder see the whole file or none.
 * @throws OcrError NOT_FOUND, UNREACHABLE, INSTALL_FAILED, OUTPUT_UNWRITABLE; the signal's reason
 */
export async function installLanguage(code: string, folder: string, options: NpmOptions): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'ocr-language-'));
  try {
    await installPackage(`@tesseract.js-data/${code}`, directory, options);
    const data = await readData(code, directory);
    try {
      makeDirectory(folder, 0o700);
      await writeFileAtomically(join(folder, `${code}.traineddata`), data);
    } catch (error) {
      throw new OcrError('OUTPUT_UNWRITABLE', `Cannot write ${folder}: ${reasonOf(error)}`, { cause: error });
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function readData(code: string, directory: string): Promise<Buffer> {
  const files = await readdir(directory, { recursive: true, encoding: 'utf8' });
  const path = files
    .filter((name) => basename(name) === `${code}.traineddata.gz` && rankOf(name) >= 0)
    .sort((a, b) => rankOf(a) - rankOf(b))
    .at(0);
  if (path === undefined) {
    throw new OcrError('INSTALL_FAILED', `The package of the language "${code}" has no data that this version reads`);
  }
  try {
    return await promisify(gunzip)(await readFile(join(directory, path)), { maxOutputLength: MAX_DATA_BYTES });
  } catch (error) {
    throw new OcrError('INSTALL_FAILED', `The data of the language "${code}" is damaged: ${reasonOf(error)}`);
  }
}

function rankOf(path: string): number {
  return VARIANTS.indexOf(path.split(sep).at(-2) ?? '');
}
