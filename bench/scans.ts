import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTextPdf } from '../test/fixtures/maker/documents.js';
import { encodeTiff } from '../test/fixtures/maker/image-formats.js';
import { addNoise, renderPages, toSharp } from '../test/fixtures/maker/scan.js';
import { composeHundred } from '../test/fixtures/texts.js';
import type { Suite } from './figure.js';
import { type Command, findCommand, runOnce } from './measure.js';
import { createHome } from './ocr-command.js';

const PAGES = 4;
const DPI = 300;
const RUNS = 3;

/** Clean scanned pages through a warm service, beside native tesseract run on them as often at once as there are cores. */
export async function scans(files: readonly string[]): Promise<Suite> {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-bench-scans-'));
  const native = createHome({ OCR_SERVE_OCR_ENGINE: 'native' });
  const builtIn = createHome({ OCR_SERVE_OCR_ENGINE: 'wasm' });
  const { documents, pictures } =
    files.length > 0 ? { documents: [...files], pictures: [...files] } : await make(directory);
  const tesseract = findCommand('tesseract');
  const baseline = tesseract === undefined ? 'tesseract is not installed' : atOnce(tesseract, pictures);
  const figure = (name: string, { ocr }: typeof native, goal: number) => {
    const ours = ocr('extract', '--fresh', ...documents);
    // Starts the service and its workers.
    runOnce(ours);
    return { name, metric: 'wall' as const, ours, baseline, goal, runs: RUNS };
  };
  const what = files.length > 0 ? `${files.length} files` : `${PAGES} pages`;
  return {
    figures: [
      ...(tesseract === undefined ? [] : [figure(`${what}, native engine, beside tesseract`, native, 1)]),
      figure(`${what}, built-in engine, beside tesseract`, builtIn, 1.6),
    ],
    async stop() {
      native.remove();
      builtIn.remove();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** One TIFF for us; for tesseract the same pages as files of their own, so that several can be read at once. */
async function make(directory: string): Promise<{ documents: string[]; pictures: string[] }> {
  const composed = Array.from({ length: PAGES }, (_, index) =>
    [0, 1, 2, 3, 4].flatMap((offset) => composeHundred(1 + ((index * 5 + offset) % 100))),
  );
  const rendered = await renderPages(await makeTextPdf('Scans', composed), DPI);
  const images = rendered.map((image, index) => addNoise(image, 12, index));
  const tiff = join(directory, 'scans.tiff');
  await writeFile(tiff, encodeTiff(images, DPI));
  const pictures = images.map((_, index) => join(directory, `page-${index}.png`));
  await Promise.all(
    images.map((image, index) =>
      toSharp(image)
        .png()
        .toFile(pictures[index] as string),
    ),
  );
  return { documents: [tiff], pictures };
}

function atOnce(tesseract: string, pictures: readonly string[]): Command {
  const script = `printf '%s\\0' "\${@:2}" | xargs -0 -P ${availableParallelism()} -I{} "$1" {} -`;
  return { file: 'bash', args: ['-c', script, 'bash', tesseract, ...pictures], env: { OMP_THREAD_LIMIT: '1' } };
}
