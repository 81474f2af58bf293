import { JOB_STATES } from '../../contract/envelopes.js';
import { SERVICE_ERRORS } from '../../contract/error-codes.js';
import { SUBSCRIPTIONS } from '../../contract/subscription.js';

/** JSON Schema 2020-12. */
export type Schema = Record<string, unknown>;

const text = (description?: string): Schema => ({
  type: 'string',
  ...(description === undefined ? {} : { description }),
});
const id = (prefix: string): Schema => ({ type: 'string', pattern: `^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$` });
const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description });
const time = (description: string): Schema => ({ type: 'string', format: 'date-time', description });
const orNull = (schema: Schema): Schema =>
  Array.isArray(schema.enum)
    ? { ...schema, enum: [...schema.enum, null] }
    : typeof schema.type === 'string'
      ? { ...schema, type: [schema.type, 'null'] }
      : { anyOf: [schema, { type: 'null' }] };
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Schemas of answers allow more fields, because /v1 may add some. */
function object(description: string, properties: Record<string, Schema>, optional: readonly string[] = []): Schema {
  return {
    type: 'object',
    description,
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

const sha256: Schema = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const functionId: Schema = { type: 'string', description: 'An id of the catalog.', examples: ['TEXT_EXTRACTION'] };
const jobStatus: Schema = {
  enum: [...JOB_STATES],
  description: 'completed and failed are final; take any other word for "not yet".',
};

/** The bodies of contract/envelopes.ts, in the same order and under the same names. `Result` comes from the catalog. */
export const BODY_SCHEMAS: Record<string, Schema> = {
  Meta: object('How the document was processed.', {
    provider: text('What processed it.'),
    pageCount: count('Pages that were read.'),
    confidence: {
      type: ['number', 'null'],
      minimum: 0,
      maximum: 1,
      description: 'Mean over all recognised words; null where none was recognised.',
    },
    cached: { type: 'boolean', description: 'Whether the result was served from a cache.' },
    durationMs: count('Processing time in milliseconds.'),
  }),
  SuccessBody: object('The document was processed within the call.', {
    requestId: id('req'),
    function: functionId,
    result: ref('Result'),
    meta: ref('Meta'),
  }),
  QueuedBody: object('The document was accepted and waits: keep the jobId, then poll statusUrl.', {
    requestId: id('req'),
    jobId: id('job'),
    status: jobStatus,
    statusUrl: { type: 'string', pattern: '^/v1/ocr/jobs/job_' },
  }),
  JobError: object('Why the job failed.', {
    code: text(),
    message: text('For people.'),
    retryable: { type: 'boolean' },
  }),
  JobBody: object(
    'A job.',
    {
      jobId: id('job'),
      requestId: id('req'),
      function: functionId,
      status: jobStatus,
      createdAt: time('RFC 3339 UTC, as every time.'),
      startedAt: time('When it was first worked on.'),
      finishedAt: time('When it ended.'),
      progress: object('Pages so far.', { pagesDone: count('Done.'), pageCount: count('In all.') }),
      organisation: object('For a support key only, which gets no result.', { id: id('org'), name: text() }),
      result: ref('Result'),
      meta: ref('Meta'),
      error: ref('JobError'),
    },
    ['startedAt', 'finishedAt', 'progress', 'organisation', 'result', 'meta', 'error'],
  ),
  ErrorBody: object('Every failure.', {
    error: object('What failed.', {
      code: {
        enum: Object.keys(SERVICE_ERRORS),
        description: 'Take one that you do not know by its HTTP status and `retryable`.',
      },
      message: text('For people; not to be matched.'),
      requestId: id('req'),
      retryable: { type: 'boolean', description: 'Whether repeating the same call could succeed.' },
    }),
  }),
  RequestBody: object(
    'A call as the request log has it; null where something is not known. Never document text.',
    {
      requestId: id('req'),
      createdAt: time('When it came.'),
      finishedAt: orNull(time('When it was answered; of a call that was answered with a job, when that ended.')),
      method: orNull(text()),
      path: orNull(text('Without its query.')),
      function: orNull(functionId),
      httpStatus: orNull({ type: 'integer', description: 'null while the call runs.' }),
      error: orNull(
        object('Of the answer, or of the job that it named.', {
          code: orNull(text()),
          message: orNull(text()),
          retryable: { type: 'boolean' },
        }),
      ),
      keyId: orNull(text()),
      keyLastFour: orNull(text()),
      fileName: orNull(text('As it was sent.')),
      sizeBytes: orNull(count('Of the file.')),
      sha256: orNull(sha256),
      mimeType: orNull(text('By the bytes.')),
      pageCount: orNull(count('Pages.')),
      provider: orNull(text()),
      cached: { type: 'boolean' },
      durationMs: orNull(count('Processing time, as meta.durationMs said it.')),
      elapsedMs: orNull(count('From the call to its answer.')),
      jobId: orNull(id('job')),
      jobStatus: orNull(jobStatus),
      jobDeletedAt: time('When the result was deleted on request; only then.'),
      replayOf: orNull(id('req')),
      organisation: orNull(object('For a support key only.', { id: id('org'), name: text() })),
    },
    ['jobDeletedAt', 'organisation'],
  ),
  UsageBody: object('What the plan allows and what is used of it.', {
    organisation: orNull(object('Whose key it is; null for a support key.', { id: id('org'), name: text() })),
    plan: orNull(text()),
    subscription: orNull({ enum: [...SUBSCRIPTIONS], description: 'active and trialing may send documents.' }),
    period: object('The month, or the trial, that documents count in.', {
      start: time('When it began.'),
      end: time('When it ends.'),
    }),
    documents: object('Documents of the period.', {
      used: count('Accepted so far.'),
      limit: orNull(count('What the plan allows; null for no limit.')),
      left: orNull(count('What is left of that; null for no limit.')),
    }),
    rate: object('Calls of the organisation in a window.', {
      limit: orNull(count('What the plan allows; null for no limit.')),
      windowMs: count('Length of the window in milliseconds.'),
    }),
  }),
  CatalogEntry: object(
    'A function.',
    {
      id: functionId,
      alias: text('A short name for people; calls take the id.'),
      title: text(),
      description: text(),
      acceptedTypes: {
        type: 'array',
        items: text(),
        description: 'MIME types; the bytes of a file decide which it is.',
      },
      pageCap: count('Pages of a document at most.'),
      argsSchema: { type: 'object', description: 'JSON Schema 2020-12 of the arguments.' },
      resultSchema: { type: 'object', description: 'JSON Schema 2020-12 of `result`.' },
      included: { type: 'boolean', description: 'Whether this key may call it.' },
    },
    ['alias'],
  ),
  CatalogBody: object(
    'The functions, ordered by id.',
    {
      functions: { type: 'array', items: ref('CatalogEntry') },
      extensions: { type: 'array', items: text(), description: 'What this service has beyond the contract, by name.' },
    },
    ['extensions'],
  ),
};
