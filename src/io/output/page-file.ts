import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { OcrError } from '../../contract/ocr-error.js';
import { reasonOf } from '../../contract/system-reason.js';
import { makeDirectory } from '../../system/make-directory.js';

const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/** Bytes of a file's name that all systems take, with what is put around it. */
const MAX_NAME_LENGTH = 80;

export interface PageFileOptions {
  cacheDir: string;
  /** Name of the input. */
  name: string;
  /** Tells inputs of the same name apart. */
  key: string;
  now: number;
}

/**
 * Writes a page where its user alone can read it, and removes those that are older than a week: they hold what is in documents.
 * Where the cache cannot be written, the page goes to the directory for temporary files, and `note` says so.
 * @throws OcrError OUTPUT_UNWRITABLE where that cannot be written either
 */
export function keepPage(page: string, { cacheDir, name, key, now }: PageFileOptions): { path: string; note?: string } {
  const fileName = pageName(name, key);
  const directory = join(cacheDir, 'pages');
  try {
    makeDirectory(directory, 0o700);
    removeOld(directory, now);
    return { path: writePage(page, directory, fileName) };
  } catch (error) {
    const note = `The page is not kept: ${directory} cannot be written (${reasonOf(error)}; OCR_CACHE_DIR names another directory)`;
    return { path: writeTemporaryPage(page, fileName), note };
  }
}

/** Writes a page into a new directory for its user alone. */
function writeTemporaryPage(page: string, fileName: string): string {
  try {
    return writePage(page, mkdtempSync(join(tmpdir(), 'ocr-page-')), fileName);
  } catch (error) {
    throw new OcrError('OUTPUT_UNWRITABLE', `Cannot write the page into ${tmpdir()}: ${reasonOf(error)}`, {
      hint: 'Name a file of your own: -o page.html',
      cause: error,
    });
  }
}

function writePage(page: string, directory: string, fileName: string): string {
  const path = join(directory, fileName);
  const temporary = join(directory, `.${randomBytes(6).toString('hex')}.tmp`);
  writeFileSync(temporary, page, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, path);
  return path;
}

/** `report.pdf` → `report.pdf-1a2b3c4d.html`. */
function pageName(name: string, key: string): string {
  const plain = basename(name).replace(/[^\p{L}\p{N}._ -]/gu, '_');
  const short = key.replace(/^job_/i, '').replace(/[^\w]/g, '');
  const start = Buffer.from(plain)
    .subarray(0, MAX_NAME_LENGTH)
    .toString()
    .replace(/\ufffd+$/, '');
  return `${start.replace(/^\.+/, '') || 'page'}-${(short.length === 64 ? short.slice(0, 8) : short.slice(-8)).toLowerCase()}.html`;
}

function removeOld(directory: string, now: number): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    // Another command may remove it first.
    if (now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > MAX_AGE_MS) rmSync(path, { force: true });
  }
}
