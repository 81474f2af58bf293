import { randomBytes } from 'node:crypto';
import type { ServiceEvent } from '../../api/events/follow-events.js';
import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import type { EventType } from '../../contract/webhook-event.js';
import { type Forwarded, forward, isAccepted } from './forward.js';

export interface ListenOptions {
  forwardTo?: string;
  /** An empty list stands for all. */
  events: readonly EventType[];
}

const SECRET_BYTES = 32;
const MISSED = 'some events are missing, because the service no longer has them. Look at your jobs: ocr requests';

/**
 * Prints the organisation's events as they happen, until the command is interrupted, and forwards each to a receiver with
 * a valid signature.
 * @throws OcrError UNSUPPORTED; a refusal; the signal's reason
 */
export async function listen(context: Context, { forwardTo, events }: ListenOptions): Promise<void> {
  const { output, signal, version } = context;
  const api = await context.api();
  const secret = forwardTo === undefined ? undefined : `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  let isReady = false;
  let isBroken = false;

  async function show(event: ServiceEvent): Promise<void> {
    if (events.length > 0 && !(events as readonly string[]).includes(event.type)) return;
    if (forwardTo === undefined || secret === undefined) return await print(context, event, null);
    await print(context, event, await forward(event, { url: forwardTo, secret, version, signal }));
  }

  // Whoever starts a receiver with the secret reads it before the first event.
  if (output.isJson) await output.json({ secret: secret ?? null, forwardTo: forwardTo ?? null }, { compact: true });
  else if (secret !== undefined) await output.text(`Signing secret: ${secret}\n`);
  if (forwardTo === undefined) context.endWithReader();
  // Nothing goes on: a command that is run again knows neither the last event nor the secret of this one.
  const again =
    secret === undefined ? 'Run' : 'The signing secret ends with this command, and the next one has its own. Run';
  const onInterrupt = (error: unknown) => {
    if (error !== signal.reason || !(error instanceof OcrError)) throw error;
    throw error.with({ hint: `${again} the same command again to see what happens from then on.` });
  };
  const followed = api.followEvents({
    onOpen(continuesAfter, isIncomplete) {
      if (!isReady) output.note(forwardTo === undefined ? 'Listening.' : `Listening; forwarding to ${forwardTo}`);
      else if (isIncomplete) output.note(`The stream is open again; ${MISSED}`);
      else if (continuesAfter !== undefined) output.note('The stream is open again; nothing was missed.');
      else output.note('The stream is open again. No event had come before, so what happened meanwhile is not shown.');
      isReady = true;
      isBroken = false;
    },
    onMissed: () => output.note(`Events were removed before they were read: ${MISSED}`),
    onEvent: show,
    onBreak(error) {
      const reason = error === undefined ? '' : ` (${error.message})`;
      // A service may be away for hours: its return is said, not each attempt.
      if (isBroken) return output.debug(`the stream is not open yet${reason}`);
      isBroken = true;
      output.note(
        isReady
          ? `The stream broke off${reason}; it is opened again once the service answers.`
          : `The stream cannot be opened${reason}; it is tried until the service answers.`,
      );
    },
  });
  await followed.catch(onInterrupt);
}

async function print({ output }: Context, event: ServiceEvent, forwarded: Forwarded | null): Promise<void> {
  const body = JSON.parse(event.body) as { createdAt?: string; data?: Record<string, unknown> };
  if (output.isJson) return await output.json({ event: body, forwarded }, { compact: true });
  const { requestId, jobId, error } = (body.data ?? {}) as {
    requestId?: string;
    jobId?: string;
    error?: { code?: string };
  };
  const words = [body.createdAt, event.type, event.id, requestId, jobId, error?.code].filter(Boolean).join('  ');
  const result = forwarded === null ? '' : `  -> ${describe(forwarded)}`;
  await output.text(`${words}${result}\n`);
}

function describe(forwarded: Forwarded): string {
  const { status, ms, error } = forwarded;
  if (status === null) return `failed: ${error}`;
  return `${isAccepted(forwarded) ? status : `failed: ${status}`} (${ms} ms)`;
}
