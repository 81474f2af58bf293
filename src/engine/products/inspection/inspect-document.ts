import { stat } from 'node:fs/promises';
import { PDF_TYPE } from '../../sniff.js';
import type { DocumentInspection, InspectionOptions, PageInspection } from './inspection.js';

/**
 * Describes a document without recognising anything.
 * Throws DocumentError: encrypted, wrong-password, damaged, no-pages, too-large, invalid-argument.
 */
export async function inspectDocument(
  path: string,
  mimeType: string,
  options: InspectionOptions,
): Promise<DocumentInspection> {
  const { size } = await stat(path);
  const found =
    mimeType === PDF_TYPE
      ? await (await import('./inspect-pdf.js')).inspectPdf(path, options)
      : await (await import('./inspect-image.js')).inspectImage(path, mimeType, options);
  return { mimeType, sizeBytes: size, pagesNeedingOcr: listPages(found.pages), ...found };
}

/** Page numbers as "2-4,9". */
function listPages(pages: readonly PageInspection[]): string | null {
  const runs: [first: number, last: number][] = [];
  for (const { page: number, needsOcr } of pages) {
    if (!needsOcr) continue;
    const run = runs.at(-1);
    if (run?.[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.length === 0
    ? null
    : runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}
