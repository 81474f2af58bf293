import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sniffBytes, sniffType } from '../../../src/engine/sniff.js';
import { bad, readable } from '../../fixtures/manifest.js';

describe('sniffType', () => {
  it.each(readable.map(({ file, path, mimeType }) => [file, path, mimeType]))('knows %s', async (_, path, mimeType) => {
    expect(await sniffType(path)).toBe(mimeType);
  });

  it.each(Object.values(bad).map(({ file, path, mimeType }) => [file, path, mimeType]))(
    'goes by the bytes of %s',
    async (_, path, mimeType) => {
      expect(await sniffType(path as string)).toBe(mimeType);
    },
  );

  it('goes by the bytes, not by the name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sniff-'));
    try {
      const path = join(folder, 'scan.pdf');
      await writeFile(path, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]));
      expect(await sniffType(path)).toBe('image/jpeg');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('sniffBytes', () => {
  const pdfAfter = (junkBytes: number) => Buffer.concat([Buffer.alloc(junkBytes, 0x20), Buffer.from('%PDF-1.7\n')]);

  it('finds a PDF after leading junk, within the first kilobyte only', () => {
    expect(sniffBytes(pdfAfter(0))).toBe('application/pdf');
    expect(sniffBytes(pdfAfter(1000))).toBe('application/pdf');
    expect(sniffBytes(pdfAfter(1024))).toBeUndefined();
  });

  it('knows both byte orders of TIFF, and BigTIFF', () => {
    for (const head of ['II*\0', 'MM\0*', 'II+\0', 'MM\0+']) expect(sniffBytes(Buffer.from(head))).toBe('image/tiff');
  });

  it('does not take a text that begins with BM for a bitmap', () => {
    expect(sniffBytes(Buffer.from('BMW and other makes of cars, a list.'))).toBeUndefined();
  });

  it('knows nothing of texts, SVG and the empty file', () => {
    for (const text of ['', 'hello', '<svg xmlns="http://www.w3.org/2000/svg"/>', '{}']) {
      expect(sniffBytes(Buffer.from(text))).toBeUndefined();
    }
  });
});
