import { EXIT, type ExitCode } from '../../contract/exit-codes.js';
import type { Output } from '../../io/output/output.js';
import { combineExitCodes } from '../../submission-lifecycle/combine-exit-codes.js';
import type { ExtractPlan } from './plan.js';

/** Prints the lines that --json has for skipped files, each before the line of the input that follows it. */
export interface SkippedLines {
  /** Prints those before an input; without one, the rest. */
  printBefore(index?: number): Promise<void>;
}

export function createSkippedLines(
  { skipped }: Pick<ExtractPlan, 'skipped'>,
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

/** True when the line of an input is one of several. */
export function isOneOfSeveral({ inputs, skipped }: Pick<ExtractPlan, 'inputs' | 'skipped'>, output: Output): boolean {
  return inputs.length + (output.isJson ? skipped.length : 0) > 1;
}

/** Combines the codes of the inputs. A run without any has found nothing to send. */
export function exitCodeOfRun(codes: readonly ExitCode[]): ExitCode {
  return codes.length === 0 ? EXIT.usage : combineExitCodes(codes);
}
