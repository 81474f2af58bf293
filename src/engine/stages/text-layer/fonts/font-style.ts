import { decodeName } from '../../../pdf-files/objects/decode-value.js';
import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';
import { isStandIn } from '../../../pdf-files/pdfium/stand-in.js';
import { readTypeStyle } from './true-type-style.js';

/** The part of a run's style that its font decides. */
export interface FontStyle {
  bold: boolean;
  italic: boolean;
  /** Number of the typeface on the page, whatever subsets of it there are: for typefaces whose names tell no weight. */
  face?: number;
  pictorial?: boolean;
  /** True for the font Symbol, whose signs have codes of their own. */
  symbolic?: boolean;
  monospaced?: boolean;
  /** Name of its font, where that is not in the file and nothing is drawn in its place. */
  absentFont?: string;
}

/** Names of bold fonts, also of TeX's: CMBX10, NimbusRomNo9L-Medi, CMTI10. */
const BOLD_NAME = /bold|black|heavy|demi|-medi(?![a-z])|-medi(?=ital)|cmbx|cmssbx|sfbx/i;
/** Short forms of foundries and printers (HelveticaNeueLTStd-BdCn, LinLibertineTB, AdvOT8b40f9c2.B, AdvOpti-B), and other languages. */
const BOLD_PART =
  /(?:Bd|Blk|Hv)(?![a-z])|TB$|\.BI?(?![a-z])|-BI?(?![A-Za-z])|[-_, ](?:Fett|Gras|Grassetto|Negrit[ao]|Vet)(?![a-z])/;
/**
 * Names that tell no weight: made up (TT14Bt00, but not TeX's CMR10), or between plain and bold. Only for these the
 * weight counts that is guessed from the thickness of stems: it takes many plain fonts for bold.
 */
const OPEN_NAME = /^(?:[A-Z]{6}\+)?(?!cm|sf|eu|[^+]*[a-z]{4})|medium|-md(?![a-z])/i;
/** Names that tell no style: browsers give those of families to fonts of all weights, Windows numbers all fonts of a page. */
const PLAIN_NAME = /^[A-Z][a-z]+(?: [A-Z][a-z]+)*$|^CIDFont\+F\d+$/;
const ITALIC_NAME = /ital|oblique|cmti|slanted|kursiv|cursi(?:va|ef)|corsivo|\.b?i(?![a-z])/i;
const PICTORIAL_NAME = /dingbat|wingding|webding|bullet|ornament/i;
const SYMBOLIC_NAME = /^(?:[A-Z]{6}\+)?symbol(?:mt|ps)?(?![a-z])/i;
const MONOSPACED_NAME =
  /courier|mono(?!t)|consol|menlo|cmtt|sftt|typewriter|inconsolata|(?:source|fira|cascadia)-?code/i;
/** The mark of a font's subset: ABCDEF+Font, Font+20. */
const SUBSET = /^[A-Z]{6}\+|\+\d+$/g;
const BOLD_FLAG = 1 << 18;
const ITALIC_FLAG = 1 << 6;
const FIXED_PITCH_FLAG = 1;
/** Upper bound of the fonts that are copied: larger ones have ideographs, and a page may have many. */
const MAX_FONT_BYTES = 4 << 20;
/** PDFium's answer where a font has no flags. */
const NO_FLAGS = -1;

/** Reads the styles of a page's fonts, each font once. */
export class FontStyles {
  readonly #pdfium: Pdfium;
  readonly #styles = new Map<number, FontStyle>();
  /** Numbers of typefaces by their names, from 1. */
  readonly #faces = new Map<string, number>();

  constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium;
  }

  read(font: number): FontStyle {
    const known = this.#styles.get(font);
    if (known !== undefined) return known;
    const name = readFontName(this.#pdfium, font);
    const flags = this.#pdfium._FPDFFont_GetFlags(font);
    const style = judgeStyle(name, flags, this.#pdfium._FPDFFont_GetWeight(font));
    const face = name.replace(SUBSET, '');
    if (name !== '') style.face = this.#faceOf(face);
    if (!style.bold && PLAIN_NAME.test(face)) {
      const own = readTypeStyle(readFontData(this.#pdfium, font));
      style.bold = own.bold;
      style.italic ||= own.italic;
    }
    if (isStandIn(this.#pdfium, font)) style.absentFont = name;
    this.#styles.set(font, style);
    return style;
  }

  #faceOf(name: string): number {
    const number = this.#faces.get(name) ?? this.#faces.size + 1;
    this.#faces.set(name, number);
    return number;
  }
}

/** Judges a font by its name, its flags and the weight that PDFium finds or guesses. */
function judgeStyle(name: string, flags: number, weight: number): FontStyle {
  const style: FontStyle = {
    bold:
      BOLD_NAME.test(name) ||
      BOLD_PART.test(name) ||
      (flags & BOLD_FLAG) !== 0 ||
      (OPEN_NAME.test(name) && weight >= 600 && weight <= 950),
    italic: ITALIC_NAME.test(name) || (flags !== NO_FLAGS && (flags & ITALIC_FLAG) !== 0),
  };
  if (PICTORIAL_NAME.test(name)) style.pictorial = true;
  if (SYMBOLIC_NAME.test(name)) style.symbolic = true;
  if (MONOSPACED_NAME.test(name) || (flags !== NO_FLAGS && (flags & FIXED_PITCH_FLAG) !== 0)) style.monospaced = true;
  return style;
}

/** The program of a font that is in the file; empty for others. */
function readFontData(pdfium: Pdfium, font: number): Uint8Array {
  if (pdfium._FPDFFont_GetIsEmbedded(font) === 0) return new Uint8Array();
  const needed = pdfium._malloc(8);
  pdfium._FPDFFont_GetFontData(font, 0, 0, needed);
  const size = pdfium.HEAP32[needed >> 2] ?? 0;
  const buffer = size > 0 && size < MAX_FONT_BYTES ? pdfium._malloc(size) : 0;
  const isRead = buffer !== 0 && pdfium._FPDFFont_GetFontData(font, buffer, size, needed) !== 0;
  const data = isRead ? pdfium.HEAPU8.slice(buffer, buffer + size) : new Uint8Array();
  if (buffer !== 0) pdfium._free(buffer);
  pdfium._free(needed);
  return data;
}

/** The name of a font, empty where it has none. UTF-8 by the standard, and Latin-1 where that fails, like other names. */
export function readFontName(pdfium: Pdfium, font: number): string {
  const size = 128;
  const buffer = pdfium._malloc(size);
  const length = pdfium._FPDFFont_GetBaseFontName(font, buffer, size);
  const bytes = length > 0 && length <= size ? Buffer.from(pdfium.HEAPU8.subarray(buffer, buffer + length - 1)) : '';
  pdfium._free(buffer);
  return decodeName(bytes.toString('latin1'));
}
