import type { OutgoingHttpHeaders } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import type { Target } from './check-target.js';

/** Size of the stored part of an answer. */
const MAX_ANSWER_BYTES = 1024;
/** Time for one of several addresses before the next is tried. */
const CONNECT_ATTEMPT_MS = 2_000;

export interface Received {
  status: number;
  /** The first KiB, read as UTF-8. */
  answer: string;
}

/**
 * Sends one POST on its own connection, only to the checked addresses, under the host name of the URL. The status decides. The
 * rest of the answer is read up to its first KiB, and no longer than `signal` allows. Redirects count as answers.
 * @throws the error that ended the connection before the status; `signal.reason` when it is aborted
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
        if (sizeBytes >= MAX_ANSWER_BYTES) end(undefined);
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
  // Returns the checked addresses without a look-up. An address in the URL was checked too; Node does not look it up.
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
    // NODE_TLS_REJECT_UNAUTHORIZED must not switch this off.
    rejectUnauthorized: true,
  };
}

/** Decodes the answer as UTF-8. U+0000 is replaced, because not every store accepts it. */
function textOf(chunks: Buffer[]): string {
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8').replaceAll('\0', '\ufffd');
}
