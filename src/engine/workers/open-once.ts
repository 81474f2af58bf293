import { openSturdyPdf, type SturdyPdf } from '../pdf-files/pdfium/sturdy-pdf.js';

let opened: { key: string; pdf: SturdyPdf } | undefined;

/** The PDF that this thread reads pages of, opened for the first of them. Throws DocumentError as openPdf does. */
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
