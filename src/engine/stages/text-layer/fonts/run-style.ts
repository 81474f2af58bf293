import { decodeName } from '../../../pdf-files/objects/decode-value.js';
import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';
import { isStandIn } from '../../../pdf-files/pdfium/stand-in.js';

/** The style of a run of glyphs. */
export interface RunStyle {
  fontSize: number;
  bold: boolean;
  italic: boolean;
  /** Clockwise turn, as in RawWord. */
  angle: number;
  /** Number of the typeface on the page, whatever subsets of it there are: for typefaces whose names tell no weight. */
  face?: number;
  pictorial?: boolean;
  monospaced?: boolean;
  /**
   * True when the font has a unit of its own, so that its boxes say nothing: a glyph reaches from its base line as far
   * as its size says.
   */
  ownUnit?: boolean;
  /** Name of its font, where that is not in the file and nothing is drawn in its place. */
  absentFont?: string;
}

/** Names of bold fonts, also of TeX's: CMBX10, NimbusRomNo9L-Medi, CMTI10. */
const BOLD_NAME = /bold|black|heavy|demi|-medi(?![a-z])|-medi(?=ital)|cmbx|cmssbx|sfbx/i;
/** Short forms of foundries and printers: HelveticaNeueLTStd-BdCn, LinLibertineTB, AdvOT8b40f9c2.B. */
const BOLD_PART = /(?:Bd|Blk|Hv)(?![a-z])|TB$|\.BI?(?![a-z])/;
/**
 * Names that tell no weight: made up (TT14Bt00, but not TeX's CMR10), or between plain and bold. Only for these the
 * weight counts that is guessed from the thickness of stems: it takes many plain fonts for bold.
 */
const OPEN_NAME = /^(?:[A-Z]{6}\+)?(?!cm|sf|eu|[^+]*[a-z]{4})|medium|-md(?![a-z])/i;
const ITALIC_NAME = /ital|oblique|cmti|slanted|\.b?i(?![a-z])/i;
const PICTORIAL_NAME = /dingbat|wingding|webding/i;
const MONOSPACED_NAME =
  /courier|mono(?!t)|consol|menlo|cmtt|sftt|typewriter|inconsolata|(?:source|fira|cascadia)-?code/i;
/** The mark of a font's subset: ABCDEF+Font, Font+20. */
const SUBSET = /^[A-Z]{6}\+|\+\d+$/g;
const BOLD_FLAG = 1 << 18;
const ITALIC_FLAG = 1 << 6;
const FIXED_PITCH_FLAG = 1;

type FontStyle = Pick<RunStyle, 'bold' | 'italic' | 'face' | 'pictorial' | 'monospaced' | 'absentFont'>;
const PLAIN: FontStyle = { bold: false, italic: false };

/** No letter is wider than this, and no box as high as its font is lower, in ems. */
const MAX_EXTENT_EM = 3;
const MIN_EXTENT_EM = 0.3;
/** Height of capitals and most tall letters, in ems. */
const CAPITAL_HEIGHT_EM = 0.7;
const MAX_MEASURED_GLYPHS = 500;
/** Offset of a glyph's origin in vertical writing to the one above it, beside and below, in ems. */
const MAX_ASIDE_EM = 0.6;
const MIN_STEP_EM = 0.4;
const FIRST_EAST_ASIAN = 0x2e80;

/** Creates a reader of styles. Size, weight and turn belong to a run of text, not to a glyph: they are read once a run. */
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
  /** The size of the em of a font that says it is 1: fonts that are drawn dot by dot may count in dots, or in parts of them. */
  const readUnit = (index: number, font: number, size: number): number => {
    const known = units.get(font);
    if (known !== undefined) return known;
    const extent = extentOf(index) / size;
    const isOwn = extent > MAX_EXTENT_EM || (extent > 0 && extent < MIN_EXTENT_EM);
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
  /** Measures the em by the highest of the next glyphs in the font; a box is right when it contains its origin. */
  const measureEm = (index: number, font: number): number => {
    const [left, right, bottom, top] = [scratch, scratch + 8, scratch + 16, scratch + 24];
    let height = 0;
    const end = Math.min(index + MAX_MEASURED_GLYPHS, pdfium._FPDFText_CountChars(text));
    for (let at = index; at < end; at++) {
      const object = pdfium._FPDFText_GetTextObject(text, at);
      if (object === 0 || pdfium._FPDFTextObj_GetFont(object) !== font) continue;
      pdfium._FPDFText_GetCharBox(text, at, left, right, bottom, top);
      const boxTop = pdfium.HEAPF64[top >> 3] ?? 0;
      pdfium._FPDFText_GetCharOrigin(text, at, left, bottom);
      height = Math.max(height, boxTop - (pdfium.HEAPF64[bottom >> 3] ?? 0));
    }
    return height / CAPITAL_HEIGHT_EM;
  };
  const originOf = (index: number): [number, number] => {
    pdfium._FPDFText_GetCharOrigin(text, index, scratch + 32, scratch + 40);
    const at = (scratch + 32) >> 3;
    return [pdfium.HEAPF64[at] ?? 0, pdfium.HEAPF64[at + 1] ?? 0];
  };
  /** True for vertical writing: the next glyph of the text object stands below. */
  const goesDown = (index: number, object: number, size: number): boolean => {
    if (pdfium._FPDFText_GetUnicode(text, index) < FIRST_EAST_ASIAN) return false;
    if (pdfium._FPDFText_GetTextObject(text, index + 1) !== object) return false;
    const [x, y] = originOf(index);
    const [nextX, nextY] = originOf(index + 1);
    return Math.abs(x - nextX) < size * MAX_ASIDE_EM && y - nextY > size * MIN_STEP_EM;
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

/** The number of a typeface, from 1. */
function numberOf(faces: Map<string, number>, name: string): number {
  const number = faces.get(name) ?? faces.size + 1;
  faces.set(name, number);
  return number;
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

/** Text that leans by less, in degrees, counts as upright, like the text layers of skewed scans. */
const MAX_LEAN_DEGREES = 10;

/** Whole degrees from 0 to 359; a quarter turn for text that nearly has one. */
function turnOf(degrees: number): number {
  const quarter = Math.round(degrees / 90) * 90;
  const turn = Math.abs(degrees - quarter) <= MAX_LEAN_DEGREES ? quarter : Math.round(degrees);
  return ((turn % 360) + 360) % 360;
}
