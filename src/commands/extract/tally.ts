import type { Context } from '../../context.js';
import { countOf } from '../../contract/count-of.js';
import { formatElapsed } from '../../contract/duration.js';
import { EXIT } from '../../contract/exit-codes.js';
import { isFailure } from '../../submission-lifecycle/combine-exit-codes.js';
import type { ExtractPlan } from './plan.js';
import type { InputOutcome } from './request.js';

/** The counts of a batch for its summary on a terminal. */
export interface Tally {
  count(outcome: InputOutcome): void;
  /** Prints the summary. */
  print(plan: Pick<ExtractPlan, 'inputs' | 'skipped' | 'outputDir'>): void;
}

export function createTally({ output, clock }: Pick<Context, 'output' | 'clock'>): Tally {
  const startMs = clock.monotonicMs();
  let [done, failed, unsent, running, pages] = [0, 0, 0, 0, 0];
  let isInLog = false;
  return {
    count(outcome) {
      pages += outcome.pageCount ?? 0;
      if (outcome.isLeftUnsent === true) unsent++;
      else if (outcome.isQueued === true || outcome.exitCode === EXIT.pending || outcome.resume !== undefined)
        running++;
      else if (isFailure(outcome.exitCode)) {
        failed++;
        // A file that does not exist made no request.
        isInLog ||= (outcome.requestId ?? outcome.error?.requestId) !== undefined;
      } else done++;
    },
    print({ inputs, skipped, outputDir }) {
      const facts = [
        `${done} of ${countOf(inputs.length, 'document')} done`,
        countOf(pages, 'page'),
        formatElapsed(clock.monotonicMs() - startMs),
        ...(done > 0 && outputDir !== undefined ? [`written to ${outputDir}`] : []),
        ...(failed > 0 ? [`${failed} failed${isInLog ? ' (ocr requests --failed)' : ''}`] : []),
        ...(running > 0 ? [`${running} still running`] : []),
        ...(unsent > 0 ? [`${unsent} not sent`] : []),
        ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
      ];
      output.note(facts.join(' · '));
    },
  };
}
