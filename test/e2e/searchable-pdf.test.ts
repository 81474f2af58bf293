import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { images } from '../fixtures/manifest.js';
import { createLocalHome } from '../support/local-service.js';
import { readByPdfJs } from '../support/pdf-readers.js';
import { LAUNCHER } from '../support/run-cli.js';
import { wordF1 } from '../support/word-f1.js';

/** Recognised by the built-in engine on a machine that does other things too. */
const PATIENCE = { timeout: 180_000 };

test('a picture → a PDF, which goes into a pipe as bytes and opens in pdf.js', PATIENCE, async () => {
  const home = createLocalHome();
  const args = ['extract', '-f', 'SEARCHABLE_PDF', images.rotated90.path];
  const options = { env: home.env, encoding: 'buffer', maxBuffer: 2 ** 26 } as const;
  const { stdout } = await promisify(execFile)(process.execPath, [LAUNCHER, ...args], options);
  expect(stdout.toString('latin1', 0, 5)).toBe('%PDF-');
  const [text = ''] = await readByPdfJs(stdout);
  expect(wordF1(images.rotated90.text.join('\n'), text)).toBeGreaterThan(0.9);
});
