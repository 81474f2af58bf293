import { makeBlankTrueType } from '../blank-true-type.js';
import type { Pdfium } from './pdfium-exports.js';
import { toWasmFunction } from './wasm-function.js';

/** FXFONT_SHIFTJIS_CHARSET, FXFONT_HANGEUL_CHARSET, FXFONT_GB2312_CHARSET, FXFONT_CHINESEBIG5_CHARSET. */
const EAST_ASIAN_CHARSETS = new Set([128, 129, 134, 136]);
const BLANK_FONT = 'Blank';
/** Metrics of the square of East Asian characters. */
const IDEOGRAPHS = {
  ...{ unitsPerEm: 1000, width: 1000, ascent: 880, descent: 120 },
  ...{ family: BLANK_FONT, coversUnicode: true },
};
const HANDLE = 1;
const WHOLE_FILE = 0;

/** Members of an FPDF_SYSFONTINFO: a version and eight functions, any of which may be missing. */
const MEMBERS = 9;
const MAP_FONT = 3;
const GET_FONT_DATA = 5;

/**
 * Lets a font without ink stand for Chinese, Japanese and Korean fonts that a file does not contain. PDFium has none
 * in their place, and text without a font takes up no room on the page: PDFium leaves it out of the page's text.
 * Source: PDFium's fpdf_sysfontinfo.h.
 */
export function installStandInFonts(pdfium: Pdfium): void {
  const font = makeBlankTrueType(IDEOGRAPHS);
  const mapFont = (_self: number, _weight: number, _italic: number, charset: number): number =>
    EAST_ASIAN_CHARSETS.has(charset) ? HANDLE : 0;
  const getFontData = (_self: number, _handle: number, table: number, buffer: number, size: number): number => {
    if (table !== WHOLE_FILE) return 0;
    if (buffer !== 0 && size >= font.length) pdfium.HEAPU8.set(font, buffer);
    return font.length;
  };
  // The table of functions does not grow: these take the places of the functions that look for fonts in the file system, where none are.
  const info = pdfium._FPDF_GetDefaultSystemFontInfo() >> 2;
  const members = pdfium.HEAP32.subarray(info, info + MEMBERS);
  const [mapSlot = 0, dataSlot = 0] = [members[MAP_FONT], members[GET_FONT_DATA]];
  const table = pdfium.wasmExports.__indirect_function_table;
  table.set(mapSlot, toWasmFunction(mapFont, 7));
  table.set(dataSlot, toWasmFunction(getFontData, 5));
  members.fill(0, 1);
  members[MAP_FONT] = mapSlot;
  members[GET_FONT_DATA] = dataSlot;
  pdfium._FPDF_SetSystemFontInfo(info << 2);
}

/** True when the font, by its handle, is not in the file and its letters are invisible. */
export function isStandIn(pdfium: Pdfium, font: number): boolean {
  const size = BLANK_FONT.length + 1;
  const buffer = pdfium._malloc(size);
  const length = pdfium._FPDFFont_GetFamilyName(font, buffer, size);
  const name = Buffer.from(pdfium.HEAPU8.subarray(buffer, buffer + BLANK_FONT.length)).toString('latin1');
  pdfium._free(buffer);
  return length === size && name === BLANK_FONT;
}
