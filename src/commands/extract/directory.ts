import type { Context } from '../../context.js';
import { countOf } from '../../contract/count-of.js';
import { unreadableInput } from '../../io/input/input-file.js';
import type { PlannedInput } from '../../io/input/planned-input.js';
import { acceptsType, sniffType, typeOfName } from '../../io/input/sniff-type.js';
import { walkDirectory } from '../../io/input/walk-directory.js';

const SHOWN_SKIPPED = 5;

/**
 * The files of a directory. Those of types that are not in `accepted`, where that is known, are skipped, with a note: by
 * their content, and by their name where that is of no type, since an empty or garbled `scan.pdf` is no file to pass over.
 */
export async function* planDirectory(
  context: Context,
  root: string,
  accepted: readonly string[] | undefined,
): AsyncGenerator<PlannedInput> {
  const skipped: string[] = [];
  const links: string[] = [];
  let count = 0;
  for await (const found of walkDirectory(root)) {
    context.signal.throwIfAborted();
    if ('isUnfollowed' in found) {
      links.push(found.path);
      continue;
    }
    count++;
    if ('error' in found) {
      yield { input: found.path, below: found.path, error: unreadableInput(found.path, found.error) };
      continue;
    }
    const { path: input, below } = found;
    let type: string | undefined;
    try {
      if (accepted !== undefined) type = (await sniffType(input)) ?? typeOfName(input);
    } catch (error) {
      yield { input, below, error: unreadableInput(input, error as NodeJS.ErrnoException) };
      continue;
    }
    if (accepted !== undefined && !acceptsType(accepted, type)) skipped.push(`${input} (${type ?? 'unknown type'})`);
    else yield { input, below };
  }
  const { output } = context;
  if (skipped.length > 0) {
    output.note(`Skipped ${countOf(skipped.length, 'file')} of types that are not accepted: ${firstOf(skipped)}`);
  }
  if (links.length > 0) {
    output.note(
      `Skipped ${countOf(links.length, 'link')} to directories; to send what is there, name it: ${firstOf(links)}`,
    );
  }
  if (count === skipped.length) output.note(`Nothing to send in ${root}`);
}

function firstOf(names: readonly string[]): string {
  const more = names.length > SHOWN_SKIPPED ? `, and ${names.length - SHOWN_SKIPPED} more` : '';
  return `${names.slice(0, SHOWN_SKIPPED).join(', ')}${more}`;
}
