import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import { expect, test } from 'vitest';
import { makeTextPdf } from '../fixtures/maker/documents.js';
import { addNoise, encodeJpeg, type GreyImage, renderPages } from '../fixtures/maker/scan.js';
import { images } from '../fixtures/manifest.js';
import { SCANNED } from '../fixtures/texts.js';
import { createLocalHome } from '../support/local-service.js';
import { hasProgram, readByPdfJs, readByPoppler, type SeenWord } from '../support/pdf-readers.js';
import { LAUNCHER } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { wordF1 } from '../support/word-f1.js';

const SIZE: [number, number] = [480, 460];
const DPI = 200;
/** Points: a letter of the page is some five wide. */
const TOLERANCE = 4;
/** Recognised by the built-in engine on a machine that does other things too. */
const PATIENCE = { timeout: 180_000 };
const noPoppler = !hasProgram('pdftotext');

/** A page of text, and a PDF of three scans of it: as it is; its picture on its side, which /Rotate makes upright; on its side. */
async function makeScans(): Promise<{ text: Uint8Array; scans: Uint8Array }> {
  const text = await makeTextPdf('Scans', SCANNED.slice(0, 1), { size: SIZE, margin: 24 });
  const [page] = await renderPages(text, DPI);
  if (page === undefined) throw new Error('nothing was rendered');
  const scans = await PDFDocument.create();
  const [width, height] = SIZE;
  const add = async (image: GreyImage, size: [number, number], rotation: number) => {
    const picture = await scans.embedJpg(await encodeJpeg(addNoise(image, 12, 3), 60));
    const sheet = scans.addPage(size);
    sheet.drawImage(picture, { x: 0, y: 0, width: size[0], height: size[1] });
    sheet.setRotation(degrees(rotation));
  };
  await add(page, [width, height], 0);
  await add(turnRight(page), [height, width], 270);
  await add(turnRight(page), [height, width], 0);
  return { text, scans: await scans.save() };
}

function turnRight({ data, width, height }: GreyImage): GreyImage {
  const turned = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) turned[x * height + (height - 1 - y)] = data[y * width + x] ?? 255;
  return { data: turned, width: height, height: width };
}

/** Returns the place of a word once its page is turned clockwise by a quarter. */
const turnWord = ({ text, x0, y0, x1, y1 }: SeenWord): SeenWord => ({
  ...{ text, x0: SIZE[1] - y1, y0: x0, x1: SIZE[1] - y0, y1: x1 },
});

/** Share of the words that are seen where they are: their ends along the line, and the middle of their height. */
function shareInPlace(truth: readonly SeenWord[], seen: readonly SeenWord[], isUpright: boolean): number {
  const near = (a: number, b: number) => Math.abs(a - b) <= TOLERANCE;
  const inPlace = truth.filter((word) =>
    seen.some(({ text, x0, y0, x1, y1 }) => {
      if (text !== word.text) return false;
      return isUpright
        ? near(x0, word.x0) && near(x1, word.x1) && near(y0 + y1, word.y0 + word.y1)
        : near(y0, word.y0) && near(y1, word.y1) && near(x0 + x1, word.x0 + word.x1);
    }),
  );
  return inPlace.length / truth.length;
}

test.skipIf(noPoppler)(
  'a scan → its own bytes first, and each word where it stands (skipped without poppler)',
  PATIENCE,
  async () => {
    const home = createLocalHome();
    const { text, scans } = await makeScans();
    const [textPath, path, output] = ['text.pdf', 'scans.pdf', 'found.pdf'].map((name) => join(home.dir, name)) as [
      ...[string, string, string],
    ];
    writeFileSync(textPath, text);
    writeFileSync(path, scans);
    expect(await runInProcess(['extract', '-f', 'SEARCHABLE_PDF', '-o', output, path], { home })).toMatchObject({
      ...{ exitCode: 0, stdout: '' },
    });
    const pdf = readFileSync(output);
    expect(pdf.subarray(0, scans.length).equals(scans)).toBe(true);
    expect(pdf.length).toBeGreaterThan(scans.length);

    const [truth = []] = await readByPoppler(textPath);
    expect(truth.length).toBeGreaterThan(100);
    const [asIs = [], madeUpright = [], onItsSide = []] = await readByPoppler(output);
    expect(shareInPlace(truth, asIs, true)).toBeGreaterThan(0.95);
    expect(shareInPlace(truth, madeUpright, true)).toBeGreaterThan(0.95);
    expect(shareInPlace(truth.map(turnWord), onItsSide, false)).toBeGreaterThan(0.95);
  },
);

test('a picture → a PDF, which goes into a pipe as bytes and opens in pdf.js', PATIENCE, async () => {
  const home = createLocalHome();
  const args = ['extract', '-f', 'SEARCHABLE_PDF', images.rotated90.path];
  const options = { env: home.env, encoding: 'buffer', maxBuffer: 2 ** 26 } as const;
  const { stdout } = await promisify(execFile)(process.execPath, [LAUNCHER, ...args], options);
  expect(stdout.toString('latin1', 0, 5)).toBe('%PDF-');
  const [text = ''] = await readByPdfJs(stdout);
  expect(wordF1(images.rotated90.text.join('\n'), text)).toBeGreaterThan(0.9);
});
