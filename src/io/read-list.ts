import { OcrError } from '../contract/ocr-error.js';
import { decodeText } from './decode-text.js';
import { readFileOrPipe } from './read-file.js';

export interface ReadListOptions {
  stdin: NodeJS.ReadStream;
  /** Names end with NUL, as `find -print0` writes them; otherwise with a newline. */
  isNulSeparated: boolean;
  signal: AbortSignal;
}

/** The names in a list of inputs, `-` for standard input, in their order. @throws OcrError USAGE, FILE_NOT_FOUND */
export async function readList(source: string, options: ReadListOptions): Promise<string[]> {
  const text = source === '-' ? await readStandardInput(options) : await readListFile(source, options.signal);
  if (options.isNulSeparated) return text.split('\0').filter((name) => name !== '');
  return text.split(/\r?\n/).filter((name) => name !== '');
}

async function readListFile(path: string, signal: AbortSignal): Promise<string> {
  try {
    return decodeText(await readFileOrPipe(path, signal));
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new OcrError('FILE_NOT_FOUND', `No such list of inputs: ${path}`, { cause: error });
    throw new OcrError('FILE_UNREADABLE', `Cannot read the list of inputs ${path}: ${code}`, { cause: error });
  }
}

async function readStandardInput({ stdin, signal }: ReadListOptions): Promise<string> {
  if (stdin.isTTY) {
    throw new OcrError('USAGE', 'Standard input is a terminal', {
      hint: "Pipe a list of names into it: find . -name '*.pdf' | ocr extract --files-from -",
    });
  }
  const chunks: Buffer[] = [];
  const stop = () => stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stdin) chunks.push(chunk as Buffer);
  } finally {
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
  }
  return decodeText(Buffer.concat(chunks));
}
