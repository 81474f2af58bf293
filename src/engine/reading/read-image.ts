import { DocumentError } from '../model/document-error.js';
import { selectPages } from '../select-pages.js';
import { readImageHeader } from '../stages/picture/decode/image-header.js';
import { planRecognition } from '../stages/recognise/languages.js';
import type { Reading, ReadPage } from './reading.js';

const NO_TEXT_LAYER = { verdict: 'absent', reasons: ['an image has no text layer'] } as const;

/** Recognises the pages of an image. Throws DocumentError: damaged, too-large, no-pages, invalid-argument. */
export async function readImagePages(reading: Reading): Promise<ReadPage[]> {
  const { path, mimeType, options, pool, warnings } = reading;
  if (options.ocr === 'never') {
    throw new DocumentError('invalid-argument', 'an image has no text layer: with "never" there is nothing to read', {
      pointer: '/ocr',
    });
  }
  const plan = planRecognition(options.languages, options.native);
  const header = await readImageHeader(path, mimeType, options.maxPixels);
  if (header.pageCount < 1) throw new DocumentError('no-pages', 'the image has no pages');
  const numbers = selectPages(options.pages, header.pageCount);
  await reading.report(0, numbers.length);
  let done = 0;
  const pages = await Promise.all(
    numbers.map(async (number): Promise<ReadPage | undefined> => {
      try {
        const task = { path, mimeType, password: undefined, page: number, plan, maxPixels: options.maxPixels };
        const { content, rotation, provider, warning } = await pool.read(
          task,
          () => void reading.report(done, numbers.length),
        );
        if (warning !== undefined) warnings.push({ page: number, message: warning });
        const textLayer = { verdict: NO_TEXT_LAYER.verdict, reasons: [...NO_TEXT_LAYER.reasons] };
        return { number, content, rotation, source: 'ocr', textLayer, recogniser: provider };
      } catch (error) {
        warnings.push({ page: number, message: error instanceof Error ? error.message : String(error) });
        return undefined;
      } finally {
        await reading.report(++done, numbers.length);
      }
    }),
  );
  return pages.filter((page) => page !== undefined);
}
