import type { PageContent, PageWord } from '../model/page.js';
import { selectPages } from '../select-pages.js';
import { planRecognition } from '../stages/recognise/languages.js';
import { languagesOf, type RecognitionPlan } from '../stages/recognise/recogniser.js';
import { findUnreadable } from '../stages/recognise/writing-systems.js';
import { toPageContent } from '../stages/text-layer/place-words.js';
import { needsRecognition } from '../stages/text-layer/text-layer-verdict.js';
import { openTextLayers } from './open-text-layers.js';
import type { TextLayerPage } from './packed-page.js';
import { readPictures } from './read-pictures.js';
import { readTextLayers } from './read-text-layers.js';
import type { Reading, ReadPage } from './reading.js';

/** Reads the pages of a PDF, each by its text layer or by recognition. Throws DocumentError as openPdf and selectPages do. */
export async function readPdfPages(reading: Reading): Promise<ReadPage[]> {
  const { path, options } = reading;
  const { password, parallelism } = options;
  const findsPrint = options.ocr === 'auto';
  const layers = await openTextLayers(path, password, findsPrint);
  try {
    const numbers = selectPages(options.pages, layers.pageCount);
    // The plan is made when it is first needed: a text PDF is read without language data. Requested languages must be installed, though.
    let plan: RecognitionPlan | undefined;
    const usePlan = () => {
      plan ??= planRecognition(options.languages, options.native);
      return plan;
    };
    if (options.languages !== undefined && options.ocr !== 'never') usePlan();
    const pages: (ReadPage | undefined)[] = [];
    const recognitions: Promise<void>[] = [];
    let done = 0;
    await reading.report(0, numbers.length);
    const onPage = async (index: number, page: TextLayerPage | undefined) => {
      const onMove = () => void reading.report(done, numbers.length);
      const begun = page === undefined ? undefined : beginRecognition(reading, page, usePlan, onMove);
      if (begun === undefined) {
        pages[index] = page === undefined ? leaveOut(reading, numbers[index] ?? 0) : toReadPage(page);
        return reading.report(++done, numbers.length);
      }
      const recognition = begun.then((read) => {
        pages[index] = read;
        return reading.report(++done, numbers.length);
      });
      // The promise is awaited after all text layers are read.
      recognition.catch(() => {});
      recognitions.push(recognition);
    };
    await readTextLayers({ path, password, findsPrint, numbers, parallelism, layers, onPage });
    await Promise.all(recognitions);
    return pages.filter((page) => page !== undefined);
  } finally {
    layers.close();
  }
}

/** Begins to recognise a page, or the pictures with print on it; undefined when its text layer is all that is read. */
function beginRecognition(
  reading: Reading,
  page: TextLayerPage,
  usePlan: () => RecognitionPlan,
  onMove: () => void,
): Promise<ReadPage | undefined> | undefined {
  if (isToBeRecognised(page, reading.options.ocr) && !keepUnreadable(reading, page, usePlan())) {
    if (page.absentFonts.length > 0) warnOfAbsentFonts(reading, page);
    return recognise(reading, toReadPage(page), usePlan(), onMove);
  }
  return page.printed.length === 0 ? undefined : addPictures(reading, page, usePlan, onMove);
}

function leaveOut({ warnings }: Reading, number: number): undefined {
  warnings.push({ page: number, message: 'the page is damaged and was left out' });
}

/** Warns that the text of some fonts is missing: only the text layer has it. */
function warnOfAbsentFonts({ warnings }: Reading, { number, absentFonts }: TextLayerPage): void {
  const message =
    `text is missing: recognition does not see what is in fonts that are not in the file (${absentFonts.join(', ')}); ` +
    'take the text layer (argument "ocr": never), or save it again with its fonts where they are installed';
  warnings.push({ page: number, message });
}

function toReadPage({ number, content, textLayer }: TextLayerPage): ReadPage {
  const { rotation } = content;
  return { number, content: toPageContent(content), rotation, source: 'text-layer', textLayer };
}

function isToBeRecognised({ textLayer, holdsMore }: TextLayerPage, ocr: 'auto' | 'force' | 'never'): boolean {
  return ocr === 'auto' ? needsRecognition(textLayer, holdsMore) : ocr === 'force';
}

/** Returns the page with the print of its pictures, or as it is where that is in a script that was not asked for. */
async function addPictures(
  reading: Reading,
  page: TextLayerPage,
  usePlan: () => RecognitionPlan,
  onMove: () => void,
): Promise<ReadPage> {
  const read = toReadPage(page);
  try {
    const plan = usePlan();
    if (findUnreadable(textOf([page.content, ...page.content.turned]), languagesOf(plan)) !== undefined) return read;
    return await readPictures(reading, read, page.printed, plan, onMove);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    reading.warnings.push({ page: page.number, message: `a picture on it was not read: ${message}` });
    return read;
  }
}

/** True when the text layer is in a script that these languages cannot recognise; it is then kept, with a warning. */
function keepUnreadable({ options, warnings }: Reading, page: TextLayerPage, plan: RecognitionPlan): boolean {
  if (options.ocr !== 'auto') return false;
  const languages = languagesOf(plan);
  const unreadable = findUnreadable(textOf([page.content, ...page.content.turned]), languages);
  if (unreadable === undefined) return false;
  const { name, language } = unreadable;
  const message =
    `its text layer was taken, which may be wrong (${page.textLayer.reasons.join(', ')}): it is in ${name}, which ` +
    `recognition in ${languages.join('+')} cannot read; name the page's language to have it recognised (argument "languages", e.g. ${language})`;
  warnings.push({ page: page.number, message });
  return true;
}

async function recognise(
  reading: Reading,
  page: ReadPage,
  plan: RecognitionPlan,
  onMove: () => void,
): Promise<ReadPage | undefined> {
  const { path, mimeType, options, pool, warnings } = reading;
  const { number, textLayer } = page;
  try {
    const task = { path, mimeType, password: options.password, page: number, plan, maxPixels: options.maxPixels };
    const { content, rotation, provider, warning } = await pool.read(task, onMove);
    if (warning !== undefined) warnings.push({ page: number, message: warning });
    // A suspect text layer is better than no text.
    if (options.ocr === 'auto' && textOfPage(content) === '' && textOfPage(page.content) !== '') return page;
    return { number, content, rotation, source: 'ocr', textLayer, recogniser: provider };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const kept = textOfPage(page.content) !== '';
    warnings.push({
      page: number,
      message: kept ? `${message}; its text layer was taken, which may be wrong` : message,
    });
    return kept ? page : undefined;
  }
}

/** Joins the text of words without spaces. */
const textOf = (parts: readonly { words: readonly PageWord[] }[]): string =>
  parts.flatMap(({ words }) => words.map(({ text }) => text)).join('');

const textOfPage = ({ fragments, turned }: PageContent): string => textOf([...fragments, ...turned]);
