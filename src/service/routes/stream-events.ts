import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { canonicalId } from '../../contract/identifiers.js';
import { type EventRow, findEventPlace, findNewestEvent, listEvents } from '../../store/events.js';
import { callOf, noteAnswer } from '../http/call-record.js';
import { ServiceError } from '../http/service-error.js';
import { authenticate } from '../intake/admission.js';
import type { ServiceComponents } from '../service-components.js';
import { createSingleFlight, type SingleFlight } from '../single-flight.js';

/** Streams of one organisation at a time: each holds a connection. */
const MAX_STREAMS = 10;
/** Events that are read from the store at a time. */
const BATCH_EVENTS = 100;
/** Longest time until an event is seen that this process or `ocr admin` wrote. */
const LOOK_INTERVAL_MS = 200;
/** Time between signs of life. Proxies often cut a connection that is silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** Time after which a caller is asked to come back once its stream has ended. */
const RETRY_MS = 1_000;

interface Stream {
  organisationId: string;
  sends: SingleFlight;
  end(): void;
}

/**
 * `GET /v1/ocr/events`, an addition that the catalog announces as `events`: the organisation's events as they happen, as
 * server-sent events (HTML, section Server-sent events). `Last-Event-ID` continues after that event, also after a restart.
 */
export function registerStreamEvents(app: FastifyInstance, components: ServiceComponents): void {
  const { store, activity, config } = components;
  const streams = new Set<Stream>();
  let newest = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Looks for new events while somebody listens. */
  function look(): void {
    try {
      const found = findNewestEvent(store);
      if (found !== newest) for (const { sends } of streams) sends.wake();
      newest = found;
    } catch {
      // The service ends when its store has failed; streams end with it.
    }
  }

  function open(stream: Stream): void {
    streams.add(stream);
    if (timer !== undefined) return;
    timer = setInterval(look, LOOK_INTERVAL_MS);
    timer.unref();
  }

  function close(stream: Stream): void {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(timer);
    timer = undefined;
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
    const count = [...streams].filter((stream) => stream.organisationId === organisationId).length;
    if (count >= MAX_STREAMS)
      throw new ServiceError('RATE_LIMITED', `The organisation follows its events ${MAX_STREAMS} times already`, {
        headers: { 'retry-after': '60' },
      });
    const place = findPlace(components, organisationId, request);
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
    request.raw.socket.setTimeout(config.requestTimeoutMs);
    response.write(`retry: ${RETRY_MS}\n\n`);
    follow(request, response, organisationId, place);
  });

  function follow(request: FastifyRequest, response: ServerResponse, organisationId: string, place: number): void {
    let after = place;
    const sends = createSingleFlight(async () => {
      try {
        for (;;) {
          const events = listEvents(store, organisationId, after, BATCH_EVENTS);
          if (events.length === 0 || response.destroyed) return;
          // An event is sent only once a power cut cannot undo it.
          await store.synced();
          for (const event of events) await write(response, renderEvent(event));
          after = events.at(-1)?.number ?? after;
        }
      } catch {
        response.destroy();
      }
    });
    const stream: Stream = { organisationId, sends, end: () => response.end() };
    const heartbeat = setInterval(() => {
      // A revoked key gets nothing more.
      authenticate(components, request.raw.headers).then(
        () => response.writableNeedDrain || response.write(': still here\n\n'),
        () => response.end(),
      );
    }, HEARTBEAT_MS);
    heartbeat.unref();
    response.once('close', () => {
      clearInterval(heartbeat);
      close(stream);
      void sends.stop();
    });
    open(stream);
    sends.wake();
  }
}

/** Returns the place to go on after. Without Last-Event-ID that is now. @throws ServiceError INVALID_ARGS */
function findPlace({ store }: ServiceComponents, organisationId: string, request: FastifyRequest): number {
  const last = request.headers['last-event-id'];
  if (last === undefined || last === '') return findNewestEvent(store);
  const id = canonicalId(String(last));
  if (!/^evt_[0-9A-Z]{26}$/.test(id)) throw new ServiceError('INVALID_ARGS', 'Last-Event-ID is not the id of an event');
  return findEventPlace(store, organisationId, id);
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
