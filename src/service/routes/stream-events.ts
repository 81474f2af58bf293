import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { canonicalId } from '../../contract/identifiers.js';
import { formatTime } from '../../contract/time.js';
import { MISSED_EVENTS as MISSED } from '../../contract/webhook-event.js';
import {
  type EventRow,
  findEndOfEvents,
  findEventPlace,
  findNewestEvent,
  listEvents,
  listPlacesAfter,
} from '../../store/events.js';
import { callOf, noteAnswer } from '../http/call-record.js';
import { ServiceError } from '../http/service-error.js';
import { whenClosed } from '../http/when-closed.js';
import { authenticate } from '../intake/admission.js';
import type { ServiceComponents } from '../service-components.js';
import { createSingleFlight, type SingleFlight } from '../single-flight.js';

/** Streams of one organisation at a time: each holds a connection. */
const MAX_STREAMS = 10;
/** Events that are read from the store at a time. */
const BATCH_EVENTS = 100;
/** Longest time until an event is seen that this process or `ocr admin` wrote. */
const LOOK_INTERVAL_MS = 200;
/** Numbers before the newest that a look reads again: of several processes one may take a number first and commit last. */
const LOOK_BACK = 200;
/** Time between signs of life. Proxies often cut a connection that is silent for a minute. */
const MAX_HEARTBEAT_MS = 15_000;
/** Time after which a caller is asked to come back once its stream has ended. */
const RETRY_MS = 1_000;

interface Stream {
  organisationId: string;
  sends: SingleFlight;
  /** Ends the stream when its key no longer works. */
  checkKey(): void;
  end(): void;
}

/** The place that a stream goes on after. */
interface Place {
  number: number;
  /** The id that the caller gave. */
  lastEventId: string | undefined;
  /** True when events after it are gone, or when the id is unknown, so that nobody knows which ones the caller missed. */
  isIncomplete: boolean;
}

/**
 * `GET /v1/ocr/events`, an addition that the catalog announces as `events`: the organisation's events as they happen, as
 * server-sent events (HTML, section Server-sent events). `Last-Event-ID` continues after that event, also after a restart. Where
 * events of that place are no longer kept, `events.missed` says so; it has no id, so the caller's last one stays.
 */
export function registerStreamEvents(app: FastifyInstance, components: ServiceComponents): void {
  const { store, activity, config } = components;
  const streams = new Set<Stream>();
  /** Connections with a stream. A pipelined second one could send nothing before the first has ended. */
  const streaming = new WeakSet<Socket>();
  const heartbeatMs = Math.min(MAX_HEARTBEAT_MS, config.requestTimeoutMs / 2);
  let newest: number | undefined;
  /** The numbers among the last ones whose streams know of them. */
  let told = new Set<number>();
  let dataVersion = 0;
  let timer: NodeJS.Timeout | undefined;

  const looks = createSingleFlight(look);

  /** Looks for new events, and for changes by `ocr admin`, while somebody listens. */
  async function look(): Promise<void> {
    try {
      const version = await store.readDataVersion();
      if (version !== dataVersion) {
        components.access.clear();
        for (const { checkKey } of streams) checkKey();
      }
      dataVersion = version;
      const known = newest ?? (await findNewestEvent(store));
      const places = await listPlacesAfter(store, known - LOOK_BACK);
      const fresh = places.filter(({ number }) => !told.has(number));
      const concerned = new Set(fresh.map(({ organisationId }) => organisationId));
      for (const { organisationId, sends } of streams) if (concerned.has(organisationId)) sends.wake();
      const last = Math.max(known, places.at(-1)?.number ?? 0);
      told = new Set(places.map(({ number }) => number).filter((number) => number > last - LOOK_BACK));
      newest = last;
    } catch {
      // The service ends when its store has failed; streams end with it.
    }
  }

  function open(stream: Stream): void {
    streams.add(stream);
    if (timer !== undefined) return;
    timer = setInterval(looks.wake, LOOK_INTERVAL_MS);
    timer.unref();
  }

  function close(stream: Stream): void {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    newest = undefined;
  }

  // A stopping service ends its streams; their readers come back with the last id.
  app.addHook('preClose', async () => {
    for (const { end } of streams) end();
  });

  app.get('/v1/ocr/events', async (request, reply) => {
    const caller = await authenticate(components, request.raw.headers);
    callOf(request).caller = caller;
    const { organisationId } = caller;
    if (activity.isStopping) throw new ServiceError('PROVIDER_UNAVAILABLE', 'The service is stopping');
    const place = await findPlace(components, organisationId, request);
    // No other call comes between here and the stream's place among the others.
    const { socket } = request.raw;
    if (streaming.has(socket)) throw new ServiceError('INVALID_ARGS', 'This connection follows the events already');
    const count = [...streams].filter((stream) => stream.organisationId === organisationId).length;
    if (count >= MAX_STREAMS)
      throw new ServiceError('RATE_LIMITED', `The organisation follows its events ${MAX_STREAMS} times already`, {
        headers: { 'retry-after': '60' },
      });
    noteAnswer(request, { status: 200 });
    reply.hijack();
    const response = reply.raw;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': request.id,
      // Nginx would keep events back until its buffer is full.
      'x-accel-buffering': 'no',
    });
    if (request.method === 'HEAD') return void response.end();
    // A reader that takes nothing for this time is cut off; any progress restarts the time.
    socket.setTimeout(config.requestTimeoutMs);
    streaming.add(socket);
    whenClosed(request.raw, response, () => streaming.delete(socket));
    follow(request, response, organisationId, place);
  });

  function follow(request: FastifyRequest, response: ServerResponse, organisationId: string, place: Place): void {
    let after = place.number;
    let lastEventId = place.lastEventId;
    // One write, so that a client knows of a gap when the stream is open.
    response.write(`retry: ${RETRY_MS}\n\n${place.isIncomplete ? renderMissed(lastEventId, store.clock.now()) : ''}`);
    let isGapTold = place.isIncomplete;
    const sends = createSingleFlight(async () => {
      try {
        for (;;) {
          const { events, isMissing } = await listEvents(store, organisationId, after, BATCH_EVENTS);
          // A slow reader may be overtaken by the removal of old events.
          if (isMissing && !isGapTold) await write(response, renderMissed(lastEventId, store.clock.now()));
          isGapTold = isMissing;
          if (events.length === 0 || response.destroyed) return;
          // An event is sent only once a power cut cannot undo it.
          await store.synced();
          for (const event of events) await write(response, renderEvent(event));
          const last = events.at(-1);
          after = last?.number ?? after;
          lastEventId = last?.id ?? lastEventId;
          isGapTold = false;
        }
      } catch {
        response.destroy();
      }
    });
    /** A revoked or expired key gets nothing more. */
    const checkKey = (goOn: () => void = () => {}) =>
      void authenticate(components, request.raw.headers).then(goOn, () => response.end());
    const stream: Stream = { organisationId, sends, checkKey, end: () => response.end() };
    const heartbeat = setInterval(
      () => checkKey(() => response.writableNeedDrain || response.write(': still here\n\n')),
      heartbeatMs,
    );
    heartbeat.unref();
    whenClosed(request.raw, response, () => {
      clearInterval(heartbeat);
      close(stream);
      void sends.stop();
    });
    open(stream);
    sends.wake();
  }
}

/** Returns the place to go on after. Without Last-Event-ID that is now. @throws ServiceError INVALID_ARGS */
async function findPlace(
  { store }: ServiceComponents,
  organisationId: string,
  request: FastifyRequest,
): Promise<Place> {
  const last = request.headers['last-event-id'];
  if (last === undefined || last === '')
    return { number: await findEndOfEvents(store, organisationId), lastEventId: undefined, isIncomplete: false };
  const id = canonicalId(String(last));
  if (!/^evt_[0-9A-Z]{26}$/.test(id)) throw new ServiceError('INVALID_ARGS', 'Last-Event-ID is not the id of an event');
  const { number, isUnknown } = await findEventPlace(store, organisationId, id);
  const isIncomplete = isUnknown || (await listEvents(store, organisationId, number, 1)).isMissing;
  return { number, lastEventId: id, isIncomplete };
}

/** Renders the sign that events after `lastEventId` are no longer kept. It has no id, so a reader's Last-Event-ID stays. */
function renderMissed(lastEventId: string | undefined, nowMs: number): string {
  const body = { type: MISSED, createdAt: formatTime(nowMs), data: { lastEventId: lastEventId ?? null } };
  return `event: ${MISSED}\ndata: ${JSON.stringify(body)}\n\n`;
}

/** The body of an event is one line of JSON. */
function renderEvent({ id, type, body }: EventRow): string {
  return `id: ${id}\nevent: ${type}\ndata: ${body}\n\n`;
}

/** Waits for a reader that is slower than the events: nothing piles up but what the socket holds. */
async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.writableEnded) return;
  if (response.write(text)) return;
  // The event that does not come must not leave its listener.
  const waiting = new AbortController();
  try {
    const { signal } = waiting;
    await Promise.race(['drain', 'close'].map((event) => once(response, event, { signal })));
  } finally {
    waiting.abort();
  }
}
