import { stat } from 'node:fs/promises';
import type { Context } from '../../context.js';
import { countOf } from '../../contract/count-of.js';
import type { ListedInput, Listing } from '../../io/input/listed-input.js';
import type { OutputFile } from '../../io/output/output-file.js';

/** Inputs with their output files, and what is skipped between them. */
interface Work {
  inputs: ListedInput[];
  files: OutputFile[];
  skipped: Listing['skipped'];
}

/** Leaves out inputs whose output is newer than they are. Each gets a line with --json, as a skipped file does. */
export async function skipExisting(
  { inputs, files, skipped }: Work,
  { output, io }: Pick<Context, 'output' | 'io'>,
): Promise<Work & { existingCount: number }> {
  const kept: Work = { inputs: [], files: [], skipped: [] };
  let existingCount = 0;
  const waiting = [...skipped];
  const takeSkipped = (position: number) => {
    while (waiting[0] !== undefined && waiting[0].position <= position) {
      kept.skipped.push({ ...(waiting.shift() as Listing['skipped'][number]), position: kept.inputs.length });
    }
  };
  for (const [index, item] of inputs.entries()) {
    takeSkipped(index);
    const file = files[index];
    if (file !== undefined && (await hasNewerOutput(item, file))) {
      kept.skipped.push({ input: item.input, skipped: 'existing output', position: kept.inputs.length });
      existingCount++;
    } else {
      kept.inputs.push(item);
      if (file !== undefined) kept.files.push(file);
    }
  }
  takeSkipped(inputs.length);
  // The summary on a terminal counts them.
  const isSummarised = io.stderr.isTerminal && kept.inputs.length + kept.skipped.length > 1;
  if (existingCount > 0 && !isSummarised)
    output.note(`Skipped ${countOf(existingCount, 'input')} with an output that is newer`);
  return { ...kept, existingCount };
}

/** False for a pipe, which has no age, and for an input that cannot be sent. */
async function hasNewerOutput({ input, pipeName, error }: ListedInput, { path }: OutputFile): Promise<boolean> {
  if (pipeName !== undefined || error !== undefined) return false;
  const [document, output] = await Promise.all([input, path].map((name) => stat(name).catch(() => undefined)));
  return document !== undefined && output?.isFile() === true && output.mtimeMs > document.mtimeMs;
}
