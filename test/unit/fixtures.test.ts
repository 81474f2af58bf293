import { execFileSync, spawnSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bad,
  documents,
  examples,
  type Fixture,
  images,
  PASSWORD,
  phonePictures,
  readable,
} from '../fixtures/manifest.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PDF = 'application/pdf';
const pdfs = readable.filter((fixture) => fixture.mimeType === PDF);

let pdfium: PDFiumLibrary;
beforeAll(async () => {
  pdfium = await PDFiumLibrary.init();
});
afterAll(() => pdfium.destroy());

async function openPdf(fixture: { path: string; password?: string }): Promise<PDFiumDocument> {
  return pdfium.loadDocument(await readFile(fixture.path), fixture.password);
}

/** Words in order, without case and marks; a word hyphenated over two lines is whole. */
function splitWords(text: string): string[] {
  const joined = text.replaceAll(/(\p{Ll})[-\u00AD\u0002\uFFFE]\s*\r?\n(\p{Ll})/gu, '$1$2').replaceAll('\uFFFE', '');
  return joined.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

async function countImagePages(fixture: Fixture): Promise<number> {
  if (fixture.mimeType === 'image/bmp') {
    const bytes = await readFile(fixture.path);
    return bytes.toString('latin1', 0, 2) === 'BM' && bytes.readUInt32LE(2) === bytes.length ? 1 : 0;
  }
  const { pages = 1 } = await sharp(fixture.path).metadata();
  for (let page = 0; page < pages; page += 1) await sharp(fixture.path, { page }).stats();
  return pages;
}

describe('the manifest', () => {
  it('the files of both folders → all listed, and no others', async () => {
    const found = [
      ...(await readdir(join(root, 'examples'))).map((name) => `examples/${name}`),
      ...(await readdir(join(root, 'test/fixtures'))).map((name) => `test/fixtures/${name}`),
    ].filter((file) => /\.[a-z]+$/.test(file) && !/\.(ts|md)$/.test(file));
    const listed = [...readable, ...Object.values(phonePictures), ...Object.values(bad)].map(({ file }) => file);
    expect(listed.sort()).toEqual(found.sort());
  });

  it('its readable files → small, each and together', async () => {
    const sizes = await Promise.all(readable.map(async ({ path }) => (await stat(path)).size));
    expect(Math.max(...sizes)).toBeLessThan(300_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_500_000);
  });

  it('its examples → all listed in examples/README.md', async () => {
    const page = await readFile(join(root, 'examples/README.md'), 'utf8');
    for (const { file } of Object.values(examples)) expect(page).toContain(`\`${file.replace('examples/', '')}\``);
  });
});

describe('readable fixtures', () => {
  it.each(pdfs.map((fixture) => [fixture.file, fixture] as const))(
    '%s → the pages and text layers of the manifest',
    async (_, fixture) => {
      const document = await openPdf(fixture);
      expect(document.getPageCount()).toBe(fixture.pages);
      for (const [index, truth] of fixture.text.entries()) {
        const words = splitWords(document.getPage(index).getText());
        const isTrue = words.join(' ') === splitWords(truth).join(' ');
        expect(isTrue, `page ${index + 1} reads: ${words.join(' ')}`).toBe(fixture.source[index] === 'text-layer');
      }
      document.destroy();
    },
  );

  it.each(readable.filter(({ mimeType }) => mimeType !== PDF).map((fixture) => [fixture.file, fixture] as const))(
    '%s → every page can be decoded',
    async (_, fixture) => {
      expect(await countImagePages(fixture)).toBe(fixture.pages);
    },
  );

  it('the scans → no text layer', async () => {
    for (const fixture of [examples.scanned, documents.hundredScanned]) {
      const document = await openPdf(fixture);
      expect(document.getPage(0).getText().trim()).toBe('');
      document.destroy();
    }
  });

  it('no-mapping.pdf and wrong-mapping.pdf → text layers without the printed words', async () => {
    for (const fixture of [documents.noMapping, documents.wrongMapping]) {
      const document = await openPdf(fixture);
      const text = document.getPage(0).getText();
      expect(text.trim().length).toBeGreaterThan(100);
      expect(splitWords(text).filter((word) => /committee|meeting|library/.test(word))).toEqual([]);
      document.destroy();
    }
  });

  it('encrypted.pdf → opens with its password alone', async () => {
    const { path } = documents.encrypted;
    await expect(openPdf({ path })).rejects.toThrow(/password/i);
    await expect(openPdf({ path, password: 'close sesame' })).rejects.toThrow(/password/i);
    const document = await openPdf({ path, password: PASSWORD });
    document.destroy();
    expect(await readFile(documents.ownerPassword.path, 'latin1')).toContain('/Encrypt');
  });

  it('the pictures → the properties that their names promise', async () => {
    expect(await sharp(images.exif6.path).metadata()).toMatchObject({ orientation: 6, width: 361, height: 1111 });
    expect(await sharp(images.cmyk.path).metadata()).toMatchObject({ space: 'cmyk' });
    expect(await sharp(images.sixteenBit.path).metadata()).toMatchObject({ depth: 'ushort' });
    expect(await sharp(images.transparent.path).metadata()).toMatchObject({ hasAlpha: true });
    const turned = await sharp(images.rotated90.path).rotate(-90).greyscale().raw().toBuffer();
    const upright = await sharp(images.rotated180.path).rotate(180).greyscale().raw().toBuffer();
    expect(meanDifference(turned, upright)).toBeLessThan(2);
  });

  it('the report → a word that is hyphenated at the end of a line', async () => {
    const document = await openPdf(examples.report);
    // PDFium gives U+FFFE or U+0002 where it takes a hyphen at a line's end for a break.
    expect(document.getPage(2).getText()).toMatch(/en[-\u0002\uFFFE]\s*tirely/);
    document.destroy();
  });

  const hasPdftotext = spawnSync('pdftotext', ['-v']).error === undefined;
  it.skipIf(!hasPdftotext)(
    `the text layers → the words that pdftotext reads${hasPdftotext ? '' : ' (skipped: it is not installed here)'}`,
    () => {
      for (const fixture of pdfs) {
        const password = fixture.password === undefined ? [] : ['-upw', fixture.password];
        const output = execFileSync('pdftotext', [...password, fixture.path, '-'], { encoding: 'utf8', stdio: 'pipe' });
        const pages = output.split('\f');
        expect(pages.length - 1, fixture.file).toBe(fixture.pages);
        for (const [index, truth] of fixture.text.entries()) {
          if (fixture.source[index] !== 'text-layer') continue;
          const words = splitWords(pages[index] ?? '').sort();
          expect(words, `${fixture.file}, page ${index + 1}`).toEqual(splitWords(truth).sort());
        }
      }
    },
  );
});

describe('bad fixtures', () => {
  it('each file → cannot be read, for the reason that its name says', async () => {
    expect((await stat(bad.empty.path)).size).toBe(0);
    expect(await readFile(bad.garbage.path, 'latin1')).not.toContain('%PDF');
    expect((await readFile(bad.damaged.path, 'latin1')).startsWith('%PDF-')).toBe(true);
    await expect(openPdf(bad.damaged)).rejects.toThrow(/corrupted/);
    await expect(sharp(bad.brokenPng.path).stats()).rejects.toThrow(/png/);
    const bomb = await readFile(bad.bomb.path);
    expect([bomb.readUInt32BE(16), bomb.readUInt32BE(20)]).toEqual([20_000, 20_000]);
    expect(bomb.length).toBeLessThan(500_000);
  });
});

function meanDifference(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) return 255;
  let sum = 0;
  for (const [index, value] of one.entries()) sum += Math.abs(value - (other[index] ?? 0));
  return sum / one.length;
}
