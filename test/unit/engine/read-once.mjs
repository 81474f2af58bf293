// Reads one image and comes to its end: run as a process of its own by read-document.test.ts.
import { readDocument } from '../../../dist/engine/read-document.js';

const { pageCount } = await readDocument(process.argv[2], 'image/png', {
  ocr: 'auto',
  maxPixels: 100e6,
  parallelism: 1,
});
if (pageCount !== 1) process.exitCode = 1;
