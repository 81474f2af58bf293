import { type InputFile, openFile } from './input-file.js';

export interface InputSource {
  /** `-`: standard input. */
  input: string;
  /** Name given to standard input or a pipe; undefined for a file. */
  pipeName?: string | undefined;
}

/** A pipe is read to its end. @throws OcrError FILE_NOT_FOUND, FILE_UNREADABLE, FILE_EMPTY; the signal's reason */
export async function openInput(
  { input, pipeName }: InputSource,
  { stdin, signal }: { stdin: NodeJS.ReadStream; signal: AbortSignal },
): Promise<InputFile> {
  if (pipeName === undefined) return await openFile(input, signal);
  const { openPipe, openStandardInput } = await import('./piped-input.js');
  return input === '-' ? await openStandardInput(stdin, pipeName, signal) : await openPipe(input, pipeName, signal);
}
