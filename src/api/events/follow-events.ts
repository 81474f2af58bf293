import { createParser } from 'eventsource-parser';
import type { Clock } from '../../contract/clock.js';
import type { OcrError } from '../../contract/ocr-error.js';
import { MISSED_EVENTS } from '../../contract/webhook-event.js';
import { badResponse, failureOf, isOfType } from '../http/answer.js';
import { CallFailure } from '../http/call-failure.js';
import type { Http } from '../http/http.js';
import { mayRepeat } from '../http/retry.js';

/** Pauses before a stream is opened again. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 15_000;
/** Bound on the pause that a `Retry-After` asks for: whoever listens wants the stream back soon. */
const MAX_ASKED_PAUSE_MS = 60_000;

/** An event of the service, with its body as it came. */
export interface ServiceEvent {
  id: string;
  type: string;
  /** The very text: signatures are made over it. */
  body: string;
}

export interface FollowEventsOptions {
  /** Takes the events one after the other; the next waits for it. */
  onEvent: (event: ServiceEvent) => Promise<void>;
  /**
   * Called each time that the stream is open: from then on no event is missed. `continuesAfter` is the last event that came
   * before; without one the stream begins with what happens now. `isIncomplete` when the service no longer has all events
   * since then.
   */
  onOpen: (continuesAfter: string | undefined, isIncomplete: boolean) => void;
  /** Called when the service removed events of an open stream that the reader had not taken. */
  onMissed: () => void;
  /** Called when the stream has broken off and will be opened again. */
  onBreak: (error: OcrError | undefined) => void;
}

export interface FollowEventsParts {
  http: Http;
  clock: Clock;
  signal: AbortSignal;
}

/** Follows the stream and opens it again after the last event wherever it ends. @throws OcrError of a refusal; the signal's reason */
export async function followEvents(options: FollowEventsOptions & FollowEventsParts): Promise<never> {
  const { http, clock, signal, onEvent, onOpen, onMissed, onBreak } = options;
  // Also read when the connection is made anew within one call.
  const headers: Record<string, string> = { accept: 'text/event-stream' };
  let pauseMs = FIRST_PAUSE_MS;
  let waiting: Array<ServiceEvent | typeof MISSED_EVENTS> = [];
  let isOpening = true;
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      if (event === MISSED_EVENTS) waiting.push(event);
      else if (id !== undefined && event !== undefined) waiting.push({ id, type: event, body: data });
    },
  });
  let decoder = new TextDecoder();
  const stream = {
    mediaType: 'text/event-stream',
    open() {
      // An event that broke off in its middle comes whole again.
      parser.reset();
      waiting = [];
      decoder = new TextDecoder();
      pauseMs = FIRST_PAUSE_MS;
      isOpening = true;
    },
    async chunk(bytes: Uint8Array) {
      parser.feed(decoder.decode(bytes, { stream: true }));
      // The service begins at once, with the sign of a gap if there is one.
      if (isOpening) onOpen(headers['last-event-id'], waiting[0] === MISSED_EVENTS && waiting.shift() !== undefined);
      isOpening = false;
      for (const event of waiting.splice(0)) {
        signal.throwIfAborted();
        if (event === MISSED_EVENTS) {
          onMissed();
          continue;
        }
        await onEvent(event);
        headers['last-event-id'] = event.id;
      }
    },
  };
  for (;;) {
    let failure: CallFailure | undefined;
    try {
      const { answer, endpoint } = await http.send({ method: 'GET', path: '/v1/ocr/events', headers, stream });
      const { origin } = new URL(endpoint.baseUrl);
      if (answer.status !== 200) throw failureOf(answer, origin, clock.now());
      if (!isOfType(answer.headers, stream.mediaType))
        throw badResponse(answer, origin, undefined, 'something that is no stream of events');
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof CallFailure)) throw error;
      failure = error;
      if (!mayComeBack(failure)) throw failure.error;
    }
    signal.throwIfAborted();
    onBreak(failure?.error);
    await clock.sleep(Math.max(pauseMs, Math.min(failure?.retryAfterMs ?? 0, MAX_ASKED_PAUSE_MS)), signal);
    pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
  }
}

/**
 * True when the stream may be opened again after the failure. A service that restarts refuses connections, or it and the
 * proxy before it answer with any error of the server.
 */
function mayComeBack(failure: CallFailure): boolean {
  return mayRepeat(failure) || ((failure.error.status ?? 0) >= 500 && failure.statedRetryable !== false);
}
