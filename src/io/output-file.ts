import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { OcrError } from '../contract/ocr-error.js';

/** A file that a result may be written to, as checked before anything was sent. */
export interface OutputFile {
  /** Behind symbolic links. */
  path: string;
  name: string;
  /** A pipe or a device, which is written to and not replaced. */
  isSpecial: boolean;
}

/** @throws OcrError OUTPUT_UNWRITABLE; USAGE where it exists and is not to be overwritten */
export async function checkOutputFile(name: string, { isForced }: { isForced: boolean }): Promise<OutputFile> {
  const path = await realpath(name).catch(() => resolve(name));
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw unwritable(name, 'it is a directory');
  if (found !== undefined && !found.isFile()) return { path, name, isSpecial: true };
  if (found !== undefined && !isForced) {
    throw new OcrError('USAGE', `The output ${name} exists already; nothing was sent`, {
      hint: 'Use --force to overwrite it.',
    });
  }
  await access(dirname(path), constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw unwritable(name, error.code === 'ENOENT' ? 'its directory does not exist' : String(error.code));
  });
  return { path, name, isSpecial: false };
}

/** Under a temporary name first: whoever looks finds the file whole or not at all. @throws OcrError OUTPUT_UNWRITABLE */
export async function writeOutputFile(file: OutputFile, text: string): Promise<void> {
  try {
    if (file.isSpecial) return await writeFile(file.path, text);
    const temporary = join(dirname(file.path), `.${basename(file.path)}.${randomBytes(4).toString('hex')}.tmp`);
    try {
      const handle = await open(temporary, 'wx');
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, file.path);
    } catch (error) {
      await unlink(temporary).catch(() => {});
      throw error;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw unwritable(file.name, code ?? message, error);
  }
}

function unwritable(name: string, reason: string, cause?: unknown): OcrError {
  return new OcrError('OUTPUT_UNWRITABLE', `Cannot write ${name}: ${reason}`, { cause });
}
