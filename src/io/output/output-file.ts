import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, open, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { EXIT } from '../../contract/exit-codes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { reasonOf } from '../../contract/system-reason.js';
import { makeDirectory } from '../../system/make-directory.js';
import { placeFile } from '../../system/place-file.js';
import { retryInUse } from '../../system/retry-in-use.js';

/** A file that a result may be written to, as checked before anything was sent. */
export interface OutputFile {
  /** Behind symbolic links. */
  path: string;
  name: string;
  /** A pipe or a device, which is written to and not replaced. */
  isSpecial: boolean;
  /** Otherwise a file that came to be meanwhile is left alone. */
  mayReplace: boolean;
  /** Makes the directories above it. */
  makesDirectory: boolean;
  /** Present for the first file of a result that is several: what stands around the number at the end of its name. */
  series?: { before: string; after: string };
}

/** The text of one file, or of each file of a series. */
export type FileContent = string | Uint8Array | readonly string[];

/** Returns a file of a series by its number from 1; `*` gives the pattern of their names. */
export function fileOfSeries(file: OutputFile, number: number | '*'): OutputFile {
  const { before = '', after = '' } = file.series ?? {};
  return renameEnd(file, `${before}${number}${after}`);
}

/** Returns the one file of a result that turns out to have no parts. */
export function withoutSeries(file: OutputFile): OutputFile {
  return renameEnd(file, file.series?.after ?? '');
}

function renameEnd({ series, ...file }: OutputFile, end: string): OutputFile {
  if (series === undefined) return file;
  const length = `${series.before}1${series.after}`.length;
  const rename = (name: string) => `${name.slice(0, -length)}${end}`;
  return { ...file, path: rename(file.path), name: rename(file.name) };
}

/** @throws OcrError OUTPUT_UNWRITABLE; USAGE where it exists and is not to be overwritten */
export async function checkOutputFile(
  name: string,
  { isForced, inputs }: { isForced: boolean; inputs: readonly string[] },
): Promise<OutputFile> {
  const path = await realpath(name).catch(() => resolve(name));
  const found = await statOutput(path, name);
  if (found?.isDirectory()) throw unwritableOutput(name, 'it is a directory');
  if (name.endsWith('/') || name.endsWith(sep)) throw unwritableOutput(name, 'there is no such directory');
  for (const input of inputs) {
    const document = await stat(input).catch(() => undefined);
    if (found !== undefined && document?.ino === found.ino && document.dev === found.dev) {
      throw new OcrError('USAGE', `The output ${name} is the document itself; nothing was sent`);
    }
  }
  if (found !== undefined && !isReplaceable(found)) {
    return { path, name, isSpecial: true, mayReplace: true, makesDirectory: false };
  }
  if (found !== undefined && !isForced) {
    throw new OcrError('USAGE', `The output ${name} already exists`, {
      hint: 'Use --force to overwrite it.',
    });
  }
  await access(dirname(path), constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw unwritableOutput(name, error.code === 'ENOENT' ? 'its directory does not exist' : reasonOf(error));
  });
  return { path, name, isSpecial: false, mayReplace: isForced, makesDirectory: false };
}

/** True for a file, and for a link to nowhere, which is replaced like one. */
export const isReplaceable = (found: Stats): boolean => found.isFile() || found.isSymbolicLink();

const SHORTER = 'Give the document a shorter name, or name the output: -o';

/** Returns the file at the path, if there is one, or the link if that leads nowhere. @throws OcrError OUTPUT_UNWRITABLE for a name that the file system takes for no file */
export async function statOutput(path: string, name: string): Promise<Stats | undefined> {
  return await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENAMETOOLONG') throw unwritableOutput(name, 'its name is too long; nothing was sent', SHORTER);
    return lstat(path).catch(() => undefined);
  });
}

/**
 * Under a temporary name first: whoever looks finds the file whole or not at all. A pipe waits for its reader.
 * @throws OcrError OUTPUT_UNWRITABLE; the signal's reason
 */
export async function writeOutputFile(file: OutputFile, content: FileContent, signal: AbortSignal): Promise<void> {
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) return await writeSeries(file, content, signal);
  try {
    if (file.isSpecial) return await writeSpecial(file, content, signal);
    if (file.makesDirectory) makeDirectory(dirname(file.path));
    // Not made from the name, which may be as long as names can be.
    const temporary = join(dirname(file.path), `.ocr-${randomBytes(6).toString('hex')}.tmp`);
    try {
      const replaced = file.mayReplace ? await stat(file.path).catch(() => undefined) : undefined;
      const handle = await open(temporary, 'wx', replaced === undefined ? undefined : 0o600);
      try {
        await handle.writeFile(content);
        if (replaced !== undefined) await keepAccess(handle, replaced);
        await handle.sync();
      } finally {
        await handle.close();
      }
      if (file.mayReplace) await retryInUse(() => rename(temporary, file.path));
      else if (!(await placeFile(temporary, file.path))) throw new Error('it appeared in the meantime');
    } catch (error) {
      await unlink(temporary).catch(() => {});
      throw error;
    }
  } catch (error) {
    if (error === signal.reason) throw error;
    throw new OcrError('OUTPUT_UNWRITABLE', `Cannot write ${file.name}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Files of an earlier run that had more parts are removed: they would pass for parts of this result. */
async function writeSeries(file: OutputFile, contents: readonly string[], signal: AbortSignal): Promise<void> {
  for (const [index, content] of contents.entries())
    await writeOutputFile(fileOfSeries(file, index + 1), content, signal);
  if (!file.mayReplace) return;
  let isLeft = true;
  for (let number = contents.length + 1; isLeft; number++) {
    isLeft = await unlink(fileOfSeries(file, number).path).then(
      () => true,
      () => false,
    );
  }
}

/** Copies owner and mode from the file that is replaced: its access was decided there. Only root may give it to another owner. */
async function keepAccess(handle: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  await handle.chown(uid, gid).catch(() => {});
  await handle.chmod(mode & 0o777);
}

async function writeSpecial({ path }: OutputFile, content: string | Uint8Array, signal: AbortSignal): Promise<void> {
  if (!(await stat(path)).isFIFO()) return await writeFile(path, content);
  const { writePipe } = await import('../input/named-pipe.js');
  await writePipe(path, content, signal);
}

/** Found before anything was sent. */
export function unwritableOutput(name: string, reason: string, hint?: string): OcrError {
  return new OcrError('OUTPUT_UNWRITABLE', `Cannot write ${name}: ${reason}`, { exitCode: EXIT.usage, hint });
}
