import { Readable } from 'node:stream';
import { type ChangeMarks, readChangeMarks } from '../../../store/change-marks.js';
import type { ServiceComponents } from '../../service-components.js';
import { createSingleFlight } from '../../single-flight.js';
import type { PortalAnswer } from '../answers.js';
import { type PortalSession, readSession } from '../doors/sessions.js';
import { findChanged, renderMarks } from './marks.js';

/** A browser has six connections to a host over HTTP/1.1, and pages need some of them. */
const MAX_STREAMS_PER_SESSION = 4;
const MAX_STREAMS = 200;
/** Shortest time between two looks at an organisation, and so between two events of a stream. */
const LOOK_INTERVAL_MS = 1_000;
/** Time between signs of life, at which the session is read again. Proxies cut off what is silent for a minute. */
const MAX_HEARTBEAT_MS = 15_000;
/** Time after which a browser comes back once its stream has ended. */
const RETRY_MS = 2_000;

/** A tab that follows the changes of an organisation. */
interface Stream {
  session: PortalSession;
  /** The marks that the tab has seen. */
  seen: string;
  readable: Readable;
  isEnding: boolean;
}

/** The streams of one organisation, with the time of the last look. */
interface Watch {
  streams: Set<Stream>;
  /** Looks soon, once for many hints. */
  lookSoon(): void;
  stop(): void;
}

export interface LiveStreams {
  /** Opens a stream that says what changes after `seen`; undefined where there are too many, so that the page looks by itself. */
  open(session: PortalSession, organisationId: string, seen: string): PortalAnswer | undefined;
  /** Closes all streams. Their readers come back. */
  close(): void;
}

export function createLiveStreams(components: ServiceComponents): LiveStreams {
  const { config, store, changes } = components;
  const watches = new Map<string, Watch>();
  const streams = new Set<Stream>();
  let isClosed = false;

  /** True for a session that goes on, with the same rights. A look from a tab is no use of it. */
  async function isSessionValid({ token, role, organisationId }: PortalSession): Promise<boolean> {
    const session = await readSession(store, token, config.portalSessionIdleMs, { isUse: false });
    return session !== undefined && session.role === role && session.organisationId === organisationId;
  }

  /** Sends a text to those whose session goes on, and ends the streams of others. A reader that is slow gets it later, or less. */
  async function send(stream: Stream, render: () => string): Promise<void> {
    const { readable, session } = stream;
    if (stream.isEnding || readable.readableLength > 0) return;
    const isValid = await isSessionValid(session).catch(() => undefined);
    if (isValid === undefined) return;
    if (!isValid) end(stream);
    else if (!stream.isEnding) readable.push(render());
  }

  function end(stream: Stream): void {
    if (stream.isEnding) return;
    stream.isEnding = true;
    stream.readable.push(null);
  }

  function watch(organisationId: string): Watch {
    const known = watches.get(organisationId);
    if (known !== undefined) return known;
    const own = new Set<Stream>();
    let timer: NodeJS.Timeout | undefined;
    let lastLookMs = Number.NEGATIVE_INFINITY;
    const looks = createSingleFlight(async () => {
      lastLookMs = performance.now();
      const marks = await store.read(readChangeMarks(organisationId)).catch(() => undefined);
      if (marks !== undefined) await Promise.all([...own].map((stream) => tell(stream, marks)));
      // A slow look must not bring its event close to the next.
      lastLookMs = performance.now();
    });
    const lookSoon = () => {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          looks.wake();
        },
        Math.max(0, lastLookMs + LOOK_INTERVAL_MS - performance.now()),
      ).unref();
    };
    const unlisten = changes.listen(organisationId, lookSoon);
    const created: Watch = {
      streams: own,
      lookSoon,
      stop: () => {
        clearTimeout(timer);
        unlisten();
        watches.delete(organisationId);
      },
    };
    watches.set(organisationId, created);
    return created;
  }

  async function tell(stream: Stream, marks: ChangeMarks): Promise<void> {
    const changed = findChanged(stream.seen, marks);
    if (changed.length === 0) return;
    await send(stream, () => {
      stream.seen = renderMarks(marks);
      return `id: ${stream.seen}\nevent: change\ndata: ${changed.join(' ')}\n\n`;
    });
  }

  return {
    open: (session, organisationId, seen) => {
      const ofSession = [...streams].filter((stream) => stream.session.token === session.token);
      if (isClosed || ofSession.length >= MAX_STREAMS_PER_SESSION || streams.size >= MAX_STREAMS) return undefined;
      const { streams: own, lookSoon, stop } = watch(organisationId);
      const heartbeat = setInterval(
        () => {
          void send(stream, () => ': still here\n\n');
          // A hint may be lost, and a slow reader may have missed an event.
          lookSoon();
        },
        Math.min(MAX_HEARTBEAT_MS, config.requestTimeoutMs / 2),
      );
      heartbeat.unref();
      const readable = new Readable({
        encoding: 'utf8',
        read: () => {},
        destroy: (error, done) => {
          stream.isEnding = true;
          clearInterval(heartbeat);
          streams.delete(stream);
          own.delete(stream);
          if (own.size === 0) stop();
          done(error);
        },
      });
      const stream: Stream = { session, seen, readable, isEnding: false };
      streams.add(stream);
      own.add(stream);
      readable.push(`retry: ${RETRY_MS}\n\n`);
      // Changes since the page was made are told at once.
      lookSoon();
      return {
        status: 200,
        body: readable,
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          // Nginx would keep events back until its buffer is full.
          'x-accel-buffering': 'no',
        },
      };
    },
    close: () => {
      isClosed = true;
      for (const stream of streams) end(stream);
    },
  };
}
