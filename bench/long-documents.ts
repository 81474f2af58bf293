import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTextPdf } from '../test/fixtures/maker/documents.js';
import { encodeTiff } from '../test/fixtures/maker/image-formats.js';
import { renderPages } from '../test/fixtures/maker/scan.js';
import { type Block, composeHundred } from '../test/fixtures/texts.js';

const SCAN_DPI = 300;
const DIFFERENT_SCANS = 8;

/** A book of so many pages of text, some 350 words each. */
export async function writeBook(directory: string, pages: number): Promise<string> {
  const composed = Array.from({ length: pages }, (_, index) => composePage(index));
  return put(directory, `book-${pages}.pdf`, await makeTextPdf('A long book', composed, { footer: String }));
}

/** A TIFF of so many small frames, a word or two each. */
export async function writeSlips(directory: string, frames: number): Promise<string> {
  const slips = Array.from({ length: frames }, (_, index): Block[] => [
    { kind: 'paragraph', text: `Parcel ${1000 + index}` },
  ]);
  const images = await renderPages(await makeTextPdf('Slips', slips, { size: [110, 50], margin: 8 }), 150);
  return put(directory, `slips-${frames}.tiff`, encodeTiff(images, 150));
}

/** A4 pages as a scanner of 300 dpi gives them: a TIFF of so many, and each of the different ones as a file. */
export async function writeScans(directory: string, frames: number): Promise<{ tiff: string; pages: string[] }> {
  const composed = Array.from({ length: Math.min(frames, DIFFERENT_SCANS) }, (_, index) => composePage(index));
  const images = await renderPages(await makeTextPdf('Scans', composed), SCAN_DPI);
  const all = Array.from({ length: frames }, (_, index) => images[index % images.length] as (typeof images)[number]);
  const tiff = await put(directory, `scans-${frames}.tiff`, encodeTiff(all, SCAN_DPI));
  const pages: string[] = [];
  for (const [index, image] of images.entries())
    pages.push(await put(directory, `scan-${index + 1}.tiff`, encodeTiff([image], SCAN_DPI)));
  return { tiff, pages };
}

function composePage(index: number): Block[] {
  return [0, 1, 2, 3, 4].flatMap((offset) => composeHundred(1 + ((index * 5 + offset) % 100)));
}

async function put(directory: string, name: string, bytes: Uint8Array): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, bytes);
  return path;
}
