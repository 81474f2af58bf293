import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OcrError } from '../contract/ocr-error.js';
import { ownedPrefix, removeLeftovers } from '../system/leftovers.js';
import { type InputFile, openInput } from './input-file.js';

const SPOOL = 'ocr-stdin';

/** Standard input, kept in a temporary file for as long as it may have to be sent again. */
export async function openStandardInput(
  stdin: NodeJS.ReadStream,
  name: string | undefined,
  signal: AbortSignal,
): Promise<InputFile> {
  if (stdin.isTTY) {
    throw new OcrError('USAGE', 'Standard input is a terminal', {
      hint: 'Pipe a document into it: ocr extract - < file',
    });
  }
  await removeLeftovers(tmpdir(), SPOOL);
  const directory = await mkdtemp(join(tmpdir(), ownedPrefix(SPOOL))).catch((error: NodeJS.ErrnoException) => {
    throw notKept(tmpdir(), error);
  });
  // Also when a second signal ends the process at once.
  const removeAtExit = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  const dispose = async () => {
    await rm(directory, { recursive: true, force: true });
    process.removeListener('exit', removeAtExit);
  };
  try {
    const path = join(directory, randomBytes(4).toString('hex'));
    await pipeline(stdin, createWriteStream(path, { mode: 0o600 }), { signal }).catch(
      (error: NodeJS.ErrnoException) => {
        signal.throwIfAborted();
        throw notKept(directory, error);
      },
    );
    const file = await openInput(path, signal).catch((error: OcrError) => {
      throw error.code === 'FILE_EMPTY' ? new OcrError('FILE_EMPTY', 'Standard input is empty') : error;
    });
    return { ...file, name: name ?? 'stdin', dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function notKept(directory: string, error: NodeJS.ErrnoException): OcrError {
  const message = `Cannot store standard input in ${directory}: ${error.code ?? error.message}`;
  return new OcrError('FILE_UNREADABLE', message, { hint: 'Set TMPDIR to a directory with space.', cause: error });
}
