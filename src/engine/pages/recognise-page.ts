import { DocumentError } from '../document-error.js';
import type { LaidBlock } from '../layout/blocks.js';
import { openPdf, type PdfDocument } from '../pdf/pdfium.js';
import { renderPage } from '../pdf/render-page.js';
import { loadImage } from '../raster/load-image.js';
import type { LanguageModel, Recogniser } from '../recognise/recogniser.js';
import { createTesseractWasm } from '../recognise/tesseract-wasm.js';
import { PDF_TYPE } from '../sniff.js';
import type { PageTask, RecognisedPage } from './page-task.js';

let recogniser: { key: string; ready: Promise<Recogniser> } | undefined;
let opened: { key: string; pdf: PdfDocument } | undefined;

/** Draws and recognises one page, in the thread that it is called in; the recogniser and the open PDF stay for the next page. */
export async function recognisePage(task: PageTask): Promise<RecognisedPage> {
  const picture = await takePicture(task);
  const reader = await useRecogniser(task.models);
  const { blocks, width, height, rotation } = reader.recognise(picture.raster);
  const sideways = rotation % 180 !== 0;
  const page = {
    width: sideways ? picture.height : picture.width,
    height: sideways ? picture.width : picture.height,
  };
  scaleBlocks(blocks, page.width / width, page.height / height);
  if (!picture.damaged) return { ...page, blocks, rotation, provider: reader.provider };
  if (blocks.length === 0) throw new DocumentError('damaged', 'the image is damaged: nothing in it can be read');
  const warning = 'the image is damaged: it was read as far as it goes';
  return { ...page, blocks, rotation, provider: reader.provider, warning };
}

/** Closes the document that is open in this thread. */
export function releaseDocument(): void {
  opened?.pdf.close();
  opened = undefined;
}

async function takePicture(task: PageTask) {
  if (task.mimeType !== PDF_TYPE) return loadImage(task.path, task.mimeType, task.page - 1, task.maxPixels);
  const key = `${task.path}\0${task.password ?? ''}`;
  if (opened?.key !== key) {
    releaseDocument();
    opened = { key, pdf: await openPdf(task.path, task.password) };
  }
  return { ...renderPage(opened.pdf, task.page - 1), damaged: false };
}

function useRecogniser(models: readonly LanguageModel[]): Promise<Recogniser> {
  const key = models.map(({ path }) => path).join('\0');
  if (recogniser?.key !== key) recogniser = { key, ready: createTesseractWasm(models) };
  return recogniser.ready;
}

function scaleBlocks(blocks: readonly LaidBlock[], scaleX: number, scaleY: number): void {
  for (const line of blocks.flatMap(({ lines }) => lines)) {
    for (const part of [line, ...line.words]) {
      part.x0 *= scaleX;
      part.x1 *= scaleX;
      part.y0 *= scaleY;
      part.y1 *= scaleY;
      part.baseline *= scaleY;
      part.fontSize *= scaleY;
    }
  }
}
