import { realpathSync, statSync } from 'node:fs';
import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import { unreadableInput } from '../../io/input/input-file.js';
import { walkDirectory } from '../../io/input/walk-directory.js';
import { extract } from '../extract/extract.js';
import type { ExtractOptions } from '../extract/options.js';
import { createFunctionFinder, namingOf, planRequest, withFormatOfFiles } from '../extract/plan.js';
import { createIgnore } from './own-files.js';
import { waitUntilSettled } from './settled-files.js';
import { isWithin } from './watched-directory.js';
import { WatchedDocuments } from './watched-documents.js';

export interface WatchOptions extends ExtractOptions {
  outputDir: string;
  /** Takes what is there, and ends. */
  isOnce: boolean;
  /** Looks again and again instead of waiting for the system to tell. */
  polls: boolean;
}

/** Sends the documents of directories as they appear or change, and writes each result to a file. SIGTERM ends it after what is under way. */
export async function watch(context: Context, typed: WatchOptions): Promise<void> {
  const options = await withFormatOfFiles(context, typed);
  const directories = options.inputs;
  checkDirectories(directories);
  const name = options.function ?? (await context.settings()).function.value;
  const findFunction = createFunctionFinder(context, name, { mayStart: true });
  const request = await planRequest(context, options, name, findFunction);
  const naming = namingOf(request, options);
  const isIgnored = createIgnore({ directories, outputDir: options.outputDir, ...naming });
  if (options.isOnce) {
    await waitUntilSettled(await listFiles(directories, isIgnored), context.signal);
    return await extract(context, { ...options, isIgnored });
  }
  const ended = new AbortController();
  // SIGTERM does not cut off what is under way, as Ctrl-C does.
  const own = context.withSignal(ended.signal);
  const documents = new WatchedDocuments(own, { ...options, request, naming, findFunction });
  const onSignal = () => {
    const reason = context.signal.reason as OcrError;
    if (reason.code === 'TERMINATED') documents.end();
    else ended.abort(reason);
  };
  context.signal.addEventListener('abort', onSignal, { once: true });
  if (context.signal.aborted) onSignal();
  try {
    context.exitCode = await documents.follow(directories, { isIgnored, polls: options.polls });
  } finally {
    context.signal.removeEventListener('abort', onSignal);
    await own.close();
  }
}

/** @throws OcrError FILE_NOT_FOUND, USAGE */
function checkDirectories(directories: readonly string[]): void {
  const seen: Array<{ name: string; path: string }> = [];
  for (const name of directories) {
    let isDirectory: boolean;
    try {
      isDirectory = statSync(name).isDirectory();
    } catch (error) {
      throw unreadableInput(name, error as NodeJS.ErrnoException);
    }
    if (!isDirectory) {
      throw new OcrError('USAGE', `${name} is not a directory`, { hint: 'For single files: ocr extract' });
    }
    const path = realpathSync(name);
    const other = seen.find((known) => isWithin(known.path, path) || isWithin(path, known.path));
    if (other !== undefined) {
      throw new OcrError('USAGE', `${name} and ${other.name} hold the same files, which would be sent twice`);
    }
    seen.push({ name, path });
  }
}

async function listFiles(directories: readonly string[], isIgnored: (path: string) => boolean): Promise<string[]> {
  const files: string[] = [];
  for (const directory of directories) {
    for await (const found of walkDirectory(directory))
      if (!('leftOut' in found || isIgnored(found.path))) files.push(found.path);
  }
  return files;
}
