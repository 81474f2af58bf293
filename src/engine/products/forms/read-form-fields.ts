import { openPdf } from '../../pdf-files/pdfium/pdfium.js';
import { selectPages } from '../../select-pages.js';
import type { FormField } from './form-field.js';
import { readForm } from './read-form.js';

export interface FormFieldsOptions {
  password?: string;
  /** Pages as "1-3,7,-1"; all when absent. */
  pages?: string;
}

export interface FormFields {
  form: 'none' | 'acro-form' | 'xfa';
  fields: FormField[];
  /** Warnings in words for people. */
  warnings: string[];
  /** Number of pages that were looked at. */
  pageCount: number;
}

/**
 * Reads the fields of a PDF's form. With `pages`, only fields that have a widget on one of them, and only those
 * widgets.
 * Throws DocumentError as openPdf and selectPages do.
 */
export async function readFormFields(path: string, options: FormFieldsOptions): Promise<FormFields> {
  const pdf = await openPdf(path, options.password);
  try {
    const numbers = selectPages(options.pages, pdf.pageCount);
    const { kind, fields, warnings } = readForm(pdf);
    const kept = options.pages === undefined ? fields : onPages(fields, new Set(numbers));
    return { form: kind, fields: kept, warnings, pageCount: numbers.length };
  } finally {
    pdf.close();
  }
}

function onPages(fields: readonly FormField[], pages: ReadonlySet<number>): FormField[] {
  return fields
    .map((field) => ({ ...field, widgets: field.widgets.filter(({ page }) => page !== null && pages.has(page)) }))
    .filter(({ widgets }) => widgets.length > 0);
}
