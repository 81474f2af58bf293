import { explainMismatch } from '../../../dist/commands/verify-webhook/explain.js';
import { createSignature, parseSignature, verifySignature } from '../../../dist/contract/signature.js';
import { decodeText } from '../../../dist/io/input/decode-text.js';
import { parseRecordedRequest } from '../../../dist/io/input/recorded-request.js';
import { type FuzzTarget, promise } from '../fuzz-target.js';

const SECRET = 'whsec_test_secret';
const NOW_S = 1_614_265_330;
const BODY =
  '{"id":"d","type":"document.processed","createdAt":"2026-01-01T00:00:00.000Z","data":{"a":[1,"\\u00e4/"]}}';
const SIGNATURE = createSignature([SECRET], NOW_S, Buffer.from(BODY));
const check = { secrets: [SECRET, ''], nowS: NOW_S, toleranceS: 300 };

/** Signatures of deliveries. */
export const signature: FuzzTarget = {
  name: 'signature',
  seeds: () => [SIGNATURE, `${SIGNATURE},v1=${'0'.repeat(64)}`, 't=1e3, v1 = a,v0=b'].map((text) => Buffer.from(text)),
  tokens: [',', '=', 't=', 'v1=', ' ', '-', '.', 'Infinity', '0x10', '\0', '\xff', 'ABCDEF'],
  runs: 3000,
  run(bytes) {
    const parsed = parseSignature(Buffer.from(bytes).toString('utf8'));
    const verdict = verifySignature({ ...check, signature: parsed, rawBody: Buffer.from(BODY) });
    const own = createSignature([SECRET], NOW_S, Buffer.from(BODY)).split('v1=')[1] ?? '';
    promise(!verdict.isDigestRight || parsed.v1.includes(own), 'no other digest is right');
    promise(!verdict.isInTolerance || Math.abs(verdict.ageS) <= check.toleranceS, 'the age is in the tolerance');
  },
};

const recorded = (head: string, body: string) => Buffer.from(`${head.replaceAll('\n', '\r\n')}\r\n\r\n${body}`);
const chunk = (text: string) => `${text.length.toString(16)};x=y\r\n${text}\r\n`;

/** Recorded deliveries that `ocr verify-webhook` reads, and its search for the cause of a mismatch. */
export const verifyWebhook: FuzzTarget = {
  name: 'verify-webhook',
  seeds: () => [
    recorded(`POST /hook HTTP/1.1\nHost: x\nContent-Length: ${BODY.length}\nX-Service-Signature: ${SIGNATURE}`, BODY),
    recorded(`Transfer-Encoding: chunked\nX-Service-Signature: ${SIGNATURE}`, `${chunk(BODY)}0\r\n\r\n`),
    recorded(`X-A: b\n folded\nX-Service-Signature: t=1,v1=${'a'.repeat(64)}`, '\xef\xbb\xbf{"a": [1,\t{}]}\n'),
  ],
  hostile: () => [
    recorded(`X-Service-Signature: ${SIGNATURE}`, '['.repeat(60_000) + ']'.repeat(60_000)),
    recorded(`X-Service-Signature: ${SIGNATURE}`, `"${'x'.repeat(1_000_000)}"`),
  ],
  tokens: [
    ...[
      '\r\n',
      '\n',
      '\r\n\r\n',
      ':',
      ' ',
      '\t',
      '0\r\n\r\n',
      'ffffffff\r\n',
      'Content-Length: ',
      'Transfer-Encoding: chunked\r\n',
    ],
    ...['X-Service-Signature: ', '{', '}', '[', ']', '"', '\\', '\\u', ',', 'a"', '\xef\xbb\xbf', 't=', ',v1='],
  ],
  runs: 1500,
  run(bytes) {
    const { headers, body = new Uint8Array(), missingBytes } = parseRecordedRequest(bytes);
    promise(body.length <= bytes.length, 'a body is no longer than what was recorded');
    const parsed = parseSignature(headers.get('x-service-signature') ?? '');
    const options = { ...check, signature: parsed, rawBody: body, toleranceS: 300 };
    const verdict = verifySignature(options);
    explainMismatch({ ...options, verdict, missingBytes });
    promise(decodeText(bytes).length <= bytes.length, 'a text is no longer than its bytes');
  },
};
