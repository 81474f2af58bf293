import { PDF_TYPE } from '../../engine/sniff.js';
import type { Outcome, Task } from './protocol.js';

/** Providers of results that PDFium alone has made. It is code in WebAssembly, whose memory ends with its instance. */
const PROVIDERS_WITHOUT_NATIVE_CODE = ['pdf-text', 'pdfium'];

/**
 * True when native code may have worked on a document, which can then have taken over its process: decoders of images always
 * work on one, and of PDFs native code gets the pixels of pages that are recognised.
 */
export function mayHaveRunNativeCode(task: Task, outcome: Outcome): boolean {
  if (task.mimeType !== PDF_TYPE) return true;
  if (task.type === 'count-pages') return false;
  return outcome.type !== 'done' || !PROVIDERS_WITHOUT_NATIVE_CODE.includes(outcome.provider);
}
