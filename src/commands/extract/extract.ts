import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import { BatchState } from './batch-state.js';
import { readInputNames } from './inputs.js';
import type { ExtractOptions } from './options.js';
import { type ExtractPlan, isOneOfSeveral, planExtract } from './plan.js';
import type { Batch } from './request.js';
import { runBatch } from './run-batch.js';

/** Sends documents, several at once, and prints their results in order. One that fails does not stop the others. */
export async function extract(context: Context, options: ExtractOptions): Promise<void> {
  const names = await readInputNames(context, options);
  let plan: ExtractPlan;
  let batch: Batch | undefined;
  try {
    plan = await planExtract(context, options, names);
    // With nothing to send, no service is looked for or started.
    const isNeeded = !options.isDryRun && plan.inputs.some(({ error }) => error === undefined);
    if (isNeeded) batch = await createBatch(context, options, plan);
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

async function createBatch(context: Context, options: ExtractOptions, plan: ExtractPlan): Promise<Batch> {
  const settings = await context.settings();
  const { io, output, signal, flags, clock } = context;
  const { functionId, args, recordedArgs } = plan;
  const { isAwaited, isFresh, failsFast, filesHoldJson, minConfidence } = options;
  const api = await context.api();
  // The service is looked for while the first document is read; a failure surfaces where the service is needed.
  api.endpoint().catch(() => {});
  return {
    request: {
      functionId,
      args,
      recordedArgs,
      profile: settings.profile.value,
      isAwaited,
      isFresh,
      waitTimeoutMs: options.waitTimeoutMs ?? settings.waitTimeoutMs.value,
      isOneOfSeveral: isOneOfSeveral(plan, output),
      filesHoldJson,
      minConfidence,
    },
    connections: { io, output, signal, flags, settings: context.settings, api, ledger: await context.ledger() },
    state: new BatchState({ clock, signal, failsFast, concurrency: await concurrencyOf(context, options) }),
  };
}

async function concurrencyOf(context: Context, { concurrency }: ExtractOptions): Promise<number> {
  return concurrency ?? (await context.settings()).concurrency.value;
}
