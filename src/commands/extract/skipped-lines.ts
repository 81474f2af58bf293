import type { Listing } from '../../io/input/listed-input.js';
import type { Output } from '../../io/output/output.js';

/** Prints the lines that --json has for skipped files, each before the line of the input that follows it. */
export interface SkippedLines {
  /** Prints those before an input; without one, the rest. */
  printBefore(index?: number): Promise<void>;
}

export function createSkippedLines(
  { skipped }: Pick<Listing, 'skipped'>,
  output: Output,
  compact: boolean,
): SkippedLines {
  let next = 0;
  return {
    async printBefore(index = Number.POSITIVE_INFINITY) {
      for (; output.isJson; next++) {
        const found = skipped[next];
        if (found === undefined || found.position > index) return;
        const { input, skipped: what } = found;
        await output.json({ input, skipped: what }, { compact });
      }
    },
  };
}
