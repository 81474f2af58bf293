import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countPages } from '../../../dist/engine/count-pages.js';
import { DocumentError } from '../../../dist/engine/model/document-error.js';
import { readFormFields } from '../../../dist/engine/products/forms/read-form-fields.js';
import { inspectDocument } from '../../../dist/engine/products/inspection/inspect-document.js';
import { makeSearchablePdf } from '../../../dist/engine/products/searchable/searchable-pdf.js';
import { PDF_TYPE } from '../../../dist/engine/sniff.js';
import { type FuzzTarget, promise, tolerate } from '../fuzz-target.js';
import { pageOf, pdfObjects } from './pdf-objects.js';

const MAX_PIXELS = 1_000_000;
const isDocumentError = (error: unknown) => error instanceof DocumentError;
let folder: string | undefined;

/** PDFs through PDFium: what a count, an inspection, a form and a searchable PDF make of them. */
export const pdf: FuzzTarget = {
  name: 'pdf',
  async seeds() {
    const names = ['encrypted.pdf', 'damaged.pdf', 'no-mapping.pdf'];
    const fixtures = names.map((name) =>
      readFileSync(fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url))),
    );
    return [...(await pdfObjects.seeds()), ...fixtures];
  },
  tokens: [
    ...pdfObjects.tokens,
    '/Encrypt',
    '/Rotate 90',
    '/MediaBox[0 0 1e9 1]',
    '/UserUnit 9',
    '/Outlines',
    '/Contents',
  ],
  runs: 300,
  async run(bytes) {
    folder ??= mkdtempSync(join(tmpdir(), 'ocr-fuzz-pdf-'));
    const path = join(folder, 'document.pdf');
    writeFileSync(path, bytes);
    const options = { maxPixels: MAX_PIXELS };
    const count = await tolerate(isDocumentError, () => countPages(path, PDF_TYPE, options));
    if (count === undefined) return;
    promise(count >= 1, `a document has ${count} pages`);
    await tolerate(isDocumentError, () => inspectDocument(path, PDF_TYPE, options));
    await tolerate(isDocumentError, () => readFormFields(path, {}));
    const document = { pages: [pageOf(1, 'ocr')], warnings: [] };
    const searchable = await tolerate(isDocumentError, () => makeSearchablePdf(path, undefined, document));
    if (searchable === undefined) return;
    writeFileSync(path, Buffer.concat(searchable.chunks));
    promise((await countPages(path, PDF_TYPE, options)) === count, 'a searchable PDF has as many pages');
  },
  async close() {
    if (folder !== undefined) rmSync(folder, { recursive: true });
    folder = undefined;
  },
};
