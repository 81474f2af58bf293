import { OcrError } from '../../contract/ocr-error.js';
import { reasonOf } from '../../contract/system-reason.js';
import { decodeText } from './decode-text.js';
import { readFileOrPipe } from './read-file.js';
import { readStandardInput, refuseTerminal } from './standard-input.js';

export interface ReadListOptions {
  stdin: NodeJS.ReadStream;
  /** Names end with NUL, as `find -print0` writes them; otherwise with a newline. */
  isNulSeparated: boolean;
  signal: AbortSignal;
}

const PIPE_HINT = "Pipe a list of names into it: find . -name '*.pdf' | ocr extract --files-from -";

/** The names in a list of inputs, `-` for standard input, in their order. @throws OcrError USAGE, FILE_NOT_FOUND */
export async function readList(source: string, { stdin, isNulSeparated, signal }: ReadListOptions): Promise<string[]> {
  const isStandardInput = source === '-';
  if (isStandardInput) refuseTerminal(stdin, PIPE_HINT);
  const text = isStandardInput
    ? decodeText(await readStandardInput(stdin, signal))
    : await readListFile(source, signal);
  if (isNulSeparated) return text.split('\0').filter((name) => name !== '');
  if (text.includes('\0')) {
    const where = isStandardInput ? 'standard input' : source;
    throw new OcrError('USAGE', `The names in ${where} end with NUL`, { hint: 'Add -0, as for find -print0.' });
  }
  return text.split(/\r?\n/).filter((name) => name !== '');
}

async function readListFile(path: string, signal: AbortSignal): Promise<string> {
  try {
    return decodeText(await readFileOrPipe(path, signal));
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new OcrError('FILE_NOT_FOUND', `No such list of inputs: ${path}`, { cause: error });
    throw new OcrError('FILE_UNREADABLE', `Cannot read the list of inputs ${path}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
