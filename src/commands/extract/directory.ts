import type { Context } from '../../context.js';
import { countOf } from '../../contract/count-of.js';
import { unreadableInput } from '../../io/input/input-file.js';
import type { ListedInput } from '../../io/input/listed-input.js';
import { acceptsType, sniffType, typeOfName } from '../../io/input/sniff-type.js';
import { walkDirectory } from '../../io/input/walk-directory.js';

/** Skipped files that a note names; more would hide the other notes. */
const MAX_SHOWN = 5;

/**
 * Lists the files of a directory. Files whose type is not in `accepted` (if known) are skipped, with a note. The content
 * tells the type, or else the name: an empty or garbled `scan.pdf` must not be skipped.
 */
export async function* listDirectory(
  context: Context,
  root: string,
  accepted: readonly string[] | undefined,
): AsyncGenerator<ListedInput> {
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
  const more = names.length > MAX_SHOWN ? `, and ${names.length - MAX_SHOWN} more` : '';
  return `${names.slice(0, MAX_SHOWN).join(', ')}${more}`;
}
