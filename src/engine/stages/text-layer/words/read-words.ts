import { countCharacters } from '../../../model/fragment.js';
import { divide } from '../../../model/groups.js';
import { createTurn, isOblique, turnPointBack } from '../../../model/page-transform.js';
import { type PageFrame, readPageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';
import { characterOf } from '../fonts/characters.js';
import { createOrderedGlyphReader } from '../fonts/glyph-order.js';
import type { NamedGlyphReader } from '../fonts/named-glyphs.js';
import { type AccentedLetters, findAccented } from './accents-apart.js';
import { createClusterReader } from './clusters.js';
import { collectWords } from './collect-words.js';
import { dropRepeated } from './drop-repeated.js';
import { createDroppedLetterReader } from './dropped-letters.js';
import { joinSpacedLetters } from './join-spaced-letters.js';
import { withPageText } from './page-text.js';
import type { RawWord, TextLayer } from './raw-word.js';
import { CodeReader } from './read-letters.js';

const NONE: AccentedLetters = new Map();

/**
 * Reads the words of a page's text layer by PDFium: characters in its order, words ended by its spaces or by a gap. Text
 * that runs up, down or upside down is read on the page turned so that it stands upright: PDFium puts letters that are
 * drawn one by one into the order of upright lines.
 */
export function readWords(pdfium: Pdfium, page: number, frame: PageFrame, byName: NamedGlyphReader): TextLayer {
  const layer = readAsDisplayed(pdfium, page, frame, byName);
  const angles = new Set(layer.words.map(({ angle }) => angle));
  for (const angle of angles) {
    if (angle === 0 || isOblique(angle)) continue;
    const turned = withPageTurned(pdfium, page, frame, angle, (upright) =>
      readAsDisplayed(pdfium, page, upright, byName)
        .words.filter((word) => word.angle === 0)
        .map((word) => turnWord(word, angle, frame, upright)),
    );
    const [words, others] = divide(layer.words, (word) => word.angle === angle);
    // Upright letters below each other, as in vertical writing, are no text of this angle on the turned page.
    if (countCharacters({ words: turned }) >= countCharacters({ words }) * MIN_FOUND_SHARE)
      layer.words = [...others, ...turned];
  }
  return layer;
}

/** Share of the letters of an angle that are found on the turned page. */
const MIN_FOUND_SHARE = 0.9;

/** Gives `work` the page turned back, so that text at this angle stands upright. */
function withPageTurned<T>(
  pdfium: Pdfium,
  page: number,
  { rotation }: PageFrame,
  angle: number,
  work: (frame: PageFrame) => T,
): T {
  pdfium._FPDFPage_SetRotation(page, ((rotation - angle + 360) % 360) / 90);
  try {
    return work(readPageFrame(pdfium, page));
  } finally {
    pdfium._FPDFPage_SetRotation(page, rotation / 90);
  }
}

/** Turns a word of the upright page to where it stands on the displayed one. */
function turnWord(word: RawWord, angle: number, displayed: PageFrame, upright: PageFrame): RawWord {
  const [originX, originY] = turnPointBack(word.originX, word.originY, (360 - angle) % 360, upright);
  return { ...word, ...createTurn(angle, displayed).toPage(word), originX, originY, angle };
}

const readAsDisplayed = (pdfium: Pdfium, page: number, frame: PageFrame, byName: NamedGlyphReader): TextLayer =>
  withPageText(pdfium, page, frame, (text, handle) => {
    const sources = { byName, byOrder: createOrderedGlyphReader(pdfium, handle) };
    const collect = (accented: AccentedLetters) =>
      collectWords(
        text,
        frame,
        { ...sources, accented },
        createClusterReader(pdfium, page, frame),
        createDroppedLetterReader(pdfium, page, frame, text),
      );
    let { layer, apart } = collect(NONE);
    if (apart.length > 0) {
      const codes = new CodeReader(text, sources);
      const accented = findAccented(text, (index) => characterOf(codes.codeAt(index)), apart);
      if (accented.size > 0) layer = collect(accented).layer;
    }
    layer.words = joinSpacedLetters(dropRepeated(layer.words));
    return layer;
  });
