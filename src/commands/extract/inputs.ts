import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { CatalogFunction } from '../../api/catalog/read-catalog.js';
import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import { checkInput } from '../../io/input/input-file.js';
import type { Listing } from '../../io/input/listed-input.js';

export interface InputSources {
  /** Files, directories, `-`. */
  inputs: readonly string[];
  /** A file that names more inputs, `-` for standard input. */
  filesFrom?: string;
  isNulSeparated: boolean;
  /** `@-` when the arguments come on standard input. */
  argsJson?: string;
}

/** Returns the names of the inputs: those of the command line, then those of the list. @throws OcrError */
export async function readInputNames({ io, signal, output }: Context, sources: InputSources): Promise<string[]> {
  const { inputs, filesFrom, isNulSeparated, argsJson } = sources;
  const list = { stdin: io.stdin, isNulSeparated, signal };
  const listed =
    filesFrom === undefined ? [] : await (await import('../../io/input/read-list.js')).readList(filesFrom, list);
  const names = [...inputs, ...listed];
  if (filesFrom !== undefined && listed.length === 0) {
    const message = `Nothing is named ${filesFrom === '-' ? 'on standard input' : `in ${filesFrom}`}`;
    if (names.length === 0) throw nothingToSend(message, []);
    output.note(message);
  }
  const fromStdin = [...names, filesFrom, argsJson === '@-' ? '-' : undefined].filter((name) => name === '-');
  if (fromStdin.length > 1) throw new OcrError('USAGE', 'Standard input can be read only once');
  return names;
}

export interface ListOptions {
  stdinName: string;
  findFunction: () => Promise<CatalogFunction | undefined>;
  /** True for a file of a directory that is left out without a word. */
  isIgnored: ((path: string) => boolean) | undefined;
}

/**
 * Lists every input to send, in order. Directories are walked; files that the function does not accept are skipped, with a
 * note. An input that cannot be sent carries its error. Without any input the caller says what the notes would have said.
 * @throws OcrError the catalog's NOT_FOUND; USAGE for a pipe that is named twice; NOTHING_TO_SEND where nothing was even
 * skipped; the signal's reason
 */
export async function listInputs(
  context: Context,
  names: readonly string[],
  { stdinName, findFunction, isIgnored }: ListOptions,
): Promise<Listing> {
  const { signal, output } = context;
  const { inputs: planned, skipped }: Listing = { inputs: [], skipped: [] };
  const notes: string[] = [];
  const namePipe = createPipeNamer();
  for (const name of names) {
    signal.throwIfAborted();
    const kind = name === '-' ? 'standard input' : await inspect(name);
    if (kind === 'directory') {
      const { listDirectory } = await import('./directory.js');
      const accepted = (await findFunction())?.acceptedTypes;
      const options = { accepted, signal, isIgnored, note: (message: string) => notes.push(message) };
      for await (const found of listDirectory(name, options)) {
        if ('skipped' in found) skipped.push({ ...found, position: planned.length });
        else planned.push(found);
      }
      continue;
    }
    const input = { input: name, below: undefined };
    if (kind instanceof OcrError) planned.push({ ...input, error: kind });
    else if (kind === 'standard input') planned.push({ ...input, pipeName: stdinName });
    else planned.push({ ...input, pipeName: kind.isFIFO() ? namePipe(name, kind) : undefined });
  }
  // With --json the lines of skipped files say it.
  if (planned.length === 0 && !(output.isJson && skipped.length > 0)) throw nothingToSend(notes.pop() ?? '', notes);
  for (const note of notes) output.note(note);
  return { inputs: planned, skipped };
}

function nothingToSend(message: string, notes: readonly string[]): OcrError {
  return new OcrError('NOTHING_TO_SEND', message, notes.length === 0 ? {} : { hint: notes.join('\n') });
}

/** Names pipes. `<(command)` is named by its place among them, since its path is the number of a descriptor. */
function createPipeNamer(): (path: string, found: Stats) => string {
  const seen = new Set<string>();
  let anonymous = 0;
  return (path, { dev, ino }) => {
    const isAnonymous = /^\/(?:dev|proc\/self)\/fd\/\d+$/.test(path);
    // Not every system gives anonymous pipes a device and inode of their own.
    const id = isAnonymous ? path : `${dev}:${ino}`;
    if (seen.has(id)) throw new OcrError('USAGE', `${path} is a pipe, which can be read only once`);
    seen.add(id);
    return isAnonymous ? `pipe-${++anonymous}` : basename(path);
  };
}

async function inspect(path: string): Promise<'directory' | Stats | OcrError> {
  try {
    return await checkInput(path);
  } catch (error) {
    if (!(error instanceof OcrError)) throw error;
    if (error.code !== 'FILE_UNREADABLE') return error;
    const isDirectory = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return isDirectory ? 'directory' : error;
  }
}
