import { decodeName } from '../../../pdf-files/objects/decode-value.js';
import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';
import { isStandIn } from '../../../pdf-files/pdfium/stand-in.js';

/** How a run of glyphs is set. */
export interface RunStyle {
  fontSize: number;
  bold: boolean;
  italic: boolean;
  /** As in RawWord. */
  angle: number;
  /** Which of the page's typefaces it is, whatever subsets of it there are: for those whose names tell no weight. */
  face?: number;
  pictorial?: boolean;
  monospaced?: boolean;
  /** The font has a unit of its own, by which its boxes tell nothing: a glyph reaches from its base line as far as its size says. */
  ownUnit?: boolean;
  /** Name of its font, where that is not in the file and nothing is drawn in its place. */
  absentFont?: string;
}

/** Also as TeX's fonts are named: CMBX10, NimbusRomNo9L-Medi, CMTI10. */
const BOLD_NAME = /bold|black|heavy|demi|-medi(?![a-z])|-medi(?=ital)|cmbx|cmssbx|sfbx/i;
/** As foundries and printers shorten it: HelveticaNeueLTStd-BdCn, LinLibertineTB, AdvOT8b40f9c2.B. */
const BOLD_PART = /(?:Bd|Blk|Hv)(?![a-z])|TB$|\.BI?(?![a-z])/;
/**
 * Names that tell no weight: made up (TT14Bt00, but not TeX's CMR10), or between plain and bold. Only there is the
 * weight asked that is guessed from the thickness of stems: it takes many plain fonts for bold.
 */
const OPEN_NAME = /^(?:[A-Z]{6}\+)?(?!cm|sf|eu|[^+]*[a-z]{4})|medium|-md(?![a-z])/i;
const ITALIC_NAME = /ital|oblique|cmti|slanted|\.b?i(?![a-z])/i;
const PICTORIAL_NAME = /dingbat|wingding|webding/i;
const MONOSPACED_NAME =
  /courier|mono(?!t)|consol|menlo|cmtt|sftt|typewriter|inconsolata|(?:source|fira|cascadia)-?code/i;
/** What names the subset of a font: ABCDEF+Font, Font+20. */
const SUBSET = /^[A-Z]{6}\+|\+\d+$/g;
const BOLD_FLAG = 1 << 18;
const ITALIC_FLAG = 1 << 6;
const FIXED_PITCH_FLAG = 1;

type FontStyle = Pick<RunStyle, 'bold' | 'italic' | 'face' | 'pictorial' | 'monospaced' | 'absentFont'>;
const PLAIN: FontStyle = { bold: false, italic: false };

/** In ems: no letter is wider than that, and no box as high as its font is lower. */
const MOST_EXTENT = 3;
const LEAST_EXTENT = 0.3;
/** In ems: how high capitals and most tall letters are. */
const CAPITAL_HEIGHT = 0.7;
const MOST_MEASURED = 500;
/** In ems: how far the origin of a glyph in vertical writing is beside that of the one above it, and below it. */
const MOST_ASIDE = 0.6;
const LEAST_STEP = 0.4;
const FIRST_EAST_ASIAN = 0x2e80;

/** Size, weight and turn belong to a run of text, not to a glyph: read once per run. */
export function createStyleReader(
  pdfium: Pdfium,
  text: number,
  scratch: number,
  frame: PageFrame,
): (index: number) => RunStyle {
  const byObject = new Map<number, RunStyle>();
  const fontStyles = new Map<number, FontStyle>();
  const faces = new Map<string, number>();
  const readFont = (font: number) => {
    const known = fontStyles.get(font);
    if (known !== undefined) return known;
    const flags = pdfium._FPDFFont_GetFlags(font);
    const name = readFontName(pdfium, font);
    const weight = pdfium._FPDFFont_GetWeight(font);
    const style: FontStyle = {
      bold:
        BOLD_NAME.test(name) ||
        BOLD_PART.test(name) ||
        (flags & BOLD_FLAG) !== 0 ||
        (OPEN_NAME.test(name) && weight >= 600 && weight <= 950),
      italic: ITALIC_NAME.test(name) || (flags !== -1 && (flags & ITALIC_FLAG) !== 0),
    };
    if (name !== '') style.face = numberOf(faces, name.replace(SUBSET, ''));
    if (PICTORIAL_NAME.test(name)) style.pictorial = true;
    if (MONOSPACED_NAME.test(name) || (flags !== -1 && (flags & FIXED_PITCH_FLAG) !== 0)) style.monospaced = true;
    if (isStandIn(pdfium, font)) style.absentFont = name;
    fontStyles.set(font, style);
    return style;
  };
  const units = new Map<number, number>();
  /** How large its em is where a font says that it is 1: those that are drawn dot by dot may count in dots, or in parts of them. */
  const readUnit = (index: number, font: number, size: number): number => {
    const known = units.get(font);
    if (known !== undefined) return known;
    const extent = extentOf(index) / size;
    const isOwn = extent > MOST_EXTENT || (extent > 0 && extent < LEAST_EXTENT);
    const unit = isOwn ? measureEm(index, font) / size || 1 : 1;
    units.set(font, unit);
    return unit;
  };
  const extentOf = (index: number): number => {
    pdfium._FPDFText_GetLooseCharBox(text, index, scratch + 32);
    const at = (scratch + 32) >> 2;
    const [left = 0, top = 0, right = 0, bottom = 0] = pdfium.HEAPF32.subarray(at, at + 4);
    return Math.max(right - left, top - bottom);
  };
  /** By the highest glyph of the next ones in the font; boxes of theirs are right that origins lie in. */
  const measureEm = (index: number, font: number): number => {
    const [left, right, bottom, top] = [scratch, scratch + 8, scratch + 16, scratch + 24];
    let height = 0;
    const end = Math.min(index + MOST_MEASURED, pdfium._FPDFText_CountChars(text));
    for (let at = index; at < end; at++) {
      const object = pdfium._FPDFText_GetTextObject(text, at);
      if (object === 0 || pdfium._FPDFTextObj_GetFont(object) !== font) continue;
      pdfium._FPDFText_GetCharBox(text, at, left, right, bottom, top);
      const boxTop = pdfium.HEAPF64[top >> 3] ?? 0;
      pdfium._FPDFText_GetCharOrigin(text, at, left, bottom);
      height = Math.max(height, boxTop - (pdfium.HEAPF64[bottom >> 3] ?? 0));
    }
    return height / CAPITAL_HEIGHT;
  };
  const originOf = (index: number): [number, number] => {
    pdfium._FPDFText_GetCharOrigin(text, index, scratch + 32, scratch + 40);
    const at = (scratch + 32) >> 3;
    return [pdfium.HEAPF64[at] ?? 0, pdfium.HEAPF64[at + 1] ?? 0];
  };
  /** Is it set in vertical writing? There the next glyph of a text object stands below. */
  const goesDown = (index: number, object: number, size: number): boolean => {
    if (pdfium._FPDFText_GetUnicode(text, index) < FIRST_EAST_ASIAN) return false;
    if (pdfium._FPDFText_GetTextObject(text, index + 1) !== object) return false;
    const [x, y] = originOf(index);
    const [nextX, nextY] = originOf(index + 1);
    return Math.abs(x - nextX) < size * MOST_ASIDE && y - nextY > size * LEAST_STEP;
  };
  let lastObject = -1;
  let lastStyle: RunStyle = { fontSize: 0, bold: false, italic: false, angle: 0 };
  return (index) => {
    const object = pdfium._FPDFText_GetTextObject(text, index);
    if (object === lastObject) return lastStyle;
    lastObject = object;
    const known = byObject.get(object);
    if (known !== undefined) {
      lastStyle = known;
      return known;
    }
    pdfium._FPDFText_GetMatrix(text, index, scratch + 32);
    const at = (scratch + 32) >> 2;
    const [a = 1, b = 0, c = 0, d = 1] = pdfium.HEAPF32.subarray(at, at + 4);
    const font = object === 0 ? 0 : pdfium._FPDFTextObj_GetFont(object);
    const fontStyle = font === 0 ? PLAIN : readFont(font);
    const size = Math.abs(pdfium._FPDFText_GetFontSize(text, index)) * (Math.hypot(c, d) || 1);
    const turn = turnOf(-Math.atan2(b, a) * (180 / Math.PI) + frame.rotation);
    // Lines that go down and follow each other to the left are those of a page turned clockwise.
    const isUpright = a > 0 && Math.abs(b) < a * 0.01;
    const angle = isUpright && object !== 0 && goesDown(index, object, size) ? (turn + 90) % 360 : turn;
    // Fonts that the page's own operators draw have no name.
    const unit = font === 0 || fontStyle.face !== undefined || angle !== 0 ? 1 : readUnit(index, font, size);
    lastStyle = { fontSize: size * unit, ...fontStyle, angle };
    if (unit !== 1) lastStyle.ownUnit = true;
    byObject.set(object, lastStyle);
    return lastStyle;
  };
}

/** From 1. */
function numberOf(faces: Map<string, number>, name: string): number {
  const number = faces.get(name) ?? faces.size + 1;
  faces.set(name, number);
  return number;
}

/** Empty where it has none. In UTF-8 by the standard, and in Latin-1 where that fails, as other names are. */
export function readFontName(pdfium: Pdfium, font: number): string {
  const size = 128;
  const buffer = pdfium._malloc(size);
  const length = pdfium._FPDFFont_GetBaseFontName(font, buffer, size);
  const bytes = length > 0 && length <= size ? Buffer.from(pdfium.HEAPU8.subarray(buffer, buffer + length - 1)) : '';
  pdfium._free(buffer);
  return decodeName(bytes.toString('latin1'));
}

/** Degrees: what leans by less stands upright, as the text layers of scans that lie aslant do. */
const MOST_LEAN = 10;

/** In whole degrees from 0 to 359: a quarter turn for what stands nearly so. */
function turnOf(degrees: number): number {
  const quarter = Math.round(degrees / 90) * 90;
  const turn = Math.abs(degrees - quarter) <= MOST_LEAN ? quarter : Math.round(degrees);
  return ((turn % 360) + 360) % 360;
}
