import { expect, test } from 'vitest';
import { mayHaveRunNativeCode } from '../../../../dist/service/documents/may-have-run-native-code.js';
import type { Outcome, Task } from '../../../../dist/service/documents/protocol.js';

const run = (mimeType: string) => ({ type: 'run', mimeType }) as Task;
const count = (mimeType: string) => ({ type: 'count-pages', mimeType }) as Task;
const done = (provider: string): Outcome => ({ type: 'done', body: '{}', provider, pageCount: 1 });

test.each<[what: string, task: Task, outcome: Outcome, expected: boolean]>([
  ['an image', run('image/png'), done('tesseract'), true],
  ['the header of an image', count('image/tiff'), { type: 'counted', pageCount: 1 }, true],
  ['a PDF by its text layer', run('application/pdf'), done('pdf-text'), false],
  ['the pages of a PDF', count('application/pdf'), { type: 'counted', pageCount: 1 }, false],
  ['a PDF that was recognised', run('application/pdf'), done('tesseract'), true],
  ['a PDF that was recognised in part', run('application/pdf'), done('pdf-text+tesseract'), true],
  ['a PDF that failed', run('application/pdf'), { type: 'fault', message: '' }, true],
])('%s → native code may have run: %#', (_, task, outcome, expected) => {
  expect(mayHaveRunNativeCode(task, outcome)).toBe(expected);
});
