import type { Box } from '../../model/document.js';
import { toBox } from '../../model/page-transform.js';
import { listPages, type PageNode } from '../../pdf-files/objects/page-tree.js';
import { type PdfObjects, readPdfObjects } from '../../pdf-files/objects/pdf-objects.js';
import { isRef } from '../../pdf-files/objects/values.js';
import { copyPdf } from '../../pdf-files/pdfium/copy-pdf.js';
import { openPageFrame, type PageFrame } from '../../pdf-files/pdfium/page-frame.js';
import { guard, type PdfDocument } from '../../pdf-files/pdfium/pdfium.js';
import { describeField, readStates } from './describe-field.js';
import { addField, type FieldNode, isWidget, readFieldTree, readStrayField, type WidgetNode } from './field-tree.js';
import type { FieldWidget, FormField } from './form-field.js';

/** Bits of an annotation's `F`, counted from 1: invisible, hidden, not to be viewed. */
const HIDDEN_BITS = 0b100011;

export interface PdfForm {
  /** `xfa`: the form has a description of its own that is not read, so that its fields may say less. */
  kind: 'none' | 'acro-form' | 'xfa';
  fields: FormField[];
  /** Warnings in words for people. */
  warnings: string[];
}

/** Reads the fields of a PDF's form in the order of the file; no value is guessed from the drawing. */
export function readForm(pdf: PdfDocument): PdfForm {
  if (guard(() => pdf.pdfium._FPDF_GetFormType(pdf.handle)) === 0) return { kind: 'none', fields: [], warnings: [] };
  const copy = copyPdf(pdf);
  if (copy === undefined) {
    return {
      kind: 'acro-form',
      fields: [],
      warnings: ['the document has a form that cannot be read: it is damaged or too large'],
    };
  }
  return readFormOf(readPdfObjects(copy), pdf);
}

function readFormOf(objects: PdfObjects, pdf: PdfDocument): PdfForm {
  const form = objects.dict(objects.catalog.get('AcroForm'));
  const tree = readFieldTree(objects, form?.get('Fields'));
  const pages = listPages(objects, pdf.pageCount);
  const placed = placeWidgets(objects, pages);
  const byName = new Map<string, FieldNode>();
  for (const field of tree.fields) addField(byName, field);
  for (const widget of placed.widgets) {
    if (widget.reference !== undefined && tree.known.has(widget.reference)) continue;
    const stray = readStrayField(objects, widget);
    if (stray !== undefined) addField(byName, stray);
  }
  const frames = createFrameReader(pdf);
  const fields = [...byName.values()].map((node): FormField => {
    const field = describeField(objects, node);
    const states = field.type === 'checkbox' || field.type === 'radio' ? readStates(objects, node) : [];
    const widgets = node.widgets.map((widget, index): FieldWidget => {
      const page = placed.pageOf.get(widget.dict) ?? null;
      const flags = objects.number(widget.dict.get('F')) ?? 0;
      return {
        page,
        box: readBox(objects, widget, page, frames),
        hidden: (flags & HIDDEN_BITS) !== 0,
        ...states[index],
      };
    });
    return { ...field, widgets };
  });
  const warnings = tree.isCut ? ['the form has more fields than are read'] : [];
  const isXfa = form?.has('XFA') === true;
  if (isXfa)
    warnings.push('the form is described in XFA too, which is not read: fields may be missing, or their values old');
  return { kind: isXfa ? 'xfa' : 'acro-form', fields, warnings };
}

/** Finds every widget that stands on a page, and its page. */
function placeWidgets(objects: PdfObjects, pages: readonly PageNode[]) {
  const widgets: WidgetNode[] = [];
  // An object is read once: every reference gives the same dictionary.
  const pageOf = new Map<object, number>();
  for (const [index, page] of pages.entries()) {
    for (const annotation of objects.array(page.dict.get('Annots'))) {
      const dict = objects.dict(annotation);
      if (dict === undefined || pageOf.has(dict) || !isWidget(objects, dict)) continue;
      pageOf.set(dict, index + 1);
      widgets.push({ reference: isRef(annotation) ? annotation.number : undefined, dict });
    }
  }
  return { widgets, pageOf };
}

function readBox(
  objects: PdfObjects,
  widget: WidgetNode,
  page: number | null,
  frameOf: (page: number) => PageFrame | undefined,
): Box | null {
  const corners = objects.array(widget.dict.get('Rect')).map((value) => objects.number(value));
  const [x0, y0, x1, y1] = corners;
  if (page === null || x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return null;
  const frame = frameOf(page);
  if (frame === undefined || x0 === x1 || y0 === y1) return null;
  return toBox(frame.place(x0, y0, x1, y1), frame);
}

/** Opens pages for their frames only where a widget stands on them, once each. */
function createFrameReader(pdf: PdfDocument): (page: number) => PageFrame | undefined {
  const frames = new Map<number, PageFrame | undefined>();
  return (number) => {
    if (!frames.has(number)) frames.set(number, openPageFrame(pdf, number));
    return frames.get(number);
  };
}
