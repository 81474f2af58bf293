import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sniffBytes } from '../../../src/engine/sniff.js';
import { bad, readable } from '../../fixtures/manifest.js';

describe('the type of a file', () => {
  it.each(readable.map(({ file, path, mimeType }) => [file, path, mimeType]))('%s → its type', (_, path, mimeType) => {
    expect(sniffBytes(readFileSync(path))).toBe(mimeType);
  });

  it.each(Object.values(bad).map(({ file, path, mimeType }) => [file, path, mimeType]))(
    '%s → the type that its bytes show',
    (_, path, mimeType) => {
      expect(sniffBytes(readFileSync(path as string))).toBe(mimeType);
    },
  );
});

describe('sniffBytes', () => {
  const pdfAfter = (junkBytes: number) => Buffer.concat([Buffer.alloc(junkBytes, 0x20), Buffer.from('%PDF-1.7\n')]);

  it('%PDF- after leading junk → a PDF within the first kilobyte only', () => {
    expect(sniffBytes(pdfAfter(0))).toBe('application/pdf');
    expect(sniffBytes(pdfAfter(1000))).toBe('application/pdf');
    expect(sniffBytes(pdfAfter(1024))).toBeUndefined();
  });

  it('both byte orders of TIFF, and BigTIFF → image/tiff', () => {
    for (const head of ['II*\0', 'MM\0*', 'II+\0', 'MM\0+']) expect(sniffBytes(Buffer.from(head))).toBe('image/tiff');
  });

  it('a text that begins with BM → no bitmap', () => {
    expect(sniffBytes(Buffer.from('BMW and other makes of cars, a list.'))).toBeUndefined();
  });

  it('texts, SVG and the empty file → undefined', () => {
    for (const text of ['', 'hello', '<svg xmlns="http://www.w3.org/2000/svg"/>', '{}']) {
      expect(sniffBytes(Buffer.from(text))).toBeUndefined();
    }
  });
});
