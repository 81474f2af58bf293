import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';

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

/** Measures glyphs of a page's text where the font does not say how they are drawn. */
export class GlyphMeasures {
  private readonly units = new Map<number, number>();

  /** `scratch` is the address of 64 bytes; `rotation` is the clockwise turn that the page is shown with, in degrees. */
  constructor(
    private readonly pdfium: Pdfium,
    private readonly text: number,
    private readonly scratch: number,
    private readonly rotation: number,
  ) {}

  /** The size of the em of a font that says it is 1: fonts that are drawn dot by dot may count in dots, or in parts of them. */
  unitOf(index: number, font: number, size: number): number {
    const known = this.units.get(font);
    if (known !== undefined) return known;
    const extent = this.extentOf(index) / size;
    const isOwn = extent > MAX_EXTENT_EM || (extent > 0 && extent < MIN_EXTENT_EM);
    const unit = isOwn ? this.measureEm(index, font) / size || 1 : 1;
    this.units.set(font, unit);
    return unit;
  }

  /** True for vertical writing: the next glyph of the text object stands below. */
  isVertical(index: number, object: number, size: number): boolean {
    if (this.pdfium._FPDFText_GetUnicode(this.text, index) < FIRST_EAST_ASIAN) return false;
    if (this.pdfium._FPDFText_GetTextObject(this.text, index + 1) !== object) return false;
    const [x, y] = this.originOf(index);
    const [nextX, nextY] = this.originOf(index + 1);
    return Math.abs(x - nextX) < size * MAX_ASIDE_EM && y - nextY > size * MIN_STEP_EM;
  }

  private extentOf(index: number): number {
    this.pdfium._FPDFText_GetLooseCharBox(this.text, index, this.scratch + 32);
    const at = (this.scratch + 32) >> 2;
    const [left = 0, top = 0, right = 0, bottom = 0] = this.pdfium.HEAPF32.subarray(at, at + 4);
    return Math.max(right - left, top - bottom);
  }

  /** Measures the em by the highest of the next glyphs in the font; a box is right when it contains its origin. */
  private measureEm(index: number, font: number): number {
    const { pdfium, text, scratch } = this;
    const [left, right, bottom, top] = [scratch, scratch + 8, scratch + 16, scratch + 24];
    const turn = (this.rotation * Math.PI) / 180;
    const [upX, upY] = [Math.round(-Math.sin(turn)), Math.round(Math.cos(turn))];
    let height = 0;
    const end = Math.min(index + MAX_MEASURED_GLYPHS, pdfium._FPDFText_CountChars(text));
    for (let at = index; at < end; at++) {
      const object = pdfium._FPDFText_GetTextObject(text, at);
      if (object === 0 || pdfium._FPDFTextObj_GetFont(object) !== font) continue;
      pdfium._FPDFText_GetCharBox(text, at, left, right, bottom, top);
      const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = pdfium.HEAPF64.subarray(left >> 3, (left >> 3) + 4);
      const [x, y] = this.originOf(at);
      height = Math.max(height, (upX > 0 ? x1 - x : x0 - x) * upX + (upY > 0 ? y1 - y : y0 - y) * upY);
    }
    return height / CAPITAL_HEIGHT_EM;
  }

  private originOf(index: number): [number, number] {
    this.pdfium._FPDFText_GetCharOrigin(this.text, index, this.scratch + 32, this.scratch + 40);
    const at = (this.scratch + 32) >> 3;
    return [this.pdfium.HEAPF64[at] ?? 0, this.pdfium.HEAPF64[at + 1] ?? 0];
  }
}
