import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dryRun } from '../../../../src/commands/extract/dry-run.js';
import { OcrError } from '../../../../src/contract/ocr-error.js';
import type { SubmissionRecord } from '../../../../src/ledger/record.js';
import { fakeContext, type Target } from '../../../support/fake-context.js';

const GIF = Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00', 'latin1');

/** Plans a picture that the function does not accept, the same again, and a file that is not there. */
async function setUp(target: Target) {
  const fake = fakeContext(target);
  const directory = join((await fake.context.directories()).stateDir, '..');
  const [first, second] = [join(directory, 'a.gif'), join(directory, 'b.gif')];
  for (const path of [first, second]) writeFileSync(path, GIF);
  const inputs = [
    { input: first, below: undefined },
    { input: second, below: undefined },
    { input: 'c.pdf', below: undefined, error: new OcrError('FILE_NOT_FOUND', 'No such file: c.pdf') },
  ];
  const entry = { id: 'F', acceptedTypes: ['application/pdf'], included: false, body: {} };
  const findFunction = async () => entry as never;
  const plan = {
    inputs,
    skipped: [],
    existingCount: 0,
    files: [],
    functionId: 'F',
    findFunction,
    args: {},
    recordedArgs: {},
    isFresh: false,
  };
  return { fake, plan, first, second };
}

test('three inputs in a pipe → a line for each plan, the error of the third, exit code 8', async () => {
  const { fake, plan, first, second } = await setUp('pipe');
  expect(await dryRun(fake.context, plan)).toBe(8);
  const refused = 'send, would be refused: the key does not include F; F does not accept image/gif';
  expect(fake.stdout).toBe(
    `${first}\timage/gif\t13\t?\t${refused}\n${second}\timage/gif\t13\t?\t${refused}, same bytes as ${first}\n`,
  );
  expect(fake.stderr).toContain('No such file: c.pdf');
});

test('three inputs with --json → a line each', async () => {
  const { fake, plan, first, second } = await setUp('json');
  expect(await dryRun(fake.context, plan)).toBe(8);
  const lines = fake.stdout.trimEnd().split('\n');
  const planned = {
    dryRun: true,
    function: 'F',
    args: {},
    type: 'image/gif',
    sizeBytes: 13,
    sha256: createHash('sha256').update(GIF).digest('hex'),
    pageCount: null,
    violations: [
      { code: 'FORBIDDEN', message: 'the key does not include F' },
      { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'F does not accept image/gif' },
    ],
    action: 'send',
  };
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { ...planned, input: first },
    { ...planned, input: second, sameAs: first },
    expect.objectContaining({ input: 'c.pdf', error: expect.objectContaining({ code: 'FILE_NOT_FOUND' }) }),
  ]);
});

test.each<[string, Partial<SubmissionRecord>, Partial<SubmissionRecord> | undefined, boolean, string]>([
  ['an unfinished job', { jobId: 'job_1', status: 'queued' }, undefined, false, 'join the unfinished job job_1'],
  ['an unfinished job and --fresh', { jobId: 'job_1', status: 'queued' }, undefined, true, 'send, '],
  ['an interrupted upload', {}, undefined, false, 'send again what was interrupted'],
  ['an ended job', { jobId: 'job_1' }, { status: 'completed' }, false, 'send, '],
])('%s with the same document → the plan says so', async (_, changes, end, isFresh, expected) => {
  const { fake, plan, first } = await setUp('pipe');
  const ledger = await fake.context.ledger();
  const input = { name: 'earlier.gif', sha256: createHash('sha256').update(GIF).digest('hex'), sizeBytes: 13 };
  const serverId = await fake.context.serverId();
  const { record } = await ledger.begin({ input, function: 'F', args: {}, serverId, profile: 'local' });
  const updated = await ledger.update(record, changes);
  if (end !== undefined) await ledger.finish(updated, { status: 'completed', ...end });
  const inputs = plan.inputs.slice(0, 1);
  expect(await dryRun(fake.context, { ...plan, inputs, isFresh, findFunction: async () => undefined })).toBe(0);
  expect(fake.stdout.startsWith(`${first}\timage/gif\t13\t?\t${expected}`)).toBe(true);
  expect(fake.stdout.includes('sent before, 1970-01-01T00:00:00.000Z')).toBe(expected === 'send, ');
});
