import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectDocument } from '../../../../../src/engine/products/inspection/inspect-document.js';
import { readDocument } from '../../../../../src/engine/read-document.js';
import { documentInspection } from '../../../../../src/functions/document-inspection.js';
import { makeForm } from '../../../../fixtures/maker/forms.js';
import { bad, documents, examples, type Fixture, images, PASSWORD, readable } from '../../../../fixtures/manifest.js';
import { checkResult } from '../../../../support/check-result.js';
import { writePdf } from '../../../../support/write-pdf.js';

const LIMITS = { maxPixels: 1e8, parallelism: 1 };
const inspect = ({ path, mimeType }: { path: string; mimeType: string }, options = {}) =>
  inspectDocument(path, mimeType, { maxPixels: LIMITS.maxPixels, ...options });
const run = ({ path, mimeType }: Fixture, args = {}) =>
  documentInspection.run({ path, mimeType, args, limits: LIMITS, onProgress: () => undefined });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inspection-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function put(bytes: Uint8Array): Promise<{ path: string; mimeType: string }> {
  const path = join(await mkdtemp(join(folder, 'document-')), 'document.pdf');
  await writeFile(path, bytes);
  return { path, mimeType: 'application/pdf' };
}

describe('pages', () => {
  it('pages → marked for recognition as when they are read', async () => {
    const mixed = await inspect(documents.mixed);
    expect(mixed.pagesNeedingOcr).toBe('2');
    expect(mixed.pages.map(({ textLayer, needsOcr }) => [textLayer.verdict, needsOcr])).toEqual([
      ['trusted', false],
      ['absent', true],
      ['trusted', false],
    ]);
    expect(mixed.pages[1]?.imageCoverage).toBeCloseTo(1, 1);
    expect(mixed.pages[0]).toMatchObject({ imageCoverage: 0, unit: 'point', width: 595, height: 842, rotation: 0 });
    for (const fixture of [documents.noMapping, documents.wrongMapping, examples.scanned]) {
      const { pages } = await inspect(fixture);
      expect(pages.map(({ needsOcr }) => needsOcr)).toEqual(fixture.source.map((source) => source === 'ocr'));
    }
  });

  it('the word count of a page → as many as reading finds', async () => {
    const { pages } = await inspect(examples.report);
    const { document } = await readDocument(examples.report.path, 'application/pdf', {
      ocr: 'never',
      ...LIMITS,
    });
    const countWords = (lines: readonly { words: readonly unknown[] }[]) =>
      lines.reduce((sum, { words }) => sum + words.length, 0);
    const read = document.pages.map(({ blocks }) =>
      blocks.reduce(
        (sum, { lines, table }) => sum + countWords(table?.cells.flatMap((cell) => cell.lines) ?? lines),
        0,
      ),
    );
    expect(pages.map(({ words }) => words)).toEqual(read);
  });

  it('the size of a page → as displayed', async () => {
    const [page] = (await inspect(documents.landscapeRotated)).pages;
    expect(page).toMatchObject({ width: 842, height: 595, rotation: 90 });
    expect((await inspect(images.exif6)).pages).toMatchObject([
      { width: 1111, height: 361, rotation: 90, unit: 'pixel' },
    ]);
  });

  it('a choice of pages → these pages and the total count', async () => {
    const progress: number[][] = [];
    const { pages, pageCount, pagesNeedingOcr } = await inspect(documents.hundredScanned, {
      pages: '2-4,9,-1',
      onProgress: (...counts: number[]) => progress.push(counts),
    });
    expect(pages.map(({ page }) => page)).toEqual([2, 3, 4, 9, 100]);
    expect({ pageCount, pagesNeedingOcr }).toEqual({ pageCount: 100, pagesNeedingOcr: '2-4,9,100' });
    expect(progress.at(-1)).toEqual([5, 5]);
    const tiff = await inspect(examples.pagesTiff, { pages: '-1' });
    expect(tiff).toMatchObject({ pageCount: 3, pages: [{ page: 3 }], image: { frames: 3, dpi: 200 } });
  });
});

describe('a PDF', () => {
  const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>';
  const described = () =>
    writePdf(
      [
        `<< /Type /Catalog /Version /2.0 /Pages 2 0 R /Outlines 6 0 R /Lang (de-CH) /MarkInfo << /Marked true >>
           /StructTreeRoot << >> /Metadata 5 0 R /Names << /EmbeddedFiles << /Names [(a) 9 0 R] >> >> >>`,
        '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /Resources << /Font << /A 10 0 R /B 11 0 R >> /XObject << /X 12 0 R >> >> >>',
        PAGE,
        PAGE,
        '<< /Type /Metadata /Length 91 >>\nstream\n<rdf:Description pdfaid:part="2"><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>\nendstream',
        '<< /First 7 0 R /Last 7 0 R >>',
        '<< /Title <FEFF00C900E9> /Parent 6 0 R /Dest [4 0 R /Fit] /First 8 0 R >>',
        // An outline entry that is its own child; its parent is its successor.
        '<< /Title (Below) /Parent 7 0 R /First 8 0 R /Next 7 0 R >>',
        '<< /Type /Filespec /F (a.txt) /UF (ä.txt) /EF << >> >>',
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        `<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Noto /ToUnicode 5 0 R
           /DescendantFonts [<< /Subtype /CIDFontType2 /FontDescriptor << /FontFile2 5 0 R >> >>] >>`,
        // A form that draws itself and has another font.
        '<< /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X 12 0 R >> /Font << /C << /Subtype /Type3 /Name /Hand >> >> >> /Length 0 >>\nstream\n\nendstream',
        "<< /Title (Report) /Author <FEFF00D6> /Producer () /CreationDate (D:20260228093000+01'00') /ModDate (yesterday) >>",
      ],
      '/Info 13 0 R',
    );

  it('a PDF → its properties', async () => {
    const { pdf, pages, pagesNeedingOcr } = await inspect(await put(described()));
    // The pages are empty: recognition could read nothing.
    expect(pages.map(({ needsOcr }) => needsOcr)).toEqual([false, false]);
    expect(pagesNeedingOcr).toBeNull();
    expect(pdf).toMatchObject({
      version: '2.0',
      conformance: 'PDF/A-2b',
      encryption: null,
      metadata: { title: 'Report', author: 'Ö', created: '2026-02-28T09:30:00+01:00' },
      language: 'de-CH',
      isTagged: true,
      attachments: ['ä.txt'],
      form: { kind: 'none', fields: 0 },
      signatures: 0,
    });
    expect(Object.keys(pdf?.metadata ?? {})).toEqual(['title', 'author', 'created']);
    expect(pdf?.outline).toEqual([
      { title: 'Éé', level: 1, page: 2 },
      { title: 'Below', level: 2, page: null },
    ]);
    expect(pdf?.fonts).toEqual([
      { name: 'Helvetica', type: 'Type1', isEmbedded: false, isSubset: false, hasUnicodeMap: false },
      { name: 'Noto', type: 'CIDFontType2', isEmbedded: true, isSubset: true, hasUnicodeMap: true },
      { name: 'Hand', type: 'Type3', isEmbedded: true, isSubset: false, hasUnicodeMap: false },
    ]);
  });

  it('texts that are too long → their beginning', async () => {
    const long = 'a'.repeat(40_000);
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      PAGE,
      '<< /First 5 0 R /Last 5 0 R >>',
      `<< /Title (${long}) /Parent 4 0 R >>`,
      `<< /Title (${long}) >>`,
    ];
    const { pdf } = await inspect(await put(writePdf(objects, '/Info 6 0 R')));
    expect(pdf?.metadata.title).toBe(long.slice(0, 4000));
    expect(pdf?.outline[0]?.title).toMatch(/^a{30000,}$/);
  });

  it('an encrypted PDF, opened → its kind of encryption', async () => {
    const owner = (await inspect(documents.ownerPassword)).pdf?.encryption;
    expect(owner).toMatchObject({ algorithm: 'AES', keyBits: 128, opensWithoutPassword: true });
    expect(owner?.permissions).toMatchObject({ copy: false, modify: false, print: false });
    const opened = await inspect(documents.encrypted, { password: PASSWORD });
    expect(opened.pdf?.encryption).toMatchObject({ algorithm: 'AES', keyBits: 256, opensWithoutPassword: false });
    // A key with the same beginning is another key.
    const ending = Buffer.concat([
      await readFile(documents.ownerPassword.path),
      Buffer.from('% /EncryptMetadata true\n'),
    ]);
    expect((await inspect(await put(ending))).pdf?.encryption).toEqual(owner);
    // The writer of the fixture left its metadata unencrypted; the encrypted parts are read.
    const form = await put(await makeForm({ password: 'sesame' }));
    expect((await inspect(form, { password: 'sesame' })).pdf).toMatchObject({ form: { fields: 10 }, language: 'en' });
    await expect(inspect(documents.encrypted)).rejects.toMatchObject({ reason: 'encrypted' });
  });

  it('a PDF with a form → said so', async () => {
    const { pdf } = await inspect(await put(await makeForm({ xfa: true })));
    expect(pdf).toMatchObject({ form: { kind: 'xfa', fields: 10 }, signatures: 1 });
  });

  it('a damaged PDF → repaired as when it is read', async () => {
    const { pageCount, pdf } = await inspect(documents.recoverable);
    expect({ pageCount, title: pdf?.metadata.title }).toEqual({ pageCount: 4, title: 'Annual Report' });
  });
});

describe('an image', () => {
  it.each([
    [images.jpeg, { format: 'jpeg', colorSpace: 'b-w', channels: 1, bitsPerChannel: 8 }],
    [images.cmyk, { format: 'jpeg', colorSpace: 'cmyk', channels: 4 }],
    [images.sixteenBit, { format: 'png', bitsPerChannel: 16 }],
    [images.transparent, { format: 'png', hasAlpha: true }],
    [images.tiff, { format: 'tiff', frames: 1 }],
    [images.gif, { format: 'gif' }],
    [images.webp, { format: 'webp' }],
    [images.bmp, { format: 'bmp', hasAlpha: false }],
  ])('$file → its properties', async (fixture, expected) => {
    const { image, pagesNeedingOcr, sizeBytes } = await inspect(fixture);
    expect(image).toMatchObject(expected);
    expect({ pagesNeedingOcr, sizeBytes }).toEqual({
      pagesNeedingOcr: '1',
      sizeBytes: (await stat(fixture.path)).size,
    });
  });

  it('the resolution of an image → the one in the file, or none', async () => {
    const picture = () => sharp({ create: { width: 40, height: 30, channels: 3, background: '#ffffff' } });
    const png = await picture().png().toBuffer();
    // Four bytes of length, the name, nine of content and four of a checksum.
    const at = png.indexOf('pHYs') - 4;
    const silent = Buffer.concat([png.subarray(0, at), png.subarray(at + 21)]);
    const said = await picture().withMetadata({ density: 300 }).png().toBuffer();
    const dpis: (number | null | undefined)[] = [];
    for (const bytes of [silent, said, await picture().withMetadata({ density: 72 }).png().toBuffer()])
      dpis.push((await inspect({ ...(await put(bytes)), mimeType: 'image/png' })).image?.dpi);
    expect(dpis).toEqual([null, 300, 72]);
    expect((await inspect(images.jpeg)).image?.dpi).toBeNull();
  });

  it('an image with too many pixels → refused by its header', async () => {
    await expect(inspect({ path: bad.bomb.path, mimeType: 'image/png' })).rejects.toMatchObject({
      reason: 'too-large',
    });
  });
});

describe('DOCUMENT_INSPECTION', () => {
  it('every fixture → valid by the schema', async () => {
    for (const fixture of readable) {
      const { result } = await run(fixture, fixture.password === undefined ? {} : { password: fixture.password });
      checkResult(documentInspection, result);
      expect(result, fixture.file).toMatchObject({ mimeType: fixture.mimeType, pageCount: fixture.pages });
    }
  });

  it('a result → printed as properties', async () => {
    const { rows } = documentInspection.output.print((await run(documents.mixed)).result) as { rows: string[][] };
    expect(rows).toContainEqual(['Page size', '595 x 842 pt (1-3)']);
    expect(rows).toContainEqual(['Text layer', 'trusted (1, 3)']);
    expect(rows).toContainEqual(['Text layer', 'absent: no text layer (2)']);
    expect(rows).toContainEqual(['Needs recognition', '2']);
    expect(rows).toContainEqual(['Title', 'Mixed']);
    const encrypted = await run(documents.encrypted, { password: PASSWORD });
    const printed = documentInspection.output.print(encrypted.result) as { rows: string[][] };
    expect(printed.rows.find(([name]) => name === 'Encryption')?.[1]).toMatch(/^AES 256; opens with a password/);
  });
});
