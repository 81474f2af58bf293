import { type CountPagesOptions, countPages } from './count-pages.js';
import { openPdf } from './pdf-files/pdfium/pdfium.js';
import { selectPages } from './select-pages.js';
import { PDF_TYPE } from './sniff.js';
import { sampleTextLayers, type TextLayerSample } from './stages/text-layer/sample-text-layers.js';

export interface SampledPages {
  pageCount: number;
  sample: TextLayerSample;
}

const PICTURES: TextLayerSample = { pictureShare: 1, elementsPerPage: 0 };

/**
 * Counts the pages of a document and looks at some of the requested ones.
 * @throws DocumentError as countPages does, and invalid-argument for pages that the document does not have
 */
export async function samplePages(
  path: string,
  mimeType: string,
  { pages, ...options }: CountPagesOptions & { pages: string | undefined },
): Promise<SampledPages> {
  if (mimeType !== PDF_TYPE) return { pageCount: await countPages(path, mimeType, options), sample: PICTURES };
  const pdf = await openPdf(path, options.password);
  try {
    const { pageCount } = pdf;
    return { pageCount, sample: sampleTextLayers(pdf, selectPages(pages, pageCount)) };
  } finally {
    pdf.close();
  }
}
