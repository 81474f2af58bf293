import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';
import { characterOf } from '../fonts/characters.js';
import { createOrderedGlyphReader } from '../fonts/glyph-order.js';
import type { NamedGlyphReader } from '../fonts/named-glyphs.js';
import { type AccentedLetters, findAccented } from './accents-apart.js';
import { createClusterReader } from './clusters.js';
import { collectWords } from './collect-words.js';
import { dropRepeated } from './drop-repeated.js';
import { withPageText } from './page-text.js';
import type { TextLayer } from './raw-word.js';
import { CodeReader } from './read-letters.js';

const NONE: AccentedLetters = new Map();

/** Reads the words of a page's text layer by PDFium: characters in its order, words ended by its spaces or by a gap. */
export const readWords = (pdfium: Pdfium, page: number, frame: PageFrame, byName: NamedGlyphReader): TextLayer =>
  withPageText(pdfium, page, frame, (text, handle) => {
    const sources = { byName, byOrder: createOrderedGlyphReader(pdfium, handle) };
    const collect = (accented: AccentedLetters) =>
      collectWords(text, frame, { ...sources, accented }, createClusterReader(pdfium, page, frame));
    let { layer, apart } = collect(NONE);
    if (apart.length > 0) {
      const codes = new CodeReader(text, sources);
      const accented = findAccented(text, (index) => characterOf(codes.codeAt(index)), apart);
      if (accented.size > 0) layer = collect(accented).layer;
    }
    layer.words = dropRepeated(layer.words);
    return layer;
  });
