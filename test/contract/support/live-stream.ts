import http from 'node:http';
import { createApiKey } from '../../../dist/store/access.js';
import type { Store } from '../../../dist/store/store.js';
import { call } from './http.js';
import type { Visitor } from './portal.js';

/** A stream of changes that a page of the portal follows. */
export interface LiveStream {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** Subjects of the events so far. */
  events: string[];
  /** Times at which they came. */
  times: number[];
  comments: number;
  /** Id of the last event. */
  lastEventId: string;
  ended: Promise<void>;
  close(): void;
}

/** Opens a stream as an EventSource does. */
export async function openLiveStream(url: string, cookie: string, query = ''): Promise<LiveStream> {
  const request = http.get(`${url}/portal/live${query}`, { headers: { cookie }, agent: false });
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  const stream: LiveStream = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events: [],
    times: [],
    comments: 0,
    lastEventId: '',
    ended: new Promise((resolve) => response.once('close', resolve)),
    close: () => request.destroy(),
  };
  response.on('error', () => {});
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  const take = (line: string) => {
    if (line.startsWith(': ')) stream.comments++;
    if (line.startsWith('id: ')) stream.lastEventId = line.slice(4);
    if (!line.startsWith('data: ')) return;
    stream.events.push(line.slice(6));
    stream.times.push(performance.now());
  };
  return stream;
}

/** Returns the marks that a page was made after, as the query of its stream. */
export async function readSeen(visitor: Visitor, path = '/overview'): Promise<string> {
  const { text } = await visitor.get(path);
  return `?seen=${/data-live-seen="([^"]+)"/.exec(text)?.[1]}`;
}

/** Makes calls that the service refuses: lines of the request log by the service itself. */
export async function openCaller(url: string, store: Store, organisationId: string): Promise<() => Promise<void>> {
  const authorization = `Bearer ${await createApiKey(store, organisationId, 'caller', {})}`;
  return async () => {
    await call(`${url}/v1/ocr/jobs/job_UNKNOWN`, { headers: { authorization } });
  };
}
