import type { LaidPage } from '../layout/classify.js';
import { type PageContent, placeWords } from '../layout/place-words.js';
import type { TextLayerVerdict } from '../model.js';
import { openPdf, type PdfDocument } from '../pdf/pdfium.js';
import { readPdfPage } from '../pdf/read-page.js';
import { planRecognition } from '../recognise/languages.js';
import type { RecognitionPlan } from '../recognise/recogniser.js';
import { selectPages } from '../select-pages.js';
import { judgeTextLayer, mayHoldText } from '../text-layer-verdict.js';
import type { Reading, ReadPage } from './reading.js';

/** Reads the pages of a PDF, each by its text layer or by recognition. Throws DocumentError as openPdf and selectPages do. */
export async function readPdfPages(reading: Reading): Promise<ReadPage[]> {
  const { options } = reading;
  const pdf = await openPdf(reading.path, options.password);
  try {
    const numbers = selectPages(options.pages, pdf.pageCount);
    // Looked up when it is first needed: a text PDF is read without any language data. What was asked for has to be there.
    let plan: RecognitionPlan | undefined;
    const usePlan = () => {
      plan ??= planRecognition(options.languages, options.native);
      return plan;
    };
    if (options.languages !== undefined && options.ocr !== 'never') usePlan();
    const pending: Promise<ReadPage | undefined>[] = [];
    let done = 0;
    await reading.report(0, numbers.length);
    for (const number of numbers) {
      const page = readTextLayer(reading, pdf, number);
      if (page === undefined || !needsRecognition(page, options.ocr)) {
        pending.push(Promise.resolve(page?.read));
        await reading.report(++done, numbers.length);
        continue;
      }
      const recognised = recognise(reading, page.read, usePlan());
      pending.push(recognised.finally(() => reading.report(++done, numbers.length)));
    }
    return (await Promise.all(pending)).filter((page) => page !== undefined);
  } finally {
    pdf.close();
  }
}

interface TextLayerPage {
  read: ReadPage;
  holdsMore: boolean;
}

function readTextLayer(reading: Reading, pdf: PdfDocument, number: number): TextLayerPage | undefined {
  const page = readPdfPage(pdf, number - 1);
  if (page === undefined) {
    reading.warnings.push({ page: number, message: 'the page is damaged and was left out' });
    return undefined;
  }
  const { ink } = page.drawing;
  const textLayer = judgeTextLayer(page.layer, ink);
  const content = placeWords(page);
  const read: ReadPage = { number, content, rotation: content.rotation, source: 'text-layer', textLayer };
  return { read, holdsMore: mayHoldText(ink) };
}

function needsRecognition(page: TextLayerPage, ocr: 'auto' | 'force' | 'never'): boolean {
  if (ocr !== 'auto') return ocr === 'force';
  const verdict: TextLayerVerdict['verdict'] = page.read.textLayer.verdict;
  return verdict === 'suspect' || (verdict === 'absent' && page.holdsMore);
}

async function recognise(reading: Reading, page: ReadPage, plan: RecognitionPlan): Promise<ReadPage | undefined> {
  const { path, mimeType, options, pool, warnings } = reading;
  const { number, textLayer } = page;
  try {
    const task = { path, mimeType, password: options.password, page: number, plan, maxPixels: options.maxPixels };
    const { rotation, provider, warning, ...content } = await pool.recognise(task);
    if (warning !== undefined) warnings.push({ page: number, message: warning });
    // What a suspect layer holds is better than nothing.
    if (options.ocr === 'auto' && countCharacters(content) === 0 && countCharacters(page.content) > 0) return page;
    return { number, content, rotation, source: 'ocr', textLayer, recogniser: provider };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const kept = countCharacters(page.content) > 0;
    warnings.push({
      page: number,
      message: kept ? `${message}; its text layer was taken, which may be wrong` : message,
    });
    return kept ? page : undefined;
  }
}

function countCharacters(content: PageContent | LaidPage): number {
  const words =
    'words' in content
      ? [...content.words, ...content.turned.flatMap((turned) => turned.words)]
      : content.blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  return words.reduce((sum, { text }) => sum + text.length, 0);
}
