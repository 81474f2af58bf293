import { stat } from 'node:fs/promises';
import type { CatalogFunction } from '../api/read-catalog.js';
import type { Context } from '../context.js';
import { OcrError } from '../contract/ocr-error.js';
import { lookAtInput, unreadableInput } from '../io/input-file.js';
import { readList } from '../io/read-list.js';
import { acceptsType, sniffType } from '../io/sniff-type.js';
import { walkDirectory } from '../io/walk-directory.js';

/** One line of output. */
export interface PlannedInput {
  /** As it was named; a file of a directory by its path with that directory's name as it was typed. `-`: standard input. */
  input: string;
  /** Below the directory that was named, with `/`; undefined for an input that was named itself. */
  below: string | undefined;
  /** Why it cannot be sent at all. */
  error?: OcrError;
}

export interface InputSources {
  /** Files, directories, `-`. */
  inputs: readonly string[];
  /** A file that names more, `-` for standard input. */
  filesFrom?: string;
  isNulSeparated: boolean;
}

const SHOWN_SKIPPED = 5;

/** The inputs as they were named, those of the list after those of the command line. @throws OcrError */
export async function nameInputs({ io, signal }: Context, sources: InputSources): Promise<string[]> {
  const { inputs, filesFrom, isNulSeparated } = sources;
  const listed = filesFrom === undefined ? [] : await readList(filesFrom, { stdin: io.stdin, isNulSeparated, signal });
  const names = [...inputs, ...listed];
  const fromStdin = names.filter((name) => name === '-').length + (filesFrom === '-' ? 1 : 0);
  if (fromStdin > 1) throw new OcrError('USAGE', 'Standard input can be read only once');
  return names;
}

/**
 * Every input that is to be sent, in order: directories are walked, and of their files those that the function does not
 * accept are skipped, with a note. What is wrong with one is kept with it.
 * @throws OcrError the catalog's NOT_FOUND; the signal's reason
 */
export async function planInputs(
  context: Context,
  names: readonly string[],
  findFunction: () => Promise<CatalogFunction | undefined>,
): Promise<PlannedInput[]> {
  const planned: PlannedInput[] = [];
  for (const name of names) {
    context.signal.throwIfAborted();
    const found = name === '-' ? 'standard input' : await lookAt(name);
    if (found === 'directory') {
      const accepted = (await findFunction())?.acceptedTypes;
      for await (const found of planDirectory(context, name, accepted)) planned.push(found);
    } else {
      const fault = found instanceof OcrError ? { error: found } : {};
      planned.push({ input: name, below: undefined, ...fault });
    }
  }
  return planned;
}

async function* planDirectory(
  context: Context,
  root: string,
  accepted: readonly string[] | undefined,
): AsyncGenerator<PlannedInput> {
  const skipped: string[] = [];
  let count = 0;
  for await (const found of walkDirectory(root)) {
    context.signal.throwIfAborted();
    count++;
    if ('error' in found) {
      yield { input: found.path, below: found.path, error: unreadableInput(found.path, found.error) };
      continue;
    }
    const { path: input, below } = found;
    let type: string | undefined;
    try {
      if (accepted !== undefined) type = await sniffType(input);
    } catch (error) {
      yield { input, below, error: unreadableInput(input, error as NodeJS.ErrnoException) };
      continue;
    }
    if (accepted !== undefined && !acceptsType(accepted, type)) skipped.push(`${input} (${type ?? 'unknown type'})`);
    else yield { input, below };
  }
  const { output } = context;
  if (skipped.length > 0) {
    const more = skipped.length > SHOWN_SKIPPED ? `, and ${skipped.length - SHOWN_SKIPPED} more` : '';
    const files = skipped.length === 1 ? 'a file' : `${skipped.length} files`;
    output.note(
      `Skipped ${files} of types that are not accepted: ${skipped.slice(0, SHOWN_SKIPPED).join(', ')}${more}`,
    );
  }
  if (count === skipped.length) output.note(`Nothing to send in ${root}`);
}

async function lookAt(path: string): Promise<'directory' | 'file' | OcrError> {
  try {
    await lookAtInput(path);
    return 'file';
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
