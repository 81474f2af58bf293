import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';
import { isArtifact } from './artifacts.js';
import { type FontStyle, FontStyles } from './font-style.js';
import { GlyphMeasures } from './glyph-measures.js';

/** The style of a run of glyphs. */
export interface RunStyle extends FontStyle {
  fontSize: number;
  /** Clockwise turn, as in RawWord. */
  angle: number;
  /**
   * True when the font has a unit of its own, so that its boxes say nothing: a glyph reaches from its base line as far
   * as its size says.
   */
  ownUnit?: boolean;
  /** True where the PDF marks the run as no content of the page. */
  artifact?: boolean;
}

const PLAIN: FontStyle = { bold: false, italic: false };
/** Text that leans by less, in degrees, counts as upright, like the text layers of skewed scans. */
const MAX_LEAN_DEGREES = 10;
/** Rise of a base line for each unit of its length, below which its text counts as upright for vertical writing. */
const MAX_LEVEL_SLOPE = 0.01;

/** Reads styles of glyphs. Size, weight and turn belong to a run of text, not to a glyph: they are read once a run. */
export class StyleReader {
  private readonly fonts: FontStyles;
  private readonly measures: GlyphMeasures;
  private readonly byObject = new Map<number, RunStyle>();
  private lastObject = -1;
  private lastStyle: RunStyle = { fontSize: 0, angle: 0, ...PLAIN };

  constructor(
    private readonly pdfium: Pdfium,
    private readonly text: number,
    private readonly scratch: number,
    private readonly frame: PageFrame,
  ) {
    this.fonts = new FontStyles(pdfium);
    this.measures = new GlyphMeasures(pdfium, text, scratch, frame.rotation);
  }

  styleAt(index: number): RunStyle {
    const object = this.pdfium._FPDFText_GetTextObject(this.text, index);
    if (object === this.lastObject) return this.lastStyle;
    this.lastObject = object;
    let style = this.byObject.get(object);
    if (style === undefined) {
      style = this.readStyle(index, object);
      this.byObject.set(object, style);
    }
    this.lastStyle = style;
    return style;
  }

  private readStyle(index: number, object: number): RunStyle {
    const { size, turn, isUpright } = this.readMatrix(index);
    const font = object === 0 ? 0 : this.pdfium._FPDFTextObj_GetFont(object);
    const fontStyle = font === 0 ? PLAIN : this.fonts.read(font);
    // Lines that go down and follow each other to the left are those of a page turned clockwise.
    const isVertical = isUpright && object !== 0 && this.measures.isVertical(index, object, size);
    const angle = isVertical ? (turn + 90) % 360 : turn;
    // Fonts that the page's own operators draw have no name.
    const isDrawn = font !== 0 && fontStyle.face === undefined;
    const unit = isDrawn && angle === 0 ? this.measures.unitOf(index, font, size) : 1;
    const style: RunStyle = { fontSize: size * unit, ...fontStyle, angle };
    if (unit !== 1) style.ownUnit = true;
    if (object !== 0 && isArtifact(this.pdfium, object, this.scratch)) style.artifact = true;
    return style;
  }

  /** Reads the size and the turn of a glyph from the matrix of its text. */
  private readMatrix(index: number): { size: number; turn: number; isUpright: boolean } {
    this.pdfium._FPDFText_GetMatrix(this.text, index, this.scratch + 32);
    const at = (this.scratch + 32) >> 2;
    const [a = 1, b = 0, c = 0, d = 1] = this.pdfium.HEAPF32.subarray(at, at + 4);
    const size = this.pdfium._FPDFText_GetFontSize(this.text, index);
    // A negative size turns the glyphs upside down.
    const [x, y] = size < 0 ? [-a, -b] : [a, b];
    return {
      size: Math.abs(size) * (Math.hypot(c, d) || 1),
      turn: roundTurn(-Math.atan2(y, x) * (180 / Math.PI) + this.frame.rotation),
      isUpright: x > 0 && Math.abs(y) < x * MAX_LEVEL_SLOPE,
    };
  }
}

/** Whole degrees from 0 to 359; a quarter turn for text that nearly has one. */
function roundTurn(degrees: number): number {
  const quarter = Math.round(degrees / 90) * 90;
  const turn = Math.abs(degrees - quarter) <= MAX_LEAN_DEGREES ? quarter : Math.round(degrees);
  return ((turn % 360) + 360) % 360;
}
