import { SERVICE_ERRORS, type ServiceErrorCode } from '../../contract/error-codes.js';
import { catalog } from '../../functions/catalog.js';
import { BODY_SCHEMAS, type Schema } from './body-schemas.js';

/** Renders the OpenAPI 3.1 document of /v1, from the schemas that check arguments and those of the bodies. */
export function createOpenApiDocument(version: string): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Document OCR',
      version,
      description:
        'Extracts content from documents. One multipart POST carries one file to a function; small documents are answered at once (200), others become jobs (202) that are polled. Fields are only ever added.',
    },
    servers: [{ url: '/', description: 'The service that gave this document.' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    paths: {
      '/v1/ocr/{function}': { post: runFunction() },
      '/v1/ocr/jobs/{jobId}': { get: getJob(), delete: deleteJob() },
      '/v1/ocr/functions': { get: listFunctions() },
      '/v1/ocr/requests/{requestId}': { get: getRequest() },
      '/v1/ocr/usage': { get: getUsage() },
      '/v1/ocr/events': { get: streamEvents() },
      '/v1/openapi.json': { get: getOpenApi() },
    },
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Authorization: Bearer <API key>. It wins where both are sent; two of one are refused.',
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      headers: HEADERS,
      schemas: {
        ...BODY_SCHEMAS,
        Result: {
          type: 'object',
          description: 'Of the function that was called: its schema is named after it.',
          anyOf: catalog.map(({ id }) => ref(`${id}_result`)),
        },
        ...Object.fromEntries(
          catalog.flatMap(({ id, title, argsSchema, resultSchema }) => [
            [`${id}_args`, { title, ...omitDialect(argsSchema) }],
            [`${id}_result`, { title, ...omitDialect(resultSchema) }],
          ]),
        ),
      },
    },
  };
}

const integer: Schema = { type: 'integer', minimum: 0 };
const HEADERS = {
  'X-Request-Id': { description: 'The requestId of the body.', schema: { type: 'string', pattern: '^req_' } },
  'Retry-After': { description: 'Seconds.', schema: integer },
  'Preference-Applied': { description: 'What was done of what was preferred.', schema: { type: 'string' } },
  'RateLimit-Limit': { description: 'Calls that the plan allows in a window.', schema: integer },
  'RateLimit-Remaining': { description: 'What is left of them.', schema: integer },
  'RateLimit-Reset': { description: 'Seconds until the next window.', schema: integer },
  'Idempotency-Key': { description: 'The one that was sent.', schema: { type: 'string' } },
  ETag: { description: 'For If-None-Match.', schema: { type: 'string' } },
  Allow: { description: 'The methods that the path has.', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'How to send a key.', schema: { type: 'string' } },
};
type HeaderName = keyof typeof HEADERS;
const RATE: HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** `always` names the headers that every such answer has. */
function headers(always: readonly HeaderName[], sometimes: readonly HeaderName[] = []): Record<string, unknown> {
  return Object.fromEntries([
    ...always.map((name) => [name, { ...HEADERS[name], required: true }]),
    ...sometimes.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ]);
}

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Schema) => ({ 'application/json': { schema } });

function answer(
  description: string,
  body: string,
  always: readonly HeaderName[] = [],
  sometimes: readonly HeaderName[] = [],
): Record<string, unknown> {
  return { description, headers: headers(['X-Request-Id', ...always], sometimes), content: json(ref(body)) };
}

/** Renders a response for each status, with its error codes. */
function failures(codes: readonly ServiceErrorCode[]): Record<string, unknown> {
  const all: ServiceErrorCode[] = ['UNAUTHORIZED', 'METHOD_NOT_ALLOWED', 'PROVIDER_UNAVAILABLE', 'INTERNAL', ...codes];
  const statuses = [...new Set(all.map((code) => SERVICE_ERRORS[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = all.filter((code) => SERVICE_ERRORS[code].status === status);
      const only = { properties: { error: { properties: { code: { enum: own } } } } };
      const description = own.map((code) => `${code}: ${SERVICE_ERRORS[code].meaning}.`).join(' ');
      const content = json({ allOf: [ref('ErrorBody'), only] });
      return [String(status), { description, headers: headers(...headersOf(status)), content }];
    }),
  );
}

function headersOf(status: number): [always: HeaderName[], sometimes: HeaderName[]] {
  const always: Partial<Record<number, HeaderName[]>> = {
    401: ['WWW-Authenticate'],
    405: ['Allow'],
    429: ['Retry-After', ...RATE],
    503: ['Retry-After'],
  };
  return [['X-Request-Id', ...(always[status] ?? [])], ['Idempotency-Key']];
}

const pathParameter = (name: string, description: string, example: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', examples: [example] },
});

function runFunction(): Record<string, unknown> {
  const args = catalog.map(({ id }) => ref(`${id}_args`));
  return {
    operationId: 'runFunction',
    summary: 'Run a function on one document',
    parameters: [
      pathParameter('function', 'An id of the catalog.', catalog[0]?.id ?? ''),
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'The same key, function, arguments and file within 24 hours give the first answer again.',
        schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
      },
      {
        name: 'Prefer',
        in: 'header',
        description: '"respond-async" asks for a job whatever the size (RFC 7240).',
        schema: { type: 'string', examples: ['respond-async'] },
      },
    ],
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: {
              file: {
                type: 'string',
                contentMediaType: 'application/octet-stream',
                description: 'The document: one file part.',
              },
              args: {
                type: 'string',
                contentMediaType: 'application/json',
                contentSchema: args.length === 1 ? args[0] : { anyOf: args },
                default: '{}',
                description: "The function's arguments as JSON: a text part of at most 64 KiB.",
              },
            },
            required: ['file'],
            additionalProperties: false,
          },
        },
      },
    },
    responses: {
      200: answer('The result.', 'SuccessBody', RATE, ['Idempotency-Key']),
      202: answer(
        'A job: the document waits, or takes longer.',
        'QueuedBody',
        ['Retry-After', ...RATE],
        ['Idempotency-Key'],
      ),
      408: { description: 'The sender was too slow, or went away; without a body.' },
      ...failures([
        'INVALID_ARGS',
        'PAGE_LIMIT_EXCEEDED',
        'INVALID_DOCUMENT',
        'PAYMENT_REQUIRED',
        'FORBIDDEN',
        'NOT_FOUND',
        'IDEMPOTENCY_CONFLICT',
        'CANCELLED',
        'EXPIRED',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'QUOTA_EXCEEDED',
        'RATE_LIMITED',
      ]),
    },
  };
}

function getJob(): Record<string, unknown> {
  return {
    operationId: 'getJob',
    summary: 'Look how far a job is',
    description:
      'Wait a second before the first look, and double that up to 15 seconds; or have each look held until the job ends.',
    parameters: [
      pathParameter('jobId', 'As the 202 named it, or its beginning.', 'job_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
      {
        name: 'Prefer',
        in: 'header',
        description:
          '"wait=<seconds>" holds the answer until the job ends, for so many whole seconds and at most 30 (RFC 7240).',
        schema: { type: 'string', examples: ['wait=15'] },
      },
    ],
    responses: {
      200: answer('The job; Retry-After while it is not done.', 'JobBody', [], ['Retry-After', 'Preference-Applied']),
      ...failures(['AMBIGUOUS_ID', 'NOT_FOUND', 'EXPIRED']),
    },
  };
}

function deleteJob(): Record<string, unknown> {
  return {
    operationId: 'deleteJob',
    summary: 'Cancel a job, or delete what it made',
    description:
      'An addition to the contract; the catalog names it "jobs.delete" among its extensions. An unfinished job ends as failed with the code CANCELLED; it is billed only if it had begun. Of a finished job the result, the document and the cached answer are removed at once. The entry of the request log stays.',
    parameters: [
      pathParameter('jobId', 'As the 202 named it.', 'job_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
      {
        name: 'Prefer',
        in: 'header',
        description: '"if-unfinished" leaves a finished job as it is (RFC 7240).',
        schema: { type: 'string', examples: ['if-unfinished'] },
      },
    ],
    responses: {
      200: answer('The job, without its result.', 'JobBody', [], ['Preference-Applied']),
      ...failures(['AMBIGUOUS_ID', 'FORBIDDEN', 'NOT_FOUND', 'EXPIRED']),
    },
  };
}

function listFunctions(): Record<string, unknown> {
  return {
    operationId: 'listFunctions',
    summary: 'The catalog of functions',
    parameters: [IF_NONE_MATCH],
    responses: {
      200: answer('The catalog as this key may use it.', 'CatalogBody', ['ETag']),
      304: NOT_MODIFIED,
      ...failures([]),
    },
  };
}

function getRequest(): Record<string, unknown> {
  return {
    operationId: 'getRequest',
    summary: "An entry of the organisation's request log",
    description:
      'An addition to the contract; the catalog names it "requests" among its extensions. A support key reads the entries of all organisations.',
    parameters: [
      pathParameter('requestId', 'As X-Request-Id said it, or its beginning.', 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
    ],
    responses: { 200: answer('The entry.', 'RequestBody'), ...failures(['AMBIGUOUS_ID', 'NOT_FOUND']) },
  };
}

function getUsage(): Record<string, unknown> {
  return {
    operationId: 'getUsage',
    summary: 'The plan of the organisation, and what is used of it',
    description: 'An addition to the contract; the catalog names it "usage" among its extensions.',
    responses: { 200: answer('The usage.', 'UsageBody'), ...failures([]) },
  };
}

function streamEvents(): Record<string, unknown> {
  const description = 'The stream, until the caller or the service ends it.';
  return {
    operationId: 'streamEvents',
    summary: "The organisation's events as they happen, as server-sent events",
    description:
      'An addition to the contract; the catalog names it "events" among its extensions. Each event has an id, its kind (document.processed, document.failed) and, as data, the body of a webhook delivery on one line. A comment comes every 15 seconds. Events are kept for a day, 20,000 of an organisation at most; events.missed, without an id, says that some after Last-Event-ID are no longer kept.',
    parameters: [
      {
        name: 'Last-Event-ID',
        in: 'header',
        description:
          'The id of the last event that was received: the stream goes on after it. Without it, it begins now.',
        schema: { type: 'string', pattern: '^evt_' },
      },
    ],
    responses: {
      200: {
        description,
        headers: headers(['X-Request-Id']),
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      ...failures(['INVALID_ARGS', 'FORBIDDEN']),
      429: answer('RATE_LIMITED: the organisation follows its events ten times already.', 'ErrorBody', ['Retry-After']),
    },
  };
}

function getOpenApi(): Record<string, unknown> {
  const content = json({ type: 'object' });
  return {
    operationId: 'getOpenApi',
    summary: 'This document',
    parameters: [IF_NONE_MATCH],
    responses: {
      200: { description: 'OpenAPI 3.1.', headers: headers(['X-Request-Id', 'ETag']), content },
      304: NOT_MODIFIED,
      ...failures([]),
    },
  };
}

const IF_NONE_MATCH = { name: 'If-None-Match', in: 'header', schema: { type: 'string' } };
const NOT_MODIFIED = { description: 'As the ETag names it.', headers: headers(['X-Request-Id', 'ETag']) };

/** The document uses the same dialect, so `$schema` is dropped. */
function omitDialect({ $schema, ...schema }: Schema): Schema {
  return schema;
}
