import { hasArgument, takesList, typeValue, withoutSecrets } from '../../../dist/api/catalog/arguments.js';
import { checkArguments, readPages } from '../../../dist/api/catalog/check-arguments.js';
import { readCatalog, readExtensions } from '../../../dist/api/catalog/read-catalog.js';
import { failureOf, readObject } from '../../../dist/api/http/answer.js';
import { CallFailure } from '../../../dist/api/http/call-failure.js';
import { parseRetryAfterMs, refusesForLong, retryDelayMs } from '../../../dist/api/http/retry.js';
import { outcomeOf } from '../../../dist/api/jobs/outcome-of.js';
import { readJob } from '../../../dist/api/jobs/read-job.js';
import { OcrError } from '../../../dist/contract/ocr-error.js';
import { catalog } from '../../../dist/functions/catalog.js';
import { findOutput } from '../../../dist/functions/find-output.js';
import { parseRecordedRequest } from '../../../dist/io/input/recorded-request.js';
import { type FuzzTarget, promise, tolerate } from '../fuzz-target.js';

const NOW_MS = Date.UTC(2026, 0, 1);
const ORIGIN = 'http://service.test';
const MAX_WAIT_MS = 60_000;
const isFailure = (error: unknown) => error instanceof CallFailure || error instanceof OcrError;

const answer = (status: number, headers: string, body: unknown) =>
  Buffer.from(`HTTP/1.1 ${status} X\r\n${headers}\r\n\r\n${typeof body === 'string' ? body : JSON.stringify(body)}`);
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    format: { type: 'string', enum: ['text', 1], pattern: '^(a+)$', examples: ['text'] },
    pages: { type: ['integer', 'string'], minimum: 3, maxLength: 1 },
    languages: { type: 'array', items: { $ref: '#/properties/format' }, minItems: 3 },
    nested: { $ref: '#' },
  },
  required: ['format'],
};

/** Answers of a server that is not ours: errors, Retry-After, the catalog with its schemas, jobs and results. */
export const foreignServer: FuzzTarget = {
  name: 'foreign-server',
  seeds: () => [
    answer(429, 'Retry-After: 7\r\nX-Request-Id: r', {
      error: { code: 'RATE_LIMITED', message: 'm', retryable: true },
    }),
    answer(503, 'Retry-After: Fri, 02 Jan 2026 00:00:00 GMT\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT', '<html>\nbusy'),
    answer(302, 'Location: http://x', ''),
    answer(200, 'X: y', {
      functions: [{ id: 'F', argsSchema: SCHEMA, acceptedTypes: ['a/b'], pageCap: 3, included: true }],
    }),
    answer(200, 'X: y', {
      data: { items: [{ name: 'F', argsSchema: { $ref: '#/$defs/a', $defs: { a: SCHEMA } } }] },
      extensions: ['a'],
    }),
    answer(200, 'X: y', {
      job: { status: 'completed', progress: { pagesDone: 1, pageCount: 2 } },
      data: { text: 'x' },
    }),
    answer(200, 'X: y', { status: 'failed', error: { code: 'C', message: 'm' }, requestId: 'r', function: 'F' }),
    answer(200, 'X: y', {
      status: 'completed',
      result: {
        text: 't',
        tables: [{ rows: [['a']], page: 1, cells: [{ text: 'x', row: 0, column: 0 }] }],
        barcodes: [{ page: 1, symbology: 'q', text: 'x', box: [0, 0, 1, 1] }],
        fields: [{ name: 'n', type: 'text', value: ['v'], widgets: [{ page: 1 }] }],
        pages: [{ page: 1, width: 1, height: 2, blocks: [{ kind: 'p', lines: [] }], textLayer: { verdict: 'absent' } }],
        pdf: { base64: 'AAAA' },
        warnings: [{ page: 1, message: 'm' }],
      },
    }),
  ],
  tokens: [
    ...[
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      'null',
      'true',
      '""',
      '{}',
      '[]',
      '1e999',
      '\r\n',
      '\r\n\r\n',
      '"toString":1,',
    ],
    ...[
      'Retry-After: ',
      'Date: ',
      'Thu, 01 Jan 1970 00:00:00 GMT',
      'Sat, 13 Sep 275760 00:00:00 GMT',
      '"__proto__":{},',
    ],
    ...['"$ref":"#",', '"$ref":"#/x",', '"pattern":"(",', '"enum":[{}],', '"type":"x",', '"const":1,', '"not":{},'],
    ...[
      '"anyOf":[],',
      '"properties":1,',
      '"items":false,',
      '"required":["__proto__"],',
      '"$id":"x",',
      '"format":"date",',
    ],
    ...['"status":"completed",', '"result":{},', '"error":"x",', '"data":[],', '"job":{},', '"text":1,', '"text":"x",'],
  ],
  runs: 1500,
  async run(bytes) {
    const { headers, body } = parseRecordedRequest(bytes);
    const status = Number(/^HTTP\/1\.1 ([2-5]\d\d) /.exec(Buffer.from(bytes).toString('latin1'))?.[1] ?? 500);
    const text = new TextDecoder().decode(body);
    const received = { status, headers: Object.fromEntries(headers), text };
    const retryAfterMs = parseRetryAfterMs(received.headers, NOW_MS);
    promise(retryAfterMs === undefined || retryAfterMs >= 0, `a wait of ${retryAfterMs} ms`);
    const failure = failureOf(received, ORIGIN, NOW_MS);
    const delayMs = retryDelayMs(failure, 0, () => 0.5);
    promise(delayMs === undefined || (delayMs >= 0 && delayMs <= MAX_WAIT_MS), `a delay of ${delayMs} ms`);
    refusesForLong(failure);
    promise(failure.error.message.length <= bytes.length + 1000, 'a message is no longer than the answer');
    JSON.stringify(failure.error);
    await readResult(received);
    readExtensions(text);
    for (const entry of readCatalog(text) ?? []) await checkEntry(entry.argsSchema);
  },
};

async function readResult(received: { status: number; headers: Record<string, string>; text: string }): Promise<void> {
  const body = await tolerate(isFailure, () => readObject(received, ORIGIN));
  if (body === undefined) return;
  const job = readJob(body);
  const outcome = await tolerate(isFailure, () => outcomeOf(job, 'job_1', {}));
  if (outcome?.state !== 'completed') return;
  for (const { id } of catalog) (await findOutput(id))?.print(outcome.body.result);
}

async function checkEntry(schema: Record<string, unknown> | undefined): Promise<void> {
  const given = [
    {},
    { format: 'aaaaaaaaaaaaaaaa!' },
    { pages: 7 },
    { languages: ['deu+eng'] },
    { nested: { nested: {} } },
  ];
  for (const args of given) {
    await tolerate(isFailure, () => checkArguments(args, schema, 'F', () => {}));
    JSON.stringify(withoutSecrets(args, schema));
    readPages(args, schema);
  }
  for (const name of ['format', 'pages', '__proto__', 'languages']) {
    hasArgument(name, schema);
    takesList(name, schema);
    for (const value of ['1', 'true', '[1', 'a,b', '']) await tolerate(isFailure, () => typeValue(name, value, schema));
  }
}
