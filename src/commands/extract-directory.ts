import type { Context } from '../context.js';
import { countOf } from '../contract/count-of.js';
import { unreadableInput } from '../io/input-file.js';
import type { PlannedInput } from '../io/planned-input.js';
import { acceptsType, sniffType, typeOfName } from '../io/sniff-type.js';
import { walkDirectory } from '../io/walk-directory.js';

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
    const more = skipped.length > SHOWN_SKIPPED ? `, and ${skipped.length - SHOWN_SKIPPED} more` : '';
    output.note(
      `Skipped ${countOf(skipped.length, 'file')} of types that are not accepted: ${skipped.slice(0, SHOWN_SKIPPED).join(', ')}${more}`,
    );
  }
  if (count === skipped.length) output.note(`Nothing to send in ${root}`);
}
