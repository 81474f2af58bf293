import type { PdfDocument } from '../../pdf-files/pdfium/pdfium.js';
import { readWideString } from './wide-string.js';

const MAX_ATTACHMENTS = 1000;

/** The names of the files that are attached to the document. */
export function readAttachments({ pdfium, handle }: PdfDocument): string[] {
  const count = Math.min(pdfium._FPDFDoc_GetAttachmentCount(handle), MAX_ATTACHMENTS);
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const attachment = pdfium._FPDFDoc_GetAttachment(handle, index);
    if (attachment === 0) return '';
    return readWideString(pdfium, (buffer, size) => pdfium._FPDFAttachment_GetName(attachment, buffer, size));
  });
}
