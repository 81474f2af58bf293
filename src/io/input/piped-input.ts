import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OcrError } from '../../contract/ocr-error.js';
import { reasonOf } from '../../contract/system-reason.js';
import { countFreeBytes } from '../../system/full-disk.js';
import { ownedPrefix, removeLeftovers } from '../../system/leftovers.js';
import { type InputFile, openFile, unreadableInput } from './input-file.js';
import { openPipeToRead } from './named-pipe.js';
import { refuseTerminal } from './standard-input.js';

const SPOOL = 'ocr-stdin';
const MIB = 1024 * 1024;
const SPACE_HINT = 'Set TMPDIR to a directory with space.';

/** Standard input to its end. */
export async function openStandardInput(
  stdin: NodeJS.ReadStream,
  name: string,
  signal: AbortSignal,
): Promise<InputFile> {
  refuseTerminal(stdin, 'Pipe a document into it: ocr extract - < file');
  return await storeStream(stdin, { source: 'standard input', name, signal });
}

/** A pipe with a name to its end: `<(command)`, or what mkfifo made. */
export async function openPipe(path: string, name: string, signal: AbortSignal): Promise<InputFile> {
  let pipe: Readable;
  try {
    pipe = openPipeToRead(path);
  } catch (error) {
    throw unreadableInput(path, error as NodeJS.ErrnoException);
  }
  return await storeStream(pipe, { source: path, name, signal });
}

/**
 * Keeps a stream in a temporary file for as long as it may have to be sent again. It may take half of the space that is free: a
 * program that never ends must not take the room of others.
 */
export async function storeStream(
  stream: Readable,
  { source, name, signal }: { source: string; name: string; signal: AbortSignal },
): Promise<InputFile> {
  await removeLeftovers(tmpdir(), SPOOL);
  const directory = await mkdtemp(join(tmpdir(), ownedPrefix(SPOOL))).catch((error: NodeJS.ErrnoException) => {
    throw spoolError(source, tmpdir(), error);
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
    const maxBytes = countFreeBytes(directory) / 2;
    const limit = (chunks: AsyncIterable<Buffer>) => limitBytes(chunks, maxBytes, source);
    await pipeline(stream, limit, createWriteStream(path, { mode: 0o600 }), { signal }).catch(
      (error: NodeJS.ErrnoException) => {
        signal.throwIfAborted();
        if (error instanceof OcrError) throw error;
        if (error !== stream.errored) throw spoolError(source, directory, error);
        throw new OcrError('FILE_UNREADABLE', `Cannot read ${source}: ${reasonOf(error)}`, { cause: error });
      },
    );
    const file = await openFile(path, signal).catch((error: OcrError) => {
      throw error.code === 'FILE_EMPTY' ? new OcrError('FILE_EMPTY', `Nothing came from ${source}`) : error;
    });
    return { ...file, name, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function* limitBytes(chunks: AsyncIterable<Buffer>, maxBytes: number, source: string): AsyncIterable<Buffer> {
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) {
      const size = maxBytes < MIB ? `${Math.floor(maxBytes / 1024)} KiB` : `${Math.floor(maxBytes / MIB)} MiB`;
      const message = `More than ${size} came from ${source}, and it has not ended: half of the free space of ${tmpdir()}`;
      throw new OcrError('FILE_UNREADABLE', message, { hint: SPACE_HINT });
    }
    yield chunk;
  }
}

function spoolError(source: string, directory: string, error: NodeJS.ErrnoException): OcrError {
  const message = `Cannot store ${source} in ${directory}: ${reasonOf(error)}`;
  return new OcrError('FILE_UNREADABLE', message, { hint: SPACE_HINT, cause: error });
}
