import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure, Suite } from './figure.js';
import { writeBook } from './long-documents.js';
import { type Command, findCommand, runOnce } from './measure.js';
import { createHome } from './ocr-command.js';

const RUNS = 7;

/** Long text PDFs through a warm service: a book made here, or the files that are named. */
export async function pages(files: readonly string[]): Promise<Suite> {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-bench-pages-'));
  const home = createHome();
  const documents = files.length > 0 ? files : [await writeBook(directory, 352)];
  // Starts the service; what is compiled while it reads its first document is compiled once.
  for (const file of documents) runOnce(home.ocr('extract', '--fresh', file));
  return {
    figures: documents.flatMap((file) => compareReaders(file, home.ocr)),
    async stop() {
      home.remove();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The others take the text layer alone, so do we beside them; and once as we come. */
function compareReaders(file: string, ocr: (...args: string[]) => Command): Figure[] {
  const textOnly = ocr('extract', '--fresh', '--arg', 'ocr=never', file);
  const asItComes = ocr('extract', '--fresh', file);
  const liteparse = installed('lit', 'parse', '--no-ocr', '--quiet', file);
  const pdftotext = installed('pdftotext', file, '-');
  const name = file.split('/').at(-1) ?? file;
  const figure = (what: string, ours: Command, baseline: Command | string, goal?: number): Figure => ({
    name: `${name}, ${what}`,
    metric: 'wall',
    ours,
    baseline,
    runs: RUNS,
    ...(goal === undefined ? {} : { goal }),
  });
  return [
    figure('text layer, beside pdftotext', textOnly, pdftotext, 3),
    figure('text layer, beside lit parse', textOnly, liteparse, 1.5),
    figure('with recognition, beside pdftotext', asItComes, pdftotext),
  ];
}

function installed(name: string, ...args: string[]): Command | string {
  const file = findCommand(name);
  return file === undefined ? `${name} is not installed` : { file, args };
}
