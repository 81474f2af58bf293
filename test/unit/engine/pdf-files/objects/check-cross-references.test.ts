import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { countPages } from '../../../../../src/engine/count-pages.js';
import { checkCrossReferences } from '../../../../../src/engine/pdf-files/objects/check-cross-references.js';
import { BODY, crossReferenceBombs, makeChain, makeRebuildBomb } from '../../../../fixtures/maker/counting-bombs.js';
import { documents } from '../../../../fixtures/manifest.js';
import { writePdf } from '../../../../support/write-pdf.js';

const directory = mkdtempSync(join(tmpdir(), 'ocr-cross-references-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const CATALOG = '<</Type/Catalog/Pages 2 0 R>>';
const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>';
const PDF = 'application/pdf';
function count(file: Buffer): Promise<number> {
  const path = join(directory, 'file.pdf');
  writeFileSync(path, file);
  return countPages(path, PDF, { maxPixels: 1e8 });
}

describe('files whose cross-references take PDFium long', () => {
  it.each(Object.entries(crossReferenceBombs))('%s → refused before PDFium opens the file', async (_, make) => {
    await expect(count(make())).rejects.toMatchObject({
      reason: 'damaged',
      message: expect.stringMatching(/name more objects than the file can have/),
    });
  });

  it('object streams of 16 million objects, without cross-references → refused', async () => {
    await expect(count(makeRebuildBomb())).rejects.toThrow(/name more objects than the file can have/);
  });
});

describe('files that PDFium opens quickly', () => {
  it.each(Object.entries({ ...documents }))('the document %s → passes', (_, { path }) => {
    expect(() => checkCrossReferences(readFileSync(path))).not.toThrow();
  });

  it('a small file of many compressed objects → counted', async () => {
    // 8 bytes a row, as most writers have it: the file is smaller than a reader without compression would think.
    const rows = Buffer.alloc(9_000 * 8);
    rows.writeUInt8(1, 8);
    const [catalog = 0, pages = 0, page = 0] = [1, 2, 3].map((number) => BODY.indexOf(`${number} 0 obj`));
    for (const [number, offset] of [catalog, pages, page].entries()) rows.writeUInt32BE(offset, (number + 1) * 8 + 1);
    for (let number = 1; number < 9_000; number++) rows.writeUInt8(number < 4 ? 1 : 2, number * 8);
    const sections = [{ widths: '1 4 3', index: [0, 9_000], data: deflateSync(rows), more: '/Filter/FlateDecode' }];
    const file = makeChain(sections);
    expect(file.length).toBeLessThan(1_500);
    expect(await count(file)).toBe(1);
  });

  it('a whole table in each of 300 updates → counted', async () => {
    let file = writePdf([CATALOG, '<</Type/Pages/Kids[3 0 R]/Count 1>>', PAGE, ...Array(97).fill('null')]);
    const text = file.toString('latin1');
    const table = text.slice(text.indexOf('xref\n0'), text.indexOf('trailer'));
    for (let update = 0; update < 300; update++) {
      const prev = /startxref\n(\d+)\n%%EOF\n$/.exec(file.subarray(-40).toString('latin1'))?.[1];
      const trailer = `trailer\n<</Size 101/Root 1 0 R/Prev ${prev}>>\nstartxref\n${file.length}\n%%EOF\n`;
      file = Buffer.concat([file, Buffer.from(table + trailer)]);
    }
    expect(await count(file)).toBe(1);
  });

  it('a number of objects beyond what the data holds → left to PDFium, which passes over it', async () => {
    const named = { widths: '1 2 1', index: [0, 3_000_000], data: deflateSync(Buffer.alloc(20)) };
    expect(await count(makeChain([{ ...named, more: '/Filter/FlateDecode' }]))).toBe(1);
  });
});
