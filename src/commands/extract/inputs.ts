import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { CatalogFunction } from '../../api/catalog/read-catalog.js';
import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import { lookAtInput } from '../../io/input/input-file.js';
import type { PlannedInput } from '../../io/input/planned-input.js';

export interface InputSources {
  /** Files, directories, `-`. */
  inputs: readonly string[];
  /** A file that names more, `-` for standard input. */
  filesFrom?: string;
  isNulSeparated: boolean;
  /** `@-` where the arguments come by standard input. */
  argsJson?: string;
}

/** The inputs as they were named, those of the list after those of the command line. @throws OcrError */
export async function nameInputs({ io, signal, output }: Context, sources: InputSources): Promise<string[]> {
  const { inputs, filesFrom, isNulSeparated, argsJson } = sources;
  const list = { stdin: io.stdin, isNulSeparated, signal };
  const listed =
    filesFrom === undefined ? [] : await (await import('../../io/input/read-list.js')).readList(filesFrom, list);
  if (filesFrom !== undefined && listed.length === 0) {
    output.note(`Nothing is named ${filesFrom === '-' ? 'on standard input' : `in ${filesFrom}`}`);
  }
  const names = [...inputs, ...listed];
  const fromStdin = [...names, filesFrom, argsJson === '@-' ? '-' : undefined].filter((name) => name === '-');
  if (fromStdin.length > 1) throw new OcrError('USAGE', 'Standard input can be read only once');
  return names;
}

/**
 * Every input that is to be sent, in order: directories are walked, and of their files those that the function does not
 * accept are skipped, with a note. What is wrong with one is kept with it.
 * @throws OcrError the catalog's NOT_FOUND; USAGE for a pipe that is named twice; the signal's reason
 */
export async function planInputs(
  context: Context,
  names: readonly string[],
  stdinName: string,
  findFunction: () => Promise<CatalogFunction | undefined>,
): Promise<PlannedInput[]> {
  const planned: PlannedInput[] = [];
  const namePipe = createPipeNames();
  for (const name of names) {
    context.signal.throwIfAborted();
    const found = name === '-' ? 'standard input' : await lookAt(name);
    if (found === 'directory') {
      const { planDirectory } = await import('./directory.js');
      const accepted = (await findFunction())?.acceptedTypes;
      for await (const found of planDirectory(context, name, accepted)) planned.push(found);
      continue;
    }
    const own = { input: name, below: undefined };
    if (found instanceof OcrError) planned.push({ ...own, error: found });
    else if (found === 'standard input') planned.push({ ...own, pipeName: stdinName });
    else planned.push({ ...own, pipeName: found.isFIFO() ? namePipe(name, found) : undefined });
  }
  return planned;
}

/** What pipes are called: `<(command)` by its place among them, for its path is the number of a descriptor. */
function createPipeNames(): (path: string, found: Stats) => string {
  const seen = new Set<string>();
  let anonymous = 0;
  return (path, { dev, ino }) => {
    const isAnonymous = /^\/(?:dev|proc\/self)\/fd\/\d+$/.test(path);
    // Not every system numbers those that have no name.
    const id = isAnonymous ? path : `${dev}:${ino}`;
    if (seen.has(id)) throw new OcrError('USAGE', `${path} is a pipe, which can be read only once`);
    seen.add(id);
    return isAnonymous ? `pipe-${++anonymous}` : basename(path);
  };
}

async function lookAt(path: string): Promise<'directory' | Stats | OcrError> {
  try {
    return await lookAtInput(path);
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
