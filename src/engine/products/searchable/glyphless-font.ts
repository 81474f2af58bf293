import { makeBlankTrueType } from '../../pdf-files/blank-true-type.js';
import { makeDict, type PdfRef } from '../../pdf-files/objects/values.js';
import type { ObjectWriter } from '../../pdf-files/objects/write-pdf.js';

/** Width of every glyph, and reach of the line above and below its base line, as shares of the type size. */
export const GLYPH_WIDTH = 0.5;
const ASCENT = 0.78;
export const DESCENT = 0.22;

/** Characters that a text uses, each under a code of its own. */
export interface GlyphCodes {
  /** Encodes a text's characters as their codes, two bytes each, in hexadecimal digits. */
  encode(characters: readonly string[]): string;
  /** The character of each code; code 0 stands for none. */
  readonly characters: readonly string[];
}

/** Codes of a font with two bytes a code. */
const MAX_CODES = 65_535;
const REPLACEMENT = '\ufffd';

export function createGlyphCodes(): GlyphCodes {
  const characters = ['', REPLACEMENT];
  const codes = new Map([[REPLACEMENT, 1]]);
  const codeOf = (character: string): number => {
    const known = codes.get(character);
    if (known !== undefined) return known;
    if (characters.length >= MAX_CODES) return 1;
    codes.set(character, characters.length);
    return characters.push(character) - 1;
  };
  return { encode: (text) => text.map((character) => toHex(codeOf(character))).join(''), characters };
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Splits text into characters as readers see them: a letter with its marks is one glyph, and one character where
 * Unicode has one for both.
 */
export function toGraphemes(text: string): string[] {
  if (/^[\x00-\x7f]*$/.test(text)) return [...text];
  return [...segmenter.segment(text.normalize('NFC'))].map(({ segment }) => segment);
}

/** Adds a font that draws nothing and whose codes map to the characters. */
export function addGlyphlessFont(writer: ObjectWriter, { characters }: GlyphCodes, ref: PdfRef): void {
  const file = makeBlankTrueType({ unitsPerEm: 1000, width: GLYPH_WIDTH * 1000, ascent: 780, descent: 220 });
  const descriptor = writer.add(
    makeDict({
      Type: '/FontDescriptor',
      FontName: '/OcrTextLayer',
      // Symbolic: the codes are the font's own.
      Flags: 5,
      FontBBox: ['0', '-220', '500', '780'],
      ItalicAngle: 0,
      Ascent: ASCENT * 1000,
      Descent: -DESCENT * 1000,
      CapHeight: 700,
      StemV: 80,
      FontFile2: writer.addDeflated(file, makeDict({ Length1: file.length })),
    }),
  );
  // Every code is drawn by the one blank glyph.
  const glyphs = Buffer.alloc(characters.length * 2);
  for (let code = 0; code < characters.length; code++) glyphs.writeUInt16BE(1, code * 2);
  const cidFont = writer.add(
    makeDict({
      Type: '/Font',
      Subtype: '/CIDFontType2',
      BaseFont: '/OcrTextLayer',
      CIDSystemInfo: makeDict({ Registry: '(Adobe)', Ordering: '(Identity)', Supplement: 0 }),
      FontDescriptor: descriptor,
      DW: GLYPH_WIDTH * 1000,
      CIDToGIDMap: writer.addDeflated(glyphs),
    }),
  );
  const font = makeDict({
    Type: '/Font',
    Subtype: '/Type0',
    BaseFont: '/OcrTextLayer',
    Encoding: '/Identity-H',
    DescendantFonts: [cidFont],
    ToUnicode: writer.addDeflated(composeToUnicode(characters)),
  });
  writer.put(ref, font);
}

/** Mappings in one section of a CMap. */
const MAX_SECTION_MAPPINGS = 100;

/** Composes the ToUnicode map. Source: Adobe Technical Note 5411, "ToUnicode Mapping File Tutorial". */
function composeToUnicode(characters: readonly string[]): string {
  const rows = characters.flatMap((character, code) =>
    code === 0
      ? []
      : [
          `<${toHex(code)}> <${[...Array(character.length).keys()].map((at) => toHex(character.charCodeAt(at))).join('')}>`,
        ],
  );
  const sections: string[] = [];
  for (let at = 0; at < rows.length; at += MAX_SECTION_MAPPINGS) {
    const section = rows.slice(at, at + MAX_SECTION_MAPPINGS);
    sections.push(`${section.length} beginbfchar`, ...section, 'endbfchar');
  }
  return [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange',
    '<0000> <ffff>',
    'endcodespacerange',
    ...sections,
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
  ].join('\n');
}

const toHex = (value: number): string => value.toString(16).padStart(4, '0');
