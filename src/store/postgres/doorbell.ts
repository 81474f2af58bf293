import type { Client } from 'pg';
import { sleep } from '../../contract/sleep.js';
import type { Bell, Topic } from '../bell.js';
import { CONNECT_TIMEOUT_MS, QUERY_TIMEOUT_MS } from './pool.js';

/** Time in which rings of one topic become one notification. Commits that notify wait for each other, so there are few. */
const GATHER_MS = 10;
/** Bound on a notification: PostgreSQL takes less than 8,000 bytes, an id has 30. */
const MAX_IDS = 200;
const CHANNEL = 'ocr';
/** Time between two signs of life. A connection whose other end is gone says nothing by itself. */
const HEARTBEAT_MS = 10_000;
/** Bounds of the pause before the next connection. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

export interface Doorbell extends Bell {
  stop(): Promise<void>;
}

/**
 * Rings by NOTIFY and hears by LISTEN, on a connection of its own that leads past any pooler: poolers in transaction mode pass no
 * notification on. After a connection was lost, every listener is told that hints were lost.
 */
export function openDoorbell(url: string, applicationName: string): Doorbell {
  const listeners = new Map<Topic, Array<(ids: readonly string[]) => void>>();
  const gathered = new Map<Topic, Set<string>>();
  const stopping = new AbortController();
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let notified: Promise<void> = Promise.resolve();
  let noteFirstAttempt: () => void = () => {};
  const firstAttempt = new Promise<void>((resolve) => {
    noteFirstAttempt = resolve;
  });

  function hear(topic: Topic, ids: readonly string[]): void {
    for (const listener of listeners.get(topic) ?? []) listener(ids);
  }

  function hearPayload(payload: string): void {
    const [topic, ...ids] = payload.split(' ');
    hear(topic as Topic, ids);
  }

  function notifySoon(): void {
    timer ??= setTimeout(notifyNow, GATHER_MS).unref();
  }

  function notifyNow(): void {
    clearTimeout(timer);
    timer = undefined;
    notified = Promise.all([notified, notify()]).then(() => {});
  }

  async function notify(): Promise<void> {
    // A command rings and ends before it is connected.
    await firstAttempt;
    const messages = [...gathered].flatMap(([topic, ids]) =>
      splitInto(MAX_IDS, [...ids]).map((part) => [topic, ...part]),
    );
    gathered.clear();
    // A lost hint costs its listeners the time until their next look.
    for (const message of messages)
      await client?.query('SELECT pg_notify($1, $2)', [CHANNEL, message.join(' ')]).catch(() => {});
  }

  /** One loop alone connects. If both a failed connection and its end did, connections would double. */
  async function supervise(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      const connection = await connect(url, applicationName).catch(() => undefined);
      client = connection;
      noteFirstAttempt();
      if (connection !== undefined) {
        pauseMs = FIRST_PAUSE_MS;
        connection.on('notification', ({ payload }) => hearPayload(payload ?? ''));
        for (const topic of listeners.keys()) hear(topic, []);
        await untilLost(connection, stopping.signal);
        client = undefined;
        end(connection);
      }
      await sleep(pauseMs * (0.5 + Math.random()), stopping.signal).catch(() => {});
      pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
    }
  }

  const supervised = supervise();
  return {
    ring: (topic, id) => {
      const ids = gathered.get(topic) ?? new Set();
      gathered.set(topic, ids);
      if (id !== undefined) ids.add(id);
      notifySoon();
    },
    listen: (topic, listener) => {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener]);
    },
    stop: async () => {
      if (timer !== undefined) notifyNow();
      await notified;
      stopping.abort();
      await supervised;
    },
  };
}

async function connect(url: string, applicationName: string): Promise<Client> {
  const { default: pg } = await import('pg');
  const connection = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    application_name: `${applicationName} bell`,
  });
  // Without a listener its error would end the process.
  connection.on('error', () => {});
  try {
    await connection.connect();
    await connection.query(`LISTEN ${CHANNEL}`);
    return connection;
  } catch (error) {
    end(connection);
    throw error;
  }
}

/** Resolves when the connection has ended, or does not answer in time. */
async function untilLost(connection: Client, signal: AbortSignal): Promise<void> {
  const lost = new AbortController();
  connection.on('end', () => lost.abort());
  const either = AbortSignal.any([lost.signal, signal]);
  while (!either.aborted) {
    await sleep(HEARTBEAT_MS, either).catch(() => {});
    if (either.aborted) return;
    await connection.query('SELECT 1').catch(() => lost.abort());
  }
}

/** Ends a connection that may be half open, where nobody answers the farewell. */
function end(connection: Client): void {
  connection.end().catch(() => {});
  const { stream } = (connection as unknown as { connection: { stream: { destroySoon?(): void; destroy(): void } } })
    .connection;
  setTimeout(() => stream.destroy(), CONNECT_TIMEOUT_MS).unref();
}

function splitInto(size: number, ids: readonly string[]): string[][] {
  if (ids.length <= size) return [[...ids]];
  return [ids.slice(0, size), ...splitInto(size, ids.slice(size))];
}
