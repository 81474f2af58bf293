import { barcodeReading } from './barcode-reading.js';
import { documentInspection } from './document-inspection.js';
import { formFields } from './form-fields.js';
import type { OcrFunction } from './function.js';
import { layoutAnalysis } from './layout-analysis.js';
import { searchablePdf } from './searchable-pdf.js';
import { tableExtraction } from './table-extraction.js';
import { textExtraction } from './text-extraction.js';

/** Every function, sorted by id. */
export const catalog: readonly OcrFunction[] = [
  barcodeReading,
  documentInspection,
  formFields,
  layoutAnalysis,
  searchablePdf,
  tableExtraction,
  textExtraction,
];

export function findFunction(id: string): OcrFunction | undefined {
  return catalog.find((entry) => entry.id === id);
}
