import { expect, test } from 'vitest';
import { readCatalog } from '../../../../src/api/catalog/read-catalog.js';
import { readJob, toCompleted } from '../../../../src/api/jobs/read-job.js';

const result = { text: 'T' };

test.each<[string, Record<string, unknown>]>([
  ['at the top', { status: 'completed', result }],
  ['under job', { status: 'completed', job: { result } }],
  ['under data', { status: 'completed', data: { result } }],
  ['all under job', { job: { status: 'completed', result } }],
  ['all under data', { data: { status: 'completed', result } }],
  ['under data.job', { data: { job: { status: 'completed', result } } }],
  ['bare under data', { status: 'completed', data: { text: 'T' } }],
])('a result %s → found', (_, body) => {
  const job = readJob(body);
  expect(job?.status).toBe('completed');
  expect(job?.result).toEqual(result);
});

test.each<[string, Record<string, unknown>]>([
  ['at the top', { status: 'failed', error: { code: 'INTERNAL', message: 'm', retryable: true } }],
  ['under job', { status: 'failed', job: { error: { code: 'INTERNAL', message: 'm', retryable: true } } }],
  ['under data', { data: { status: 'failed', error: { code: 'INTERNAL', message: 'm', retryable: true } } }],
])('an error %s → found', (_, body) => {
  expect(readJob(body)?.error).toEqual({ code: 'INTERNAL', message: 'm', retryable: true });
});

test('a failed job with a code alone → not retryable; without an error → none', () => {
  expect(readJob({ status: 'failed', error: { code: 'X' } })?.error).toMatchObject({ code: 'X', retryable: false });
  expect(readJob({ status: 'failed' })?.error).toBeUndefined();
});

test('a status alone → a job; no status → no job', () => {
  expect(readJob({ status: 'pending' })).toMatchObject({ status: 'pending', progress: undefined, result: undefined });
  expect(readJob({ state: 'pending' })).toBeUndefined();
});

test('a completed job → the body of a 200; fields that it lacks come from the submission', () => {
  const job = readJob({ status: 'completed', result });
  if (job === undefined) throw new Error('no job');
  expect(toCompleted(job, { jobId: 'job_1', requestId: 'req_1', function: 'F' }).body).toEqual({
    requestId: 'req_1',
    function: 'F',
    result,
    jobId: 'job_1',
  });
});

const entry = { id: 'F', acceptedTypes: ['a/b'], pageCap: 3, argsSchema: { type: 'object' } };

test.each<[string, unknown]>([
  ['functions', { functions: [entry] }],
  ['a bare array', [entry]],
  ['data', { data: [entry] }],
  ['items', { items: [entry] }],
  ['other field names', [{ function: 'F', acceptedFileTypes: ['a/b'], maxPages: 3, argsSchema: { type: 'object' } }]],
  ['more other names', [{ name: 'F', accept: ['a/b'], maxPages: 3, argsSchema: { type: 'object' } }]],
  ['yet another', [{ name: 'F', fileTypes: ['a/b'], maxPages: 3, argsSchema: { type: 'object' } }]],
])('a catalog with %s → read', (_, body) => {
  expect(readCatalog(JSON.stringify(body))).toMatchObject([
    { id: 'F', acceptedTypes: ['a/b'], pageCap: 3, argsSchema: { type: 'object' } },
  ]);
});

test.each(['', '<html>', '{}', '{"functions":3}', '[1]'])('%j → no catalog', (text) => {
  expect(readCatalog(text)).toBeUndefined();
});
