import { createHash } from 'node:crypto';
import { constants, readlinkSync, type Stats } from 'node:fs';
import { access, open, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { quote } from '../../contract/command-words.js';
import { OcrError } from '../../contract/ocr-error.js';
import { reasonOf } from '../../contract/system-reason.js';

const CHUNK_BYTES = 1024 * 1024;
/** Size up to which a document is kept from its first reading, so that it is not read again when it is sent. */
const MAX_KEPT_BYTES = 64 * 1024;

/** A document as it was when it was looked at. */
export interface InputFile {
  path: string;
  /** The file name that is sent; the service only logs it. */
  name: string;
  sizeBytes: number;
  mtimeMs: number;
  /** Lower-case hex. */
  sha256: string;
  /** The whole of a small document. */
  bytes?: Uint8Array;
  /** Removes what was made to read it. */
  dispose(): Promise<void>;
}

export async function openFile(path: string, signal: AbortSignal): Promise<InputFile> {
  const found = await findInput(path);
  const { mtimeMs } = found;
  const content = await readContent(path, found.size, signal).catch((error: NodeJS.ErrnoException) => {
    throw error instanceof OcrError ? error : unreadableInput(path, error);
  });
  return { path, name: basename(path), mtimeMs, ...content, dispose: async () => {} };
}

/** Checks, without reading it, that the input can be a document. @throws OcrError FILE_NOT_FOUND, FILE_UNREADABLE, FILE_EMPTY */
export async function checkInput(path: string): Promise<Stats> {
  const found = await findInput(path);
  await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    throw unreadableInput(path, error);
  });
  return found;
}

/** Before it is opened: to open a pipe would wait for somebody to write into it. */
async function findInput(path: string): Promise<Stats> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadableInput(path, error);
  });
  if (found.isDirectory()) {
    throw new OcrError('FILE_UNREADABLE', `${path} is a directory`, {
      hint: 'Name a file of it. Whole directories: ocr extract',
    });
  }
  if (!found.isFile() && !found.isFIFO()) {
    throw new OcrError('FILE_UNREADABLE', `${path} is neither a file nor a pipe`, {
      hint: 'To read what a program writes, use standard input: ocr extract -',
    });
  }
  if (found.isFile() && found.size === 0) throw new OcrError('FILE_EMPTY', `${path} is empty`);
  return found;
}

async function readContent(
  path: string,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<Pick<InputFile, 'sizeBytes' | 'sha256' | 'bytes'>> {
  if (sizeBytes > MAX_KEPT_BYTES) return { sizeBytes, sha256: await hashFile(path, sizeBytes, signal) };
  const bytes = await readFile(path);
  return { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), bytes };
}

async function hashFile(path: string, sizeBytes: number, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(path, 'r');
  try {
    // One more than it should hold: what grew is read to its end. Two taken in turn: one is read while the other is hashed.
    const sizeToRead = Math.min(CHUNK_BYTES, sizeBytes + 1);
    const buffers = [Buffer.allocUnsafe(sizeToRead), Buffer.allocUnsafe(sizeToRead)] as const;
    const read = (turn: number) => {
      const reading = handle.read(buffers[(turn % 2) as 0 | 1], 0, sizeToRead, null);
      // Thrown where it is awaited; until then it must not count as unhandled.
      reading.catch(() => {});
      return reading;
    };
    let next = read(0);
    for (let turn = 1; ; turn++) {
      signal.throwIfAborted();
      const { bytesRead, buffer } = await next;
      if (bytesRead === 0) return hash.digest('hex');
      next = read(turn);
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** Node replaces the bytes of a name that are not UTF-8, and then finds no such file. */
export function hasUndecodableName(path: string): boolean {
  return path.includes('\ufffd');
}

/** Returns what a symbolic link holds; undefined for a path that is none. */
function findLinkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Why the system does not let it be read. */
export function unreadableInput(path: string, error: NodeJS.ErrnoException): OcrError {
  if (error.code === 'ENOENT' && hasUndecodableName(path)) {
    return new OcrError('FILE_UNREADABLE', `Cannot open ${path}: its name is not UTF-8`, {
      hint: 'Rename it, or pipe it in: ocr extract --name <name> - < <file>',
      cause: error,
    });
  }
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    const target = findLinkTarget(path);
    if (target !== undefined)
      return new OcrError('FILE_NOT_FOUND', `${path} is a symbolic link to ${target}, which does not exist`, {
        cause: error,
      });
    return new OcrError('FILE_NOT_FOUND', `No such file: ${path === '' ? 'the name is empty' : path}`, {
      hint: adviseOnUrl(path),
      cause: error,
    });
  }
  if (error.code === 'EMFILE') {
    return new OcrError('FILE_UNREADABLE', `Cannot read ${path}: too many files are open`, {
      hint: 'Send fewer at once (--concurrency), or allow more files (ulimit -n).',
      cause: error,
    });
  }
  return new OcrError('FILE_UNREADABLE', `Cannot read ${path}: ${reasonOf(error)}`, { cause: error });
}

/** Returns the command for an address instead of a path. */
function adviseOnUrl(path: string): string | undefined {
  if (/^https?:\/\//i.test(path)) return `Fetch it first: curl -fL ${quote(path)} | ocr extract -`;
  if (!/^file:\/\//i.test(path) || !URL.canParse(path)) return undefined;
  return `Name its path: ocr extract ${quote(decodeURIComponent(new URL(path).pathname))}`;
}
