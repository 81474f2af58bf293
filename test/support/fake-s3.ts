import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignatureV4 } from '@smithy/signature-v4';

const MAX_SKEW_MS = 15 * 60_000;
const ACCESS_KEY_ID = 'AKIDTEST';
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYTESTKEY';
const REGION = 'eu-test-1';

interface FakeFault {
  method: string;
  /** Requests that get this answer. */
  times: number;
  status?: number;
  code?: string;
  /** Bytes of the object after which the connection is cut. */
  cutAfter?: number;
}

/** A bucket on a server of a test's own. Every request must be signed as `@smithy/signature-v4` signs it. */
export interface FakeS3 {
  /** s3:// URL of a prefix in the bucket, with the server's endpoint and region. */
  url: string;
  /** Keys for the environment. */
  env: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };
  objects: Map<string, Buffer>;
  /** `PUT key 200` of every request that was answered. */
  answers: string[];
  /** Time that the server has, apart from the real one. */
  skewMs: number;
  fail(fault: FakeFault): void;
  /** Holds the answers to a method, after the requests are done; resolves with the key of the first. */
  hold(method: string): Promise<string>;
  /** Sends what was held. */
  release(): void;
  /** Stops answering connections; `start` takes the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message = code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export async function startFakeS3({ pageSize = 1_000 }: { pageSize?: number } = {}): Promise<FakeS3> {
  const bucket = 'ocr-test';
  const objects = new Map<string, Buffer>();
  const answers: string[] = [];
  const faults: FakeFault[] = [];
  const held: Array<() => void> = [];
  let holding: { method: string; note(key: string): void } | undefined;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://fake');
    const method = request.method ?? '';
    const key = decodeURIComponent(url.pathname.slice(bucket.length + 2));
    try {
      const body = await readBody(request);
      await checkSignature(request, url, Date.now() + fake.skewMs);
      checkDigest(request, body);
      if (url.pathname.split('/')[1] !== bucket) throw new Refusal(404, 'NoSuchBucket');
      const fault = faults.find((one) => one.method === method && one.times > 0);
      if (fault !== undefined) {
        fault.times--;
        if (fault.cutAfter !== undefined) {
          const bytes = objects.get(key) ?? Buffer.alloc(0);
          response.writeHead(200, { 'content-length': bytes.length });
          response.write(bytes.subarray(0, fault.cutAfter), () => request.socket.destroy());
          return;
        }
        throw new Refusal(fault.status ?? 503, fault.code ?? '');
      }
      const send = perform(method, key, url.searchParams, body, response);
      if (holding?.method === method) {
        holding.note(key);
        held.push(send);
      } else send();
    } catch (error) {
      const { status, code, message } =
        error instanceof Refusal ? error : new Refusal(500, 'InternalError', String(error));
      answers.push(`${method} ${key} ${status} ${code}`);
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(code === '' ? '' : `<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
    }
  }

  /** Carries out the request, and returns the function that answers. */
  function perform(
    method: string,
    key: string,
    query: URLSearchParams,
    body: Buffer,
    response: ServerResponse,
  ): () => void {
    const answer = (status: number, bytes: Buffer | string = '', headers = {}) => {
      answers.push(`${method} ${key} ${status}`);
      return () => response.writeHead(status, { 'content-length': Buffer.byteLength(bytes), ...headers }).end(bytes);
    };
    if (method === 'PUT') {
      objects.set(key, body);
      return answer(200);
    }
    if (method === 'DELETE') {
      objects.delete(key);
      return answer(204);
    }
    if (method !== 'GET') throw new Refusal(405, 'MethodNotAllowed');
    if (key === '') return answer(200, list(query), { 'content-type': 'application/xml' });
    const bytes = objects.get(key);
    if (bytes === undefined) throw new Refusal(404, 'NoSuchKey');
    return answer(200, bytes);
  }

  function list(query: URLSearchParams): string {
    if (query.get('list-type') !== '2') throw new Refusal(400, 'InvalidArgument');
    const start = query.get('prefix') ?? '';
    const token = query.get('continuation-token');
    if (token !== null && !token.startsWith('next+/&'))
      throw new Refusal(400, 'InvalidArgument', 'not a token of mine');
    const after = token === null ? '' : Buffer.from(token.slice(7), 'base64').toString();
    const size = Math.min(pageSize, Number(query.get('max-keys')));
    const found = [...objects.keys()].filter((key) => key.startsWith(start) && key > after).sort();
    const page = found.slice(0, size);
    const isTruncated = found.length > size;
    const next = `next+/&amp;${Buffer.from(page.at(-1) ?? '').toString('base64')}`;
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key><Size>${objects.get(key)?.length}</Size></Contents>`,
    );
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}${
      isTruncated ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''
    }</ListBucketResult>`;
  }

  const server = createServer((request, response) => void handle(request, response));
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const fake: FakeS3 = {
    url: `s3://${bucket}/some/prefix?endpoint=http://127.0.0.1:${port}&region=${REGION}`,
    env: { AWS_ACCESS_KEY_ID: ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: SECRET },
    objects,
    answers,
    skewMs: 0,
    fail: (fault) => void faults.unshift(fault),
    hold: (method) =>
      new Promise((resolve) => {
        holding = { method, note: resolve };
      }),
    release: () => {
      holding = undefined;
      for (const send of held.splice(0)) send();
    },
    stop,
    start: () => listen(port),
    close: async () => {
      if (server.listening) await stop();
    },
  };
  return fake;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (request.headers['transfer-encoding'] !== undefined) throw new Refusal(411, 'MissingContentLength');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function checkDigest(request: IncomingMessage, body: Buffer): void {
  const digest = request.headers['x-amz-content-sha256'];
  if (typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest))
    throw new Refusal(400, 'InvalidArgument', 'no digest');
  if (createHash('sha256').update(body).digest('hex') !== digest) throw new Refusal(400, 'XAmzContentSHA256Mismatch');
}

/** Signs the request as the sender should have, and compares. */
async function checkSignature(request: IncomingMessage, url: URL, nowMs: number): Promise<void> {
  const { authorization = '', 'x-amz-date': date = '' } = request.headers as Record<string, string | undefined>;
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=[0-9a-f]{64}$/.exec(
      authorization,
    );
  if (parts === null) throw new Refusal(403, 'AccessDenied', 'not signed');
  const [, accessKeyId, day, region, signedHeaders = ''] = parts;
  if (accessKeyId !== ACCESS_KEY_ID) throw new Refusal(403, 'InvalidAccessKeyId');
  if (region !== REGION) throw new Refusal(400, 'AuthorizationHeaderMalformed', `expecting ${REGION}`);
  const time = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  const [year, month, dayOfMonth, hour, minute, second] = (time ?? []).slice(1).map(Number) as number[];
  const atMs = Date.UTC(year ?? 0, (month ?? 0) - 1, dayOfMonth, hour, minute, second);
  if (time === null || !date.startsWith(day ?? '') || Math.abs(atMs - nowMs) > MAX_SKEW_MS)
    throw new Refusal(403, 'RequestTimeTooSkewed');
  const signed = signedHeaders.split(';');
  const mustBeSigned = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))];
  if (!mustBeSigned.every((name) => signed.includes(name)))
    throw new Refusal(403, 'AccessDenied', 'a header is not signed');
  const signer = new SignatureV4({
    service: 's3',
    region: REGION,
    credentials: { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  const again = await signer.sign(
    {
      method: request.method ?? '',
      protocol: 'http:',
      hostname: '127.0.0.1',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(signed.map((name) => [name, String(request.headers[name] ?? '')])),
    },
    { signingDate: new Date(atMs) },
  );
  if (again.headers.authorization !== authorization) throw new Refusal(403, 'SignatureDoesNotMatch');
}

/** SHA-256 as the signer takes it. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as string | Uint8Array);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {}
}
