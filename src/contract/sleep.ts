/** Waits; rejects with the signal's reason as soon as it is aborted. Node's own sleep rejects with an error of its own. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  // An import would load all that timers need, for every command.
  const { setTimeout: sleepOfNode } = process.getBuiltinModule('node:timers/promises');
  try {
    await sleepOfNode(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
