import type { Block } from '../../../../../../src/engine/model/document.js';
import { layOutDocument } from '../../../../../../src/engine/stages/layout/lay-out-document.js';
import { refineRecognised } from '../../../../../../src/engine/stages/recognise/refine/refine-pages.js';
import { recognisedContent } from '../../../../../../src/engine/stages/recognise/to-page-content.js';

/** Lays out a document of one recognised page, as the engine does. */
export function layOutRecognised(page: Parameters<typeof recognisedContent>[0]): Block[] {
  const contents = refineRecognised([recognisedContent(page)]);
  return layOutDocument(contents.map((content) => ({ number: 1, content })))[0] ?? [];
}
