import type { Page } from '../../model/document.js';
import { type PageNode, requirePages } from '../../pdf-files/objects/page-tree.js';
import type { PdfFile } from '../../pdf-files/objects/pdf-file.js';
import { PdfObjects } from '../../pdf-files/objects/pdf-objects.js';
import { encodeTextString } from '../../pdf-files/objects/text-string.js';
import { isStream, type PdfDict, type PdfRef, PdfSyntaxError, type PdfValue } from '../../pdf-files/objects/values.js';
import { createObjectWriter, type ObjectWriter, writeUpdate } from '../../pdf-files/objects/write-pdf.js';
import { composeTextLayer, recognisedLines } from './compose-text-layer.js';
import { addGlyphlessFont, createGlyphCodes } from './glyphless-font.js';
import { type DisplayFrame, frameOfReading } from './page-geometry.js';
import { createTextRemover } from './replaced-texts.js';

export interface PageToWrite {
  page: Page;
  frame: DisplayFrame;
}

/**
 * Appends an update that gives these pages a text layer; the bytes of the file stay unchanged. `info`: the entries of
 * the Info dictionary, for a file that lost it. Throws PdfSyntaxError.
 */
export function addTextLayers(
  file: PdfFile,
  pageCount: number,
  pages: readonly PageToWrite[],
  info?: ReadonlyMap<string, string>,
): Uint8Array[] {
  const objects = new PdfObjects(file);
  const nodes = requirePages(objects, pageCount);
  const writer = createObjectWriter(file.size);
  const codes = createGlyphCodes();
  const font = writer.reserve();
  const removeTexts = createTextRemover(objects, writer);
  const written = new Set<number>();
  for (const { page, frame } of pages) {
    const node = nodes[page.number - 1];
    // A page object that stands for several pages shows the same on all of them.
    if (node === undefined) continue;
    if (node.ref === undefined) throw new PdfSyntaxError('a page is not an object by itself');
    if (written.has(node.ref.number)) continue;
    written.add(node.ref.number);
    const replaces = page.source === 'ocr';
    const drawn = { contents: contentsOf(objects, node), resources: node.resources ?? new Map() };
    const own = replaces ? removeTexts(drawn) : drawn;
    const { resources, fontName } = nameFont(objects, own.resources, font);
    const lines = recognisedLines(page);
    const layer = composeTextLayer(lines, page, frameOfReading(frame, page.rotation), { codes, name: fontName });
    const dict: PdfDict = new Map(node.dict);
    dict.set('Resources', resources);
    dict.set('Contents', putFirst(writer, layer, own.contents, replaces));
    writer.put(node.ref, dict);
  }
  addGlyphlessFont(writer, codes, font);
  if (info !== undefined && objects.dict(file.trailer.get('Info')) === undefined) restoreInfo(file, writer, info);
  return writeUpdate(file, writer);
}

/** Restores the Info dictionary: a trailer that names a missing object makes some readers take the whole file for damaged. */
function restoreInfo(file: PdfFile, writer: ObjectWriter, info: ReadonlyMap<string, string>): void {
  const dict: PdfDict = new Map([...info].map(([key, text]) => [key, encodeTextString(text)]));
  if (dict.size > 0) file.trailer.set('Info', writer.add(dict));
  else file.trailer.delete('Info');
}

/** Adds the font to the page's resources, under a name that is free on the page. */
function nameFont(objects: PdfObjects, own: PdfDict, font: PdfRef): { resources: PdfDict; fontName: string } {
  const resources: PdfDict = new Map(own);
  const fonts: PdfDict = new Map(objects.dict(resources.get('Font')));
  let fontName = 'OcrTextLayer';
  while (fonts.has(fontName)) fontName += '_';
  resources.set('Font', fonts.set(fontName, font));
  return { resources, fontName };
}

function contentsOf(objects: PdfObjects, { dict }: PageNode): PdfValue[] {
  const contents = dict.get('Contents');
  const resolved = objects.resolve(contents);
  if (Array.isArray(resolved)) return resolved;
  return contents !== undefined && isStream(resolved) ? [contents] : [];
}

/**
 * Puts the text layer before the page's own drawing. There the coordinates are still PDF's own, so the page's content need
 * not be wrapped in q and Q. A text layer that is replaced is drawn as before, and marked as standing for a space
 * (`ActualText`), which readers of marked content follow.
 */
function putFirst(writer: ObjectWriter, layer: string, own: readonly PdfValue[], replaces: boolean): PdfValue {
  if (!replaces || own.length === 0) return [writer.addDeflated(layer), ...own];
  return [writer.addDeflated(`${layer}/Span <</ActualText ( )>> BDC\n`), ...own, writer.addDeflated('\nEMC\n')];
}
