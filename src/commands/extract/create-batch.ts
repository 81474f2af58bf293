import type { ApiClient } from '../../api/client.js';
import type { Context } from '../../context.js';
import type { ExtractArguments } from './arguments.js';
import { BatchState } from './batch-state.js';
import type { ExtractOptions } from './options.js';
import type { Batch } from './request.js';

export interface BatchRequest extends ExtractArguments {
  functionId: string;
  /** True when the line of a document is one of several. */
  isOneOfSeveral: boolean;
}

/** Time for the calls that cancel jobs after an interrupt. */
const LAST_CALLS_MS = 10_000;

export async function createBatch(context: Context, options: ExtractOptions, request: BatchRequest): Promise<Batch> {
  const settings = await context.settings();
  const { io, output, signal, flags, clock } = context;
  const { functionId, args, recordedArgs, isOneOfSeveral } = request;
  const { isAwaited, isFresh, failsFast, filesHoldJson, minConfidence } = options;
  const api = await context.api();
  // The service is looked for while the first document is read; a failure surfaces where the service is needed.
  api.endpoint().catch(() => {});
  const cancelsOnInterrupt = isAwaited && (options.cancelsOnInterrupt ?? settings.cancelsOnInterrupt.value);
  // A service that cannot cancel is refused before anything is sent, where the command line asks for it.
  if (isAwaited && options.cancelsOnInterrupt === true) await api.requireJobRemoval('cancel jobs');
  let last: ApiClient | undefined;
  const lastCalls = () => {
    last ??= api.withSignal(AbortSignal.timeout(LAST_CALLS_MS));
    return last;
  };
  return {
    request: {
      functionId,
      args,
      recordedArgs,
      profile: settings.profile.value,
      isAwaited,
      isFresh,
      waitTimeoutMs: options.waitTimeoutMs ?? settings.waitTimeoutMs.value,
      cancelsOnInterrupt,
      isOneOfSeveral,
      filesHoldJson,
      minConfidence,
    },
    connections: {
      io,
      output,
      signal,
      flags,
      settings: context.settings,
      api,
      ledger: await context.ledger(),
      lastCalls,
    },
    state: new BatchState({ clock, signal, failsFast, concurrency: await concurrencyOf(context, options) }),
  };
}

export async function concurrencyOf(context: Context, { concurrency }: ExtractOptions): Promise<number> {
  return concurrency ?? (await context.settings()).concurrency.value;
}
