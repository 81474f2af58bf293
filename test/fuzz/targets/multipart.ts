import { isServiceErrorCode, SERVICE_ERRORS } from '../../../dist/contract/error-codes.js';
import { createBoundaryCounter } from '../../../dist/service/http/count-boundaries.js';
import { MULTIPART_TYPE, multipart, type Part, sendRaw } from '../../contract/support/http.js';
import {
  HOSTILE_PROGRAM,
  startTestService,
  type TestService,
  waitForNoBlobs,
} from '../../contract/support/running-service.js';
import { type FuzzTarget, promise } from '../fuzz-target.js';

/** Place of the service's own key in an input: each start has another one. */
const KEY = '{key}';
const RUNS_BETWEEN_CHECKS = 100;

const file: Part = { name: 'file', filename: 'a.pdf', type: 'application/pdf', content: '%PDF-1.4 TEXT=read' };
const args: Part = { name: 'args', content: '{"format":"text"}' };
const head = (...lines: string[]) =>
  ['POST /v1/ocr/TEXT_EXTRACTION HTTP/1.1', 'Host: x', `X-API-Key: ${KEY}`, 'Connection: close', ...lines, '', ''].join(
    '\r\n',
  );
const BODY = multipart([args, file]);
const CHUNKED = [...BODY].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('');

let starting: Promise<TestService> | undefined;
let runs = 0;

/** Whole calls, from the request line on, as bytes on a socket of the real service. */
export const http: FuzzTarget = {
  name: 'http',
  seeds: () => [
    Buffer.concat([Buffer.from(head(`Content-Type: ${MULTIPART_TYPE}`, `Content-Length: ${BODY.length}`)), BODY]),
    Buffer.from(
      `${head(`Content-Type: ${MULTIPART_TYPE}`, 'Transfer-Encoding: chunked') + CHUNKED}0\r\n\r\n`,
      'latin1',
    ),
    Buffer.from(
      `GET /v1/ocr/jobs/job_1 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`,
    ),
    Buffer.from(
      `DELETE /v1/ocr/jobs/job_1?a=b HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nPrefer: wait=1\r\n\r\n`,
    ),
  ],
  tokens: [
    ...['\r\n', '\r\n\r\n', ':', ' ', '\0', 'GET /', 'POST ', 'HTTP/1.0', '?', '%', '%00', '..', '/', ';', ',', '\x80'],
    ...[
      'Content-Length: 5\r\n',
      'Transfer-Encoding: chunked\r\n',
      'Host: y\r\n',
      'Expect: 100-continue\r\n',
      '0\r\n\r\n',
    ],
    ...['Idempotency-Key: a\r\n', 'Prefer: respond-async\r\n', 'Content-Encoding: gzip\r\n', 'Connection: upgrade\r\n'],
  ],
  runs: 400,
  run: (bytes) => send(bytes),
  close,
};

/** Bodies of multipart calls; the head is right. */
export const multipartBody: FuzzTarget = {
  name: 'multipart',
  seeds: () => [
    BODY,
    multipart([file, args]),
    multipart([{ ...file, filename: 'ü".pdf', content: Buffer.from([0, 13, 10, 45, 45, 255]) }]),
    Buffer.concat([
      Buffer.from('preamble\r\n'),
      multipart([{ ...file, rawHeaders: 'X: y' }, file]),
      Buffer.from('epilogue'),
    ]),
  ],
  tokens: [
    ...[
      '\r\n',
      '\r\n\r\n',
      '--',
      '\r\n--',
      MULTIPART_TYPE.split('=')[1] ?? '',
      `\r\n--${MULTIPART_TYPE.split('=')[1]}\r\n`,
    ],
    ...[
      'Content-Disposition: form-data; name="args"',
      '; filename="',
      "; filename*=UTF-8''%e4",
      '"',
      ';',
      '\\',
      '\0',
      '\x80',
    ],
    ...['Content-Type: text/plain; charset=utf-16', 'Content-Transfer-Encoding: base64', '{', '%PDF-', 'name="file"'],
  ],
  runs: 400,
  async run(bytes) {
    checkCounter(bytes);
    await send(
      Buffer.concat([Buffer.from(head(`Content-Type: ${MULTIPART_TYPE}`, `Content-Length: ${bytes.length}`)), bytes]),
    );
  },
  close,
};

/** The delimiters of a body are the same in whatever pieces it comes. */
function checkCounter(bytes: Uint8Array): void {
  const boundary = MULTIPART_TYPE.split('=')[1] ?? '';
  const count = (pieceBytes: number): number => {
    const counter = createBoundaryCounter(boundary);
    for (let at = 0; at < bytes.length; at += pieceBytes)
      counter.push(Buffer.from(bytes.subarray(at, at + pieceBytes)));
    return counter.count;
  };
  const whole = count(bytes.length + 1);
  for (const pieceBytes of [1, 3, boundary.length + 4, 1000])
    promise(count(pieceBytes) === whole, `${whole} delimiters in pieces of ${pieceBytes} bytes too`);
}

async function send(bytes: Uint8Array): Promise<void> {
  const service = await start();
  const text = Buffer.from(bytes).toString('latin1').replaceAll(KEY, service.key);
  const answer = await sendRaw(service.url, [Buffer.from(text, 'latin1')]);
  for (const one of answer.split(/(?=HTTP\/1\.1 \d{3} )/)) checkAnswer(one);
  if (++runs % RUNS_BETWEEN_CHECKS === 0) await checkNextCaller(service);
}

function checkAnswer(answer: string): void {
  // A sender that did not finish may get no answer.
  if (answer === '') return;
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
  promise(status >= 100 && status < 500, `an answer of ${answer.slice(0, 400)}`);
  const [, body = ''] = answer.split(/\r\n\r\n/);
  const code = /"code":"(\w+)"/.exec(body)?.[1];
  promise(
    code === undefined || (isServiceErrorCode(code) && SERVICE_ERRORS[code].status === status),
    `${code} for ${status}`,
  );
}

async function checkNextCaller(service: TestService): Promise<void> {
  const answer = await service.submit('%PDF-1.4 TEXT=next');
  promise(answer.json?.result?.text === 'next', `the next caller is served: ${answer.text}`);
  const blobs = await waitForNoBlobs(service.dataDir);
  promise(blobs.length === 0, `nothing stays behind: ${blobs.join()}`);
}

function start(): Promise<TestService> {
  starting ??= startTestService({
    documentProgram: HOSTILE_PROGRAM,
    config: { headersTimeoutMs: 2_000, requestTimeoutMs: 4_000, maxFileBytes: 4 * 1024 * 1024 },
  });
  return starting;
}

async function close(): Promise<void> {
  const running = await starting;
  starting = undefined;
  if (running === undefined) return;
  try {
    await checkNextCaller(running);
  } finally {
    await running.remove();
  }
}
