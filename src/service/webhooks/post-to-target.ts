import type { OutgoingHttpHeaders } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import type { Target } from './check-target.js';

/** What is kept of an answer. */
const ANSWER_BYTES = 1024;
/** Of several addresses, how long one is tried before the next. */
const CONNECT_ATTEMPT_MS = 2_000;

export interface Received {
  status: number;
  /** The first KiB, read as UTF-8. */
  answer: string;
}

/**
 * One POST on a connection of its own, to the very addresses that were checked, under the name that the URL has. The status
 * decides: what follows it is read up to its first KiB, and no longer than `signal` lasts. Redirects are answers like others.
 * @throws whatever ended the connection before there was a status; `signal.reason` when it is aborted
 */
export function postToTarget(
  { url, hostname, addresses }: Target,
  body: Uint8Array,
  headers: OutgoingHttpHeaders,
  signal: AbortSignal,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    let status: number | undefined;
    const end = (reason: unknown) => {
      signal.removeEventListener('abort', onAbort);
      call.destroy();
      if (status === undefined) reject(reason);
      else resolve({ status, answer: textOf(chunks) });
    };
    const onAbort = () => end(signal.reason);
    const call = request(optionsOf(url, hostname, addresses, { ...headers, 'content-length': body.byteLength }));
    call.on('response', (response) => {
      status = response.statusCode;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        sizeBytes += chunk.length;
        if (sizeBytes >= ANSWER_BYTES) end(undefined);
      });
      for (const event of ['end', 'error', 'close']) response.on(event, end);
    });
    call.on('error', end);
    call.on('close', () => end(new Error('the connection was closed without an answer')));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    call.end(body);
  });
}

function optionsOf(
  url: URL,
  hostname: string,
  addresses: Target['addresses'],
  headers: OutgoingHttpHeaders,
): RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'> {
  // Never asks anybody: what it answers was checked. It is not called for an address in the URL, which was checked too.
  const lookup: LookupFunction = (_name, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  };
  return {
    method: 'POST',
    host: hostname,
    port: url.port === '' ? 443 : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host },
    agent: false,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT_MS,
    servername: isIP(hostname) === 0 ? hostname : '',
    // Whatever the environment says of it.
    rejectUnauthorized: true,
  };
}

/** Not every store takes U+0000. */
function textOf(chunks: Buffer[]): string {
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8').replaceAll('\0', '\ufffd');
}
