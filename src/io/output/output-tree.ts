import { constants, type Stats } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { OcrError } from '../../contract/ocr-error.js';
import { reasonOf } from '../../contract/system-reason.js';
import { fileName } from '../../system/file-name.js';
import type { ListedInput } from '../input/listed-input.js';
import { fileOfSeries, isReplaceable, type OutputFile, statOutput, unwritableOutput } from './output-file.js';

export interface OutputTreeOptions {
  directory: string;
  /** `.txt`, `.md`, `.json` or the function's own; added to the whole name, unless that has it already. */
  extension: string;
  /** A word for a part of a result, where each part is a file of its own: `table`. */
  part?: string | undefined;
  isForced: boolean;
}

/** Systems where `A.pdf` and `a.pdf` are one file. */
const FOLDS_CASE = process.platform === 'darwin' || process.platform === 'win32';

/**
 * Plans the output file of each input: an input that was named itself keeps its name, a file of a named directory its
 * path below that. Nothing is made yet.
 * @throws OcrError USAGE where two meet, or one exists and is not to be overwritten or is an input; OUTPUT_UNWRITABLE
 */
export async function planOutputTree(
  inputs: readonly ListedInput[],
  options: OutputTreeOptions,
): Promise<OutputFile[]> {
  const { directory, isForced, part, extension } = options;
  const series = part === undefined ? undefined : { before: `.${part}-`, after: extension };
  const taken = new Map<string, string>();
  const parents = new Map<string, string>();
  const files: OutputFile[] = [];
  for (const planned of inputs) {
    const { input } = planned;
    const name = join(directory, nameOf(planned, series === undefined ? extension : `${series.before}1${extension}`));
    const path = resolve(name);
    const key = keyOf(path);
    const other = taken.get(key) ?? parents.get(key);
    if (other !== undefined) throw collision(other, input, name);
    taken.set(key, input);
    for (let up = dirname(path); up.length > resolve(directory).length; up = dirname(up)) {
      const file = taken.get(keyOf(up));
      if (file !== undefined) throw collision(file, input, up);
      if (parents.has(keyOf(up))) break;
      parents.set(keyOf(up), input);
    }
    const file = { path, name, isSpecial: false, mayReplace: isForced, makesDirectory: true };
    files.push(series === undefined ? file : { ...file, series });
  }
  /** The nearest existing directory, by the directory that is needed. */
  const bases = new Map<string, string>();
  let documents: Set<string> | undefined;
  for (const { path, name } of await addOthersOfSeries(files)) {
    const found = await statOutput(path, name);
    if (found !== undefined) {
      documents ??= await findFiles(inputs);
      if (documents.has(idOf(found))) throw overwritten(name);
      if (!isForced || !isReplaceable(found)) throw existing(name, isReplaceable(found));
    }
    const above = dirname(path);
    const base = bases.get(above) ?? (await checkDirectory(above, name));
    bases.set(above, base);
    // A name in a directory that does not exist yet was not checked by the loop above.
    if (base !== above) await statOutput(join(base, basename(path)), name);
  }
  return files;
}

function nameOf({ input, below, pipeName }: ListedInput, extension: string): string {
  const path = below ?? basename(pipeName ?? resolve(input));
  const segments = path.split('/').filter((segment) => segment !== '..' && segment !== '.' && segment !== '');
  const whole = segments.map((segment) => fileName(segment)).join('/');
  return whole.toLowerCase().endsWith(extension) ? whole : `${whole}${extension}`;
}

/** Adds the files of a series that are there already: the result may have as many parts. */
async function addOthersOfSeries(files: readonly OutputFile[]): Promise<OutputFile[]> {
  const found: OutputFile[] = [];
  const listings = new Map<string, string[]>();
  for (const file of files) {
    found.push(file);
    if (file.series === undefined) continue;
    const directory = dirname(file.path);
    const names = listings.get(directory) ?? (await readdir(directory).catch(() => []));
    listings.set(directory, names);
    const [start = '', end = ''] = basename(fileOfSeries(file, '*').path).split('*');
    for (const name of names) {
      const number = name.startsWith(start) && name.endsWith(end) ? name.slice(start.length, -end.length) : '';
      if (/^[1-9]\d{0,8}$/.test(number) && number !== '1') found.push(fileOfSeries(file, Number(number)));
    }
  }
  return found;
}

async function findFiles(inputs: readonly ListedInput[]): Promise<Set<string>> {
  const found = await Promise.all(inputs.map(({ input }) => stat(input).catch(() => undefined)));
  return new Set(found.flatMap((file) => (file === undefined ? [] : [idOf(file)])));
}

function idOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function keyOf(path: string): string {
  return FOLDS_CASE ? path.normalize('NFC').toLowerCase() : path;
}

/** The directory itself or the nearest one above it that is there: it is made when the first result is. */
async function checkDirectory(path: string, name: string): Promise<string> {
  let at = path;
  let found = await stat(at).catch((error: NodeJS.ErrnoException) => error);
  while (found instanceof Error && found.code === 'ENOENT' && dirname(at) !== at) {
    at = dirname(at);
    found = await stat(at).catch((error: NodeJS.ErrnoException) => error);
  }
  if (found instanceof Error)
    throw unwritableOutput(name, found.code === 'ENOTDIR' ? `${at} is not a directory` : reasonOf(found));
  if (!found.isDirectory()) throw unwritableOutput(name, `${at} is not a directory`);
  await access(at, constants.W_OK | constants.X_OK).catch((error: NodeJS.ErrnoException) => {
    throw unwritableOutput(name, `${at}: ${reasonOf(error)}`);
  });
  for (const segment of relative(at, path).split(sep)) await statOutput(join(at, segment), name);
  return at;
}

function collision(first: string, second: string, name: string): OcrError {
  return new OcrError('USAGE', `${first} and ${second} would both be written to ${name}; nothing was sent`, {
    hint: 'Name the directory that holds them, whose tree is kept, or run the command once for each.',
  });
}

function overwritten(name: string): OcrError {
  return new OcrError('USAGE', `The output ${name} is a document that is to be sent; nothing was sent`, {
    hint: 'Name another directory: --output-dir <dir>',
  });
}

function existing(name: string, isFile: boolean): OcrError {
  if (!isFile) return unwritableOutput(name, 'something else is there');
  return new OcrError('USAGE', `The output ${name} already exists; nothing was sent`, {
    hint: 'Use --force to overwrite it, also to go on with a command that was interrupted.',
  });
}
