import { expect, test } from 'vitest';
import { type Card, cardOfEntry, cardOfRecord, redactCard } from '../../../../src/commands/requests/card.js';
import type { SubmissionRecord } from '../../../../src/ledger/record.js';

const record: SubmissionRecord = {
  formatVersion: 1,
  id: 'sub_1',
  fingerprint: 'f',
  idempotencyKey: 'ocr-1',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:01.000Z',
  finishedAt: '2026-01-01T00:00:02.500Z',
  status: 'completed',
  input: { name: "people/anna's tax.pdf", sha256: 'ab', sizeBytes: 9 },
  function: 'TEXT_EXTRACTION',
  args: { pages: '1-2', password: null },
  serverId: 'https://ocr.customer.example/api',
  profile: 'customer',
  command: 'extract',
  requestId: 'req_1',
  jobId: 'job_1',
  httpStatus: 202,
  meta: { provider: 'p', pageCount: 2, cached: false, durationMs: 700 },
};
const failed = (code: string, httpStatus: number, retryable: boolean): SubmissionRecord => {
  const { jobId: _, meta: __, ...rest } = record;
  return {
    ...rest,
    status: 'failed',
    httpStatus,
    error: { code, message: `${record.input.name}: ${code}`, retryable },
  };
};

test('a record of the ledger → a card with every field', () => {
  expect(cardOfRecord(record, {})).toEqual({
    requestId: 'req_1',
    source: 'ledger',
    createdAt: '2026-01-01T00:00:00.000Z',
    finishedAt: '2026-01-01T00:00:02.500Z',
    command: 'ocr extract',
    input: { name: "people/anna's tax.pdf", sizeBytes: 9, sha256: 'ab' },
    function: 'TEXT_EXTRACTION',
    args: { pages: '1-2', password: null },
    profile: 'customer',
    server: 'https://ocr.customer.example/api',
    httpStatus: 202,
    provider: 'p',
    pageCount: 2,
    cached: false,
    durationMs: 700,
    elapsedMs: 2500,
    jobId: 'job_1',
    status: 'completed',
    statusAt: '2026-01-01T00:00:02.500Z',
    error: null,
    next: 'ocr jobs result job_1',
  });
});

test.each<[string, SubmissionRecord, string | null]>([
  ['a running job', { ...record, status: 'processing' }, 'ocr jobs wait job_1'],
  ['a refused key', failed('UNAUTHORIZED', 401, false), "ocr auth status --profile 'my work'"],
  [
    'a wrong type',
    failed('UNSUPPORTED_MEDIA_TYPE', 415, false),
    "ocr functions get TEXT_EXTRACTION --profile 'my work'",
  ],
  [
    'a rate limit',
    failed('RATE_LIMITED', 429, true),
    `ocr extract --profile 'my work' -a pages=1-2 -a password 'people/anna'\\''s tax.pdf'`,
  ],
  [
    'another function with arguments of all kinds',
    { ...failed('X', 503, true), function: 'F', args: { list: ["it's"], n: 2, yes: true, text: 'a b' } },
    `ocr extract --profile 'my work' -f F --args '{"list":["it'\\''s"]}' -a n=2 -a yes=true -a 'text=a b' 'people/anna'\\''s tax.pdf'`,
  ],
  [
    'a job that is gone, with a file name like a flag',
    { ...record, status: 'gone', args: {}, input: { ...record.input, name: '-a.pdf' } },
    `ocr extract --profile 'my work' ./-a.pdf`,
  ],
  [
    'a language that is not installed',
    {
      ...failed('INVALID_ARGS', 400, false),
      error: {
        code: 'INVALID_ARGS',
        message: 'args.languages: the language "deu" is not installed: ocr languages install deu',
        retryable: false,
      },
    },
    'ocr languages install deu',
  ],
  ['a fault of the service', failed('INTERNAL', 500, false), null],
  ['an unknown function', failed('NOT_FOUND', 404, false), "ocr functions list --profile 'my work'"],
  [
    'an encrypted document',
    {
      ...failed('INVALID_DOCUMENT', 400, false),
      error: { code: 'INVALID_DOCUMENT', message: 'The document is encrypted', retryable: false },
      args: {},
    },
    `ocr extract --profile 'my work' -a password 'people/anna'\\''s tax.pdf'`,
  ],
  [
    'a damaged document',
    {
      ...failed('INVALID_DOCUMENT', 400, false),
      error: { code: 'INVALID_DOCUMENT', message: 'The PDF is damaged', retryable: false },
    },
    null,
  ],
  [
    'a document with too many pages',
    {
      ...failed('PAGE_LIMIT_EXCEEDED', 400, false),
      error: { code: 'PAGE_LIMIT_EXCEEDED', message: 'It has 90 pages; F takes 30 at most', retryable: false },
      function: 'F',
      args: { pages: '1-3', ocr: 'force' },
    },
    `qpdf --split-pages=30 'people/anna'\\''s tax.pdf' part-%d.pdf && ocr extract --profile 'my work' -f F -a ocr=force part-*.pdf`,
  ],
])('%s → the next command', (_, given, next) => {
  expect(cardOfRecord(given, { profile: 'my work' }).next).toBe(next);
});

test('a redacted card → no name and no host, not even in its message', () => {
  const message =
    "people/anna's tax.pdf: https://ocr.customer.example/api answered 502, ask ocr.customer.example about customer";
  const card = cardOfRecord(
    { ...failed('X', 503, true), error: { code: 'X', message, retryable: true } },
    { profile: 'customer' },
  );
  const text = JSON.stringify(redactCard(card));
  expect(text).not.toMatch(/anna|tax|customer|example/);
  expect(redactCard(card)).toMatchObject({
    requestId: 'req_1',
    input: { name: null, sha256: 'ab', sizeBytes: 9 },
    profile: null,
    server: null,
    next: 'ocr extract -a pages=1-2 -a password <file>',
  });
});

test('an entry of a service’s log, wherever it stands in the answer → a card by the contract’s names', () => {
  const entry = {
    requestId: 'req_9',
    function: 'F',
    status: 400,
    createdAt: 1767225600000,
    durationMs: 12,
    pageCount: 3,
    fileName: 'x.pdf',
    sizeBytes: 7,
    error: { code: 'INVALID_ARGS', message: 'no such page', retryable: false },
  };
  for (const body of [entry, { data: entry }, { request: entry }]) {
    expect(cardOfEntry('req_9', body, 'https://s', {})).toMatchObject({
      requestId: 'req_9',
      source: 'service',
      createdAt: '2026-01-01T00:00:00.000Z',
      httpStatus: 400,
      function: 'F',
      pageCount: 3,
      durationMs: 12,
      input: { name: 'x.pdf', sizeBytes: 7, sha256: null },
      error: { code: 'INVALID_ARGS', message: 'no such page', retryable: false },
      server: 'https://s',
      next: 'ocr functions get F',
    });
  }
  expect(cardOfEntry('req_9', {}, 'https://s', {})).toMatchObject({ requestId: 'req_9', error: null, status: null });
});

test('a support key and a call of nobody in particular → only a look is next, redacted or not', () => {
  const entry = { requestId: 'req_9', organisation: null, jobId: 'job_9', jobStatus: 'completed' };
  const running = { ...entry, jobStatus: 'running' };
  for (const show of [(card: Card) => card, redactCard]) {
    expect(show(cardOfEntry('req_9', { data: entry }, 'https://s', {})).next).toBeNull();
    expect(show(cardOfEntry('req_9', { data: running }, 'https://s', {})).next).toBe('ocr jobs get job_9');
  }
});
