import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure, Suite } from './figure.js';
import { writeScans } from './long-documents.js';
import { type Command, findCommand, runOnce } from './measure.js';
import { createHome, ROOT } from './ocr-command.js';

const TEXT = join(ROOT, 'examples/two-column.pdf');
const SCAN = join(ROOT, 'examples/photo.jpg');
const SCANNED_PAGES = 8;

/** A warm `ocr extract` beside the tools that people use for the same. */
export async function extract(): Promise<Suite> {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-bench-extract-'));
  const home = createHome();
  const builtIn = createHome({ OCR_SERVE_OCR_ENGINE: 'wasm' });
  const { tiff, pages } = await writeScans(directory, SCANNED_PAGES);
  // Starts the services and warms their workers.
  for (const { ocr } of [home, builtIn]) runOnce(ocr('extract', '--fresh', tiff));
  const versus = (name: string, ours: Command, baseline: Command | string, goal?: number): Figure => ({
    ...{ name, metric: 'wall', ours, baseline },
    ...(goal === undefined ? {} : { goal }),
  });
  const read = (file: string) => home.ocr('extract', '--fresh', file);
  const tesseract = twoAtATime(pages);
  return {
    figures: [
      versus('one-page text PDF, beside pdftotext', read(TEXT), installed('pdftotext', TEXT, '-')),
      versus('one-page text PDF, beside lit parse', read(TEXT), installed('lit', 'parse', '--no-ocr', TEXT), 1.5),
      versus('photograph, beside native tesseract', read(SCAN), installed('tesseract', SCAN, '-')),
      versus('photograph, beside lit parse', read(SCAN), installed('lit', 'parse', SCAN)),
      { ...versus('8 scanned pages, beside native tesseract', read(tiff), tesseract, 1), runs: 5 },
      {
        ...versus('the same, built-in engine', builtIn.ocr('extract', '--fresh', tiff), tesseract, 1.6),
        runs: 5,
      },
    ],
    async stop() {
      for (const { remove } of [home, builtIn]) remove();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Runs two at a time, like a short shell script on a machine of two cores. */
function twoAtATime(pages: readonly string[]): Command | string {
  const file = findCommand('tesseract');
  if (file === undefined) return 'tesseract is not installed';
  const script = 'printf "%s\\0" "$@" | xargs -0 -P 2 -I {} tesseract {} - >/dev/null';
  return { file: 'bash', args: ['-c', script, 'bash', ...pages], env: { OMP_THREAD_LIMIT: '1' } };
}

/** Not every tool that is there can do it here: lit, for one, fetches its data when it first recognises. */
function installed(name: string, ...args: string[]): Command | string {
  const file = findCommand(name);
  if (file === undefined) return `${name} is not installed`;
  const { status } = spawnSync(file, args, { stdio: 'ignore' });
  return status === 0 ? { file, args, env: { OMP_THREAD_LIMIT: '1' } } : `${name} ${args[0]} fails here`;
}
