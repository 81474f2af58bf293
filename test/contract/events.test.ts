import http from 'node:http';
import net from 'node:net';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { all } from '../../dist/store/unit.js';
import { runInProcess } from '../support/run-in-process.js';
import { createHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';
import { call } from './support/http.js';
import { type Beside, openBeside } from './support/organisations.js';
import { createDataDir, HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';

let running: TestService;
let beside: Beside;
let unique = 0;
const newDocument = (text = 'TEXT=x') => `%PDF-1.4 ${text} N=${unique++}`;

beforeAll(async () => {
  running = await startTestService({ documentProgram: HOSTILE_PROGRAM });
  beside = await openBeside(running);
});
afterAll(async () => {
  await beside.close();
  await running.remove();
});

/** A stream of events, as it comes. */
async function follow(url: string, key: string, lastEventId?: string) {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const headers = { 'x-api-key': key, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get(`${url}/v1/ocr/events`, { headers, agent: false }, resolve).on('error', reject);
  });
  let text = '';
  response.on('data', (chunk: Buffer) => {
    text += chunk;
    parser.feed(chunk.toString());
  });
  response.on('error', () => {});
  const ended = new Promise<boolean>((resolve) => response.once('close', () => resolve(response.complete)));
  if (response.statusCode === 200) await until(() => text !== '', 'the stream to begin');
  onTestFinished(() => void response.destroy());
  const bodies = () => events.map(({ data }) => JSON.parse(data));
  return {
    status: response.statusCode,
    headers: response.headers,
    events,
    bodies,
    ended,
    text: () => text,
    close: () => response.destroy(),
  };
}

test('documents that are read, fail, or are answered from the cache → events with the bodies of deliveries, in order', async () => {
  const organisation = await beside.add();
  const stream = await follow(running.url, organisation.key);
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^req_/),
  });
  const document = newDocument();
  const first = await organisation.submit(document);
  await organisation.submit(document);
  const failed = await organisation.submit(newDocument('DO=refuse REASON=damaged'));
  expect(failed.json.error.code).toBe('INVALID_DOCUMENT');
  await until(() => stream.events.length === 3, 'three events');
  for (const { id, event, data } of stream.events)
    expect(JSON.parse(data)).toMatchObject({ id, type: event, createdAt: expect.any(String) });
  expect(stream.bodies()[0]).toEqual({
    id: expect.stringMatching(/^evt_/),
    type: 'document.processed',
    createdAt: expect.any(String),
    data: {
      requestId: first.json.requestId,
      jobId: expect.stringMatching(/^job_/),
      function: 'TEXT_EXTRACTION',
      status: 'completed',
      pageCount: first.json.meta.pageCount,
      meta: first.json.meta,
    },
  });
  expect(stream.bodies()[1].data).toMatchObject({ meta: { cached: true } });
  expect(stream.bodies()[1].data).not.toHaveProperty('jobId');
  expect(stream.bodies()[2]).toMatchObject({
    type: 'document.failed',
    data: { requestId: failed.json.error.requestId, status: 'failed', error: { code: 'INVALID_DOCUMENT' } },
  });
});

test('a job that is cancelled → document.failed', async () => {
  const organisation = await beside.add();
  const stream = await follow(running.url, organisation.key);
  const { json } = await organisation.submit(newDocument('DO=hang'), { headers: { prefer: 'respond-async' } });
  // It hangs, so only the DELETE ends it.
  await until(
    async () => (await organisation.get(`/v1/ocr/jobs/${json.jobId}`)).json.status === 'processing',
    'the document to be read',
  );
  await call(`${running.url}/v1/ocr/jobs/${json.jobId}`, {
    method: 'DELETE',
    headers: { 'x-api-key': organisation.key },
  });
  await until(() => stream.events.length === 1, 'the event');
  expect(stream.bodies()[0].data).toMatchObject({ jobId: json.jobId, error: { code: 'CANCELLED' } });
});

test('another organisation → sees none of them, and cannot go on after them', async () => {
  const [mine, other] = [await beside.add(), await beside.add()];
  const [own, strange] = [await follow(running.url, mine.key), await follow(running.url, other.key)];
  await mine.submit(newDocument());
  await until(() => own.events.length === 1, 'the own event');
  await other.submit(newDocument());
  await until(() => strange.events.length === 1, 'the other event');
  expect(own.events).toHaveLength(1);
  const behind = await follow(running.url, other.key, own.events[0]?.id);
  // Nobody knows what is missing after a strange id.
  await until(() => behind.events.length === 2, 'the events after it');
  expect(behind.events).toEqual([expect.objectContaining({ event: 'events.missed' }), ...strange.events]);
});

test('Last-Event-ID → the events after it; without it only new ones; one that is none → 400', async () => {
  const organisation = await beside.add();
  const stream = await follow(running.url, organisation.key);
  for (let i = 0; i < 5; i++) await organisation.submit(newDocument());
  await until(() => stream.events.length === 5, 'five events');
  stream.close();
  const again = await follow(running.url, organisation.key, stream.events[1]?.id);
  await until(() => again.events.length === 3, 'the three after the second');
  expect(again.events).toEqual(stream.events.slice(2));
  const late = await follow(running.url, organisation.key);
  await organisation.submit(newDocument());
  await until(() => late.events.length === 1 && again.events.length === 4, 'the new event');
  expect(late.events[0]).toEqual(again.events[3]);
  // Removed meanwhile, as old events are: its place is found by its id.
  await beside.run('DELETE FROM event WHERE id = :id', { id: stream.events[1]?.id ?? '' });
  const old = await follow(running.url, organisation.key, stream.events[1]?.id);
  await until(() => old.events.length === 4, 'the four after the removed one');
  expect(old.events[0]).toEqual(stream.events[2]);
  const refused = await call(`${running.url}/v1/ocr/events`, {
    headers: { 'x-api-key': organisation.key, 'last-event-id': '7' },
  });
  expect(refused).toMatchObject({ status: 400, json: { error: { code: 'INVALID_ARGS' } } });
});

test('no key → 401; another method → 405; HEAD → the headers; an eleventh stream → 429', async () => {
  const organisation = await beside.add();
  const url = `${running.url}/v1/ocr/events`;
  const headers = { 'x-api-key': organisation.key };
  expect((await call(url)).json.error.code).toBe('UNAUTHORIZED');
  expect((await call(url, { method: 'POST', headers })).status).toBe(405);
  expect(await call(url, { method: 'HEAD', headers })).toMatchObject({ status: 200, text: '' });
  for (let i = 0; i < 10; i++) expect((await follow(running.url, organisation.key)).status).toBe(200);
  expect(await call(url, { headers })).toMatchObject({ status: 429, json: { error: { code: 'RATE_LIMITED' } } });
  expect((await call(`${running.url}/v1/ocr/functions`, { headers })).json.extensions).toContain('events');
});

test('a service that stops → the stream ends whole; after its start Last-Event-ID goes on, without a gap', async () => {
  const dataDir = createDataDir();
  const before = await startTestService({ documentProgram: HOSTILE_PROGRAM, dataDir });
  const stream = await follow(before.url, before.key);
  await before.submit(newDocument());
  await until(() => stream.events.length === 1, 'the first event');
  // Nobody is told of this one.
  const second = await before.submit(newDocument(), { headers: { prefer: 'respond-async' } });
  await before.waitForJob(second.json.jobId);
  await before.service.stop();
  expect(await stream.ended).toBe(true);
  const after = await startTestService({ documentProgram: HOSTILE_PROGRAM, dataDir });
  onTestFinished(() => after.remove());
  const again = await follow(after.url, after.key, stream.events[0]?.id);
  await until(() => again.events.length >= 1, 'the missed event');
  expect(again.bodies()[0].data.jobId).toBe(second.json.jobId);
});

test('a deleted organisation → its events are gone too', async () => {
  const organisation = await beside.add();
  await organisation.submit(newDocument());
  expect(await beside.countRows('event', organisation.id)).toBe(1);
  const home = createHome();
  onTestFinished(() => home.remove());
  const run = (...args: string[]) =>
    runInProcess(['admin', ...args, '--data-dir', running.dataDir, '--json'], { home });
  await run('keys', 'revoke', organisation.keyId);
  const deleted = await run('orgs', 'delete', organisation.id, '--yes');
  expect(deleted.stdout + deleted.stderr).not.toContain('error');
  expect(await beside.countRows('event', organisation.id)).toBe(0);
});

test('events that are no longer kept → events.missed first, without an id, then all that are kept', async () => {
  const organisation = await beside.add();
  const stream = await follow(running.url, organisation.key);
  for (let i = 0; i < 4; i++) await organisation.submit(newDocument());
  await until(() => stream.events.length === 4, 'four events');
  const ids = stream.events.map(({ id }) => id);
  for (const id of ids.slice(0, 2)) await beside.run('DELETE FROM event WHERE id = :id', { id: id ?? '' });
  const late = await follow(running.url, organisation.key, ids[0]);
  await until(() => late.events.length === 3, 'the sign and two events');
  expect(late.events.map(({ id }) => id)).toEqual([undefined, ids[2], ids[3]]);
  expect(late.events[0]?.event).toBe('events.missed');
  expect(late.bodies()[0]).toEqual({
    type: 'events.missed',
    createdAt: expect.any(String),
    data: { lastEventId: ids[0] },
  });
  // A sign comes once for a gap: new events follow without one.
  await organisation.submit(newDocument());
  await until(() => late.events.length === 4, 'the new event');
  expect(late.events[3]?.event).toBe('document.processed');
  const inTime = await follow(running.url, organisation.key, ids[1]);
  await until(() => inTime.events.length === 3, 'the three that are kept');
  expect(inTime.events[0]?.id).toBe(ids[2]);
});

describe('a key that no longer works', () => {
  /** Heartbeats come each quarter of a second; the cached key is good for an hour. */
  const startImpatient = async () => {
    const service = await startTestService({
      documentProgram: HOSTILE_PROGRAM,
      config: { requestTimeoutMs: 500, keyCacheMs: 3_600_000 },
    });
    const owner = await openBeside(service);
    onTestFinished(async () => {
      await owner.close();
      await service.remove();
    });
    return { service, owner };
  };

  test('revoked → its streams end, those of others do not', async () => {
    const { service, owner } = await startImpatient();
    const [mine, kept] = [await owner.add(), await owner.add()];
    const stream = await follow(service.url, mine.key);
    const unharmed = await follow(service.url, kept.key);
    await owner.run('UPDATE api_key SET revoked_at = 1 WHERE id = :id', { id: mine.keyId });
    expect(await stream.ended).toBe(true);
    const beats = () => unharmed.text().split(': still here\n\n').length - 1;
    const before = beats();
    // Past the time after which a silent connection is cut off.
    await until(() => beats() > before + 3, 'heartbeats');
    const refused = await call(`${service.url}/v1/ocr/events`, { headers: { 'x-api-key': mine.key } });
    expect(refused.status).toBe(401);
  });

  test('expired → its streams end at a heartbeat', async () => {
    const { service, owner } = await startImpatient();
    const { key } = await owner.add({}, { key: { expiresAtMs: Date.now() + 1_500 } });
    const stream = await follow(service.url, key);
    expect(stream.status).toBe(200);
    expect(await stream.ended).toBe(true);
    expect(stream.text()).toContain(': still here');
  });

  test('of a deleted organisation → its streams end', async () => {
    const { service, owner } = await startImpatient();
    const { id, key } = await owner.add();
    const stream = await follow(service.url, key);
    await owner.run('DELETE FROM api_key WHERE organisation_id = :id', { id });
    expect(await stream.ended).toBe(true);
  });
});

test('pipelined calls of one connection → one stream, one place, free once the connection is gone', async () => {
  const organisation = await beside.add();
  const { hostname, port } = new URL(running.url);
  const socket = net.connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const line = `GET /v1/ocr/events HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${organisation.key}\r\n\r\n`;
  socket.write(line.repeat(12));
  await until(() => text.includes('retry:'), 'the stream');
  const isLogged = async () => (await beside.countRows('request', organisation.id)) >= 12;
  await until(isLogged, 'all twelve calls to be logged');
  const logged = await beside.store.read(
    all<{ status: number }>('SELECT status FROM request WHERE organisation_id = :id', { id: organisation.id }),
  );
  expect(logged.filter(({ status }) => status === 200)).toHaveLength(1);
  for (let i = 0; i < 9; i++) expect((await follow(running.url, organisation.key)).status).toBe(200);
  expect((await follow(running.url, organisation.key)).status).toBe(429);
  socket.destroy();
  let freed: Awaited<ReturnType<typeof follow>> | undefined;
  await until(async () => {
    freed = await follow(running.url, organisation.key);
    return freed.status === 200;
  }, 'the place to be free');
});
