import { formFields } from './form-fields.js';
import type { OcrFunction } from './function.js';
import { textExtraction } from './text-extraction.js';

/** Every function, sorted by id. */
export const catalog: readonly OcrFunction[] = [formFields, textExtraction];

export function findFunction(id: string): OcrFunction | undefined {
  return catalog.find((entry) => entry.id === id);
}
