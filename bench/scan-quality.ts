import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { makeTextPdf } from '../test/fixtures/maker/documents.js';
import { makePoorScan, WAYS } from '../test/fixtures/maker/poor-scans.js';
import { renderPages } from '../test/fixtures/maker/scan.js';
import { readBlocks, SCANNED } from '../test/fixtures/texts.js';
import { wordF1 } from '../test/support/word-f1.js';
import { judgeWords, printCalibration } from './calibration.js';
import { findCommand } from './measure.js';
import { createHome } from './ocr-command.js';

/**
 * How well poor scans are read, as word F1 (its mean over the pages): pages made worse here, or the pictures of the folders
 * that are named, each with its text beside it (`NAME.jpg`, `NAME.txt`); and how many words of each confidence are right.
 */
export async function printScanQuality(files: readonly string[]): Promise<void> {
  const made = mkdtempSync(join(tmpdir(), 'ocr-bench-quality-'));
  const folders = files.filter((file) => statSync(file).isDirectory());
  if (folders.length === 0) await makePages(made);
  const tesseract = findCommand('tesseract');
  const homes = ['wasm', ...(tesseract === undefined ? [] : ['native'])].map((engine) => ({
    engine,
    home: createHome({ OCR_SERVE_OCR_ENGINE: engine }),
  }));
  try {
    for (const folder of folders.length > 0 ? folders : [made]) {
      const pages = listPages(folder);
      console.log(`\n${folder === made ? 'pages made worse' : folder}: ${pages.length} pages, word F1`);
      for (const { engine, home } of homes) {
        print(`ocr, ${engine}`, pages, (path) => {
          const { file, args, env } = home.ocr('extract', '--fresh', '--arg', 'headersFooters=true', path);
          return run(file, args, env);
        });
        printCalibration(
          pages.flatMap(({ path, truth }) => {
            const { file, args, env } = home.ocr('extract', '-f', 'layout', '--format', 'json', path);
            return judgeWords(JSON.parse(run(file, args, env)), truth);
          }),
        );
      }
      if (tesseract !== undefined)
        print('tesseract', pages, (path) => run(tesseract, [path, '-'], { OMP_THREAD_LIMIT: '1' }));
    }
  } finally {
    for (const { home } of homes) home.remove();
    rmSync(made, { recursive: true, force: true });
  }
}

interface Page {
  path: string;
  truth: string;
}

function print(name: string, pages: readonly Page[], read: (path: string) => string): void {
  const scores = pages.map(({ path, truth }) => wordF1(truth, read(path)));
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  console.log(`${name.padEnd(20)} ${mean.toFixed(3)}   worst ${Math.min(...scores).toFixed(3)}`);
}

function run(file: string, args: readonly string[], env: Record<string, string> = {}): string {
  const { stdout } = spawnSync(file, args, { encoding: 'utf8', env: { ...process.env, ...env }, maxBuffer: 2 ** 26 });
  return stdout;
}

function listPages(folder: string): Page[] {
  return readdirSync(folder).flatMap((name) => {
    const truth = join(folder, `${parse(name).name}.txt`);
    if (name.endsWith('.txt') || !existsSync(truth)) return [];
    return [{ path: join(folder, name), truth: readFileSync(truth, 'utf8') }];
  });
}

async function makePages(folder: string): Promise<void> {
  for (const [index, blocks] of SCANNED.slice(0, 2).entries()) {
    const [page] = await renderPages(await makeTextPdf('Scans', [blocks], { size: [480, 460], margin: 24 }), 150);
    if (page === undefined) throw new Error('nothing was rendered');
    for (const way of Object.keys(WAYS)) {
      await writeFile(join(folder, `${index}-${way}.jpg`), await makePoorScan(page, way));
      await writeFile(join(folder, `${index}-${way}.txt`), readBlocks(blocks));
    }
  }
}
