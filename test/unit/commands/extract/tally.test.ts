import { expect, test } from 'vitest';
import { createTally } from '../../../../src/commands/extract/tally.js';
import { OcrError } from '../../../../src/contract/ocr-error.js';
import { fakeContext } from '../../../support/fake-context.js';

test('failures without a request → the summary does not send to the list of requests', () => {
  const plan = { inputs: [{ input: 'a.pdf', below: undefined }], skipped: [], outputDir: undefined };
  const summaryOf = (error: OcrError) => {
    const fake = fakeContext('terminal');
    const tally = createTally(fake.context);
    tally.count({ exitCode: error.exitCode, error });
    tally.print(plan);
    return fake.stderr;
  };
  expect(summaryOf(new OcrError('FILE_NOT_FOUND', 'No such file'))).toBe(
    '0 of 1 document done · 0 pages · 0:00 · 1 failed\n',
  );
  expect(summaryOf(new OcrError('INVALID_DOCUMENT', 'Damaged', { requestId: 'req_1', status: 422 }))).toContain(
    '1 failed (ocr requests --failed)',
  );
});
