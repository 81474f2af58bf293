import { openSturdyPdf, type SturdyPdf } from '../pdf-files/pdfium/sturdy-pdf.js';

let opened: { key: string; pdf: SturdyPdf } | undefined;

/** Opens a PDF for its first page and returns it again for the next ones. Throws DocumentError as openPdf does. */
export async function openOnce(path: string, password: string | undefined): Promise<SturdyPdf> {
  const key = `${path}\0${password ?? ''}`;
  if (opened?.key !== key) {
    closeOpened();
    opened = { key, pdf: await openSturdyPdf(path, password) };
  }
  return opened.pdf;
}

export function closeOpened(): void {
  opened?.pdf.close();
  opened = undefined;
}
