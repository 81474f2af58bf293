import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import { concurrencyOf, createBatch } from './create-batch.js';
import { readInputNames } from './inputs.js';
import type { ExtractOptions } from './options.js';
import { type ExtractPlan, isOneOfSeveral, planExtract, withFormatOfFiles } from './plan.js';
import type { Batch } from './request.js';
import { runBatch } from './run-batch.js';

/** Sends documents, several at once, and prints their results in order. One that fails does not stop the others. */
export async function extract(context: Context, typed: ExtractOptions): Promise<void> {
  const names = await readInputNames(context, typed);
  let plan: ExtractPlan;
  let batch: Batch | undefined;
  let options = typed;
  try {
    options = await withFormatOfFiles(context, typed);
    plan = await planExtract(context, options, names);
    // With nothing to send, no service is looked for or started.
    const isNeeded = !options.isDryRun && plan.inputs.some(({ error }) => error === undefined);
    if (isNeeded)
      batch = await createBatch(context, options, { ...plan, isOneOfSeveral: isOneOfSeveral(plan, context.output) });
  } catch (error) {
    // Nothing was sent; with --json each input still has its line.
    if (!(error instanceof OcrError) || !context.output.isJson || names.length === 0) throw error;
    for (const input of names) await context.report(error, { input, compact: names.length > 1 });
    context.exitCode = error.exitCode;
    return;
  }
  if (options.isDryRun) {
    const { dryRun } = await import('./dry-run.js');
    context.exitCode = await dryRun(context, { ...plan, isFresh: options.isFresh });
    return;
  }
  context.exitCode = await runBatch(context, plan, batch, await concurrencyOf(context, options));
}
