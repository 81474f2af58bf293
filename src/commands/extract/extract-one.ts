import { busy, heldUp } from '../../contract/document-state.js';
import { isGone, OcrError } from '../../contract/ocr-error.js';
import { addHint } from '../../submission-lifecycle/add-hint.js';
import { isOfOtherProfile } from '../../submission-lifecycle/submit.js';
import { finish } from './finish.js';
import type { Batch, BatchItem, InputOutcome } from './request.js';
import { prepare, send, sendAgain } from './send.js';

/**
 * Sends one document and follows it to its end. A failure of the document is its outcome. While the document waits for
 * its slot it is read and recorded, so that slots wait for the network alone.
 */
export async function extractOne(batch: Batch, item: BatchItem): Promise<InputOutcome> {
  const { state } = batch;
  const slot = state.slots.acquire();
  const isHopeless = item.error !== undefined || state.stopReason !== undefined;
  const preparing = isHopeless ? undefined : prepare(batch, item);
  // A rejection surfaces where it is awaited, in the document's turn.
  preparing?.catch(() => {});
  const release = await slot;
  try {
    state.throwIfStopped();
    if (preparing === undefined) throw item.error;
    item.onState(
      item.pipeName === undefined
        ? busy('opening')
        : heldUp('waiting for the program that writes into this pipe to end'),
    );
    const prepared = await preparing;
    const submitted = await send(batch, prepared);
    return await finish(batch, item, submitted).catch(async (error: unknown) => {
      // The job of an earlier command is gone, perhaps with its service's store; the document is still here.
      if (!submitted.isJoined || !(error instanceof OcrError) || !isGone(error)) throw error;
      const isFresh = isOfOtherProfile(submitted.record, batch.request);
      return await finish(batch, item, await sendAgain(batch, { ...prepared.options, isFresh }));
    });
  } catch (thrown) {
    if (!(thrown instanceof OcrError)) throw thrown;
    return concludeFailure(batch, item, thrown);
  } finally {
    await preparing?.then(
      ({ dispose }) => dispose(),
      () => {},
    );
    release();
  }
}

function concludeFailure({ request, connections, state }: Batch, { input }: BatchItem, thrown: OcrError): InputOutcome {
  const { flags, signal } = connections;
  const { error, exitCode, isUnsent } = state.noteFailure(thrown);
  const { functionId, recordedArgs: args } = request;
  const hinted = addHint(error, { input, function: functionId, args, flags });
  return { exitCode, error: hinted, isLeftUnsent: isUnsent || error === signal.reason };
}
