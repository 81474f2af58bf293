import { countOf } from '../../contract/count-of.js';
import { unreadableInput } from '../../io/input/input-file.js';
import type { ListedInput, SkippedFile } from '../../io/input/listed-input.js';
import { type ForeignFile, findForeignType } from '../../io/input/sniff-type.js';
import { type LeftOut, walkDirectory } from '../../io/input/walk-directory.js';

/** Skipped files that a note names; more would hide the other notes. */
const MAX_SHOWN = 5;

export interface DirectoryOptions {
  /** Types that the function accepts; undefined where they are not known. */
  accepted: readonly string[] | undefined;
  signal: AbortSignal;
  /** True for a file that is left out without a word. */
  isIgnored?: ((path: string) => boolean) | undefined;
  /** Receives a remark on what is not sent, for people. */
  note: (message: string) => void;
}

/**
 * Lists the files of a directory. Files whose type is not in `accepted` (if known) are skipped, with a note. The content
 * tells the type, or else the name: an empty or garbled `scan.pdf` must not be skipped. Hidden files and directories are
 * skipped whatever they hold.
 */
export async function* listDirectory(
  root: string,
  { accepted, signal, isIgnored, note }: DirectoryOptions,
): AsyncGenerator<ListedInput | SkippedFile> {
  const skipped: string[] = [];
  const convertible: string[] = [];
  const leftOut: LeftOut[] = [];
  let count = 0;
  for await (const found of walkDirectory(root)) {
    signal.throwIfAborted();
    if (isIgnored?.(found.path)) continue;
    if ('leftOut' in found) {
      leftOut.push(found);
      yield { input: found.path, skipped: found.leftOut };
      continue;
    }
    count++;
    if ('error' in found) {
      yield { input: found.path, below: found.path, error: unreadableInput(found.path, found.error) };
      continue;
    }
    const { path: input, below } = found;
    let foreign: ForeignFile | undefined;
    try {
      if (accepted !== undefined) foreign = await findForeignType(input, accepted);
    } catch (error) {
      yield { input, below, error: unreadableInput(input, error as NodeJS.ErrnoException) };
      continue;
    }
    if (foreign !== undefined) {
      skipped.push(`${input} (${putInBrackets(foreign.what)})`);
      if (foreign.isConvertible) convertible.push(input);
      yield { input, skipped: foreign.what };
    } else yield { input, below };
  }
  if (skipped.length > 0) {
    note(`Skipped ${countOf(skipped.length, 'file')} of types that are not accepted: ${firstOf(skipped)}`);
  }
  if (convertible.length > 0) {
    const { convertCommand } = await import('../../contract/foreign-type.js');
    note(`To send such files, convert them first: ${convertCommand(...convertible.slice(0, MAX_SHOWN))}`);
  }
  const pathsOf = (...reasons: LeftOut['leftOut'][]) =>
    leftOut.filter((one) => reasons.includes(one.leftOut)).map(({ path }) => path);
  const links = pathsOf('link to a directory');
  if (links.length > 0) {
    note(`Skipped ${countOf(links.length, 'link')} to directories; to send what is there, name it: ${firstOf(links)}`);
  }
  const hidden = pathsOf('hidden file', 'hidden directory');
  if (hidden.length > 0)
    note(`Skipped ${countOf(hidden.length, 'hidden name')}; to send one, name it: ${firstOf(hidden)}`);
  const special = pathsOf('pipe or device');
  if (special.length > 0) {
    const what = special.length === 1 ? 'a pipe or device' : `${special.length} pipes or devices`;
    note(`Skipped ${what}; to send what it gives, name it: ${firstOf(special)}`);
  }
  if (count === skipped.length) note(`Nothing to send in ${root}`);
}

/** Brackets within brackets are hard to read. */
export function putInBrackets(what: string): string {
  return what.replace(/ \((.*)\)$/, ', $1');
}

function firstOf(names: readonly string[]): string {
  const more = names.length > MAX_SHOWN ? `, and ${names.length - MAX_SHOWN} more` : '';
  return `${names.slice(0, MAX_SHOWN).join(', ')}${more}`;
}
