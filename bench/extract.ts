import { join } from 'node:path';
import type { Suite } from './figure.js';
import { type Command, findCommand, runOnce } from './measure.js';
import { createHome, ROOT } from './ocr-command.js';

const TEXT = join(ROOT, 'examples/two-column.pdf');
const SCAN = join(ROOT, 'examples/photo.jpg');

/** A warm `ocr extract` beside the tools that people use for the same. */
export function extract(): Suite {
  const home = createHome();
  runOnce(home.ocr('extract', '--fresh', SCAN)); // starts the service and warms its workers
  const versus = (name: string, file: string, anchor: Command | string, goal?: number) => ({
    name,
    metric: 'wall' as const,
    ours: home.ocr('extract', '--fresh', file),
    anchor,
    ...(goal === undefined ? {} : { goal }),
  });
  return {
    figures: [
      versus('one-page text PDF, beside pdftotext', TEXT, installed('pdftotext', TEXT, '-')),
      versus('one-page text PDF, beside lit parse', TEXT, installed('lit', 'parse', TEXT), 1.5),
      versus('scanned page, beside native tesseract', SCAN, installed('tesseract', SCAN, '-')),
      versus('scanned page, beside lit parse', SCAN, installed('lit', 'parse', SCAN)),
    ],
    stop: async () => home.remove(),
  };
}

function installed(name: string, ...args: string[]): Command | string {
  const file = findCommand(name);
  return file === undefined ? `${name} is not installed` : { file, args, env: { OMP_THREAD_LIMIT: '1' } };
}
