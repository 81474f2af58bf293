import { type CountPagesOptions, countPages } from './count-pages.js';
import { openPdf } from './pdf-files/pdfium/pdfium.js';
import { selectPages } from './select-pages.js';
import { PDF_TYPE } from './sniff.js';
import { samplePictureShare } from './stages/text-layer/sample-text-layers.js';

export interface PageSample {
  pageCount: number;
  /** Share of the requested pages that seem to need recognition to be read, 0-1. */
  pictureShare: number;
}

/**
 * Counts the pages of a document and looks at some of the requested ones.
 * @throws DocumentError as countPages does, and invalid-argument for pages that the document does not have
 */
export async function samplePages(
  path: string,
  mimeType: string,
  { pages, ...options }: CountPagesOptions & { pages: string | undefined },
): Promise<PageSample> {
  if (mimeType !== PDF_TYPE) return { pageCount: await countPages(path, mimeType, options), pictureShare: 1 };
  const pdf = await openPdf(path, options.password);
  try {
    const { pageCount } = pdf;
    return { pageCount, pictureShare: samplePictureShare(pdf, selectPages(pages, pageCount)) };
  } finally {
    pdf.close();
  }
}
