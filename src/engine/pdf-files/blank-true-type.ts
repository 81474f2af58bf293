/** Metrics of a font: units of its em, and in these units the width of every glyph and its reach above and below the base line. */
export interface BlankType {
  unitsPerEm: number;
  width: number;
  ascent: number;
  descent: number;
  /** Family name; none by default. */
  family?: string;
  /** True when the second glyph stands for every character, not for the space alone. */
  coversUnicode?: boolean;
}

const GLYPHS = 2;
/** Number of the family in the `name` table. */
const FAMILY_NAME = 1;

/**
 * Makes a TrueType font of two glyphs that draw nothing, the second with an extent, with the tables that PDF asks of
 * an embedded font and those that some readers miss. Source: the OpenType specification 1.9, ISO 32000-2 9.9.
 */
export function makeBlankTrueType(type: BlankType): Buffer {
  const glyph = makeGlyph(type);
  const tables: [string, Buffer][] = [
    ['OS/2', makeOs2(type)],
    ['cmap', type.coversUnicode ? makeFullCmap() : makeSpaceCmap()],
    ['glyf', glyph],
    ['head', makeHead(type)],
    ['hhea', makeHhea(type)],
    ['hmtx', pack(...Array.from({ length: GLYPHS }, () => [type.width, 0]).flat())],
    // The table holds halves of offsets: the first glyph has no bytes.
    ['loca', pack(0, 0, glyph.length / 2)],
    ['maxp', makeMaxp()],
    ['name', makeName(type.family)],
    ['post', makePost()],
  ];
  const head = Buffer.alloc(12 + tables.length * 16);
  const power = 2 ** Math.floor(Math.log2(tables.length));
  pack(0, 1, 0, tables.length, power * 16, Math.log2(power), (tables.length - power) * 16).copy(head, 0, 2);
  let offset = head.length;
  const bodies = tables.map(([tag, body], index) => {
    const at = 12 + index * 16;
    head.write(tag, at, 'latin1');
    head.writeUInt32BE(sumOf(body), at + 4);
    head.writeUInt32BE(offset, at + 8);
    head.writeUInt32BE(body.length, at + 12);
    const padded = Buffer.concat([body, Buffer.alloc(-body.length & 3)]);
    offset += padded.length;
    return padded;
  });
  const file = Buffer.concat([head, ...bodies]);
  const adjustment = (0xb1b0afba - sumOf(file)) >>> 0;
  const headTable = tables.findIndex(([tag]) => tag === 'head');
  file.writeUInt32BE(adjustment, head.readUInt32BE(12 + headTable * 16 + 8) + 8);
  return file;
}

/**
 * Makes a contour from one corner of the glyph's box to the other and back: it covers nothing, but it gives the glyph
 * an extent. Without one, PDFium takes text that runs up the page for text of no width and leaves it out.
 */
function makeGlyph({ width, ascent, descent }: BlankType): Buffer {
  const box = [0, -descent, width, ascent];
  const contours = 1;
  const lastPoint = 1;
  const noInstructions = 0;
  // Both points are on the curve, with coordinates of two bytes, relative to the point before.
  const flags = 0x0101;
  return pack(contours, ...box, lastPoint, noInstructions, flags, 0, width, -descent, ascent + descent);
}

/** Packs words of 16 bits. */
function pack(...words: number[]): Buffer {
  const out = Buffer.alloc(words.length * 2);
  words.forEach((word, index) => {
    out.writeUInt16BE(word & 0xffff, index * 2);
  });
  return out;
}

function sumOf(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) {
    const word = Buffer.alloc(4);
    bytes.copy(word, 0, at, Math.min(at + 4, bytes.length));
    sum = (sum + word.readUInt32BE()) >>> 0;
  }
  return sum;
}

function makeHead({ unitsPerEm, width, ascent, descent }: BlankType): Buffer {
  const version = [1, 0, 1, 0];
  const checkSum = [0, 0];
  const magic = [0x5f0f, 0x3cf5];
  const dates = [0, 0, 0, 0, 0, 0, 0, 0];
  const box = [0, -descent, width, ascent];
  // Style, smallest size, direction (left to right), offsets of two bytes, format of the glyphs.
  return pack(...version, ...checkSum, ...magic, 0, unitsPerEm, ...dates, ...box, 0, 8, 2, 0, 0);
}

function makeHhea({ width, ascent, descent }: BlankType): Buffer {
  return pack(1, 0, ascent, -descent, 0, width, 0, 0, width, 1, 0, 0, 0, 0, 0, 0, 0, GLYPHS);
}

function makeMaxp(): Buffer {
  return pack(1, 0, GLYPHS, 2, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0);
}

/** Makes a character map of the space alone, in format 4. */
function makeSpaceCmap(): Buffer {
  const segments = [4, 4, 1, 0, 0x20, 0xffff, 0, 0x20, 0xffff, 1 - 0x20, 1, 0, 0];
  return pack(0, 1, 3, 1, 0, 12, 4, segments.length * 2 + 6, 0, ...segments);
}

/** Makes a character map of all characters from the space on to the second glyph, in format 13 (many to one). */
function makeFullCmap(): Buffer {
  const record = [3, 10, 0, 12];
  const range = [0, 0x20, 0x10, 0xffff, 0, 1];
  return pack(0, 1, ...record, 13, 0, 0, 28, 0, 0, 0, 1, ...range);
}

function makeName(family: string | undefined): Buffer {
  if (family === undefined) return pack(0, 0, 6);
  return Buffer.concat([pack(0, 1, 18, 1, 0, 0, FAMILY_NAME, family.length, 0), Buffer.from(family, 'latin1')]);
}

function makePost(): Buffer {
  return pack(3, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0);
}

function makeOs2({ width, ascent, descent }: BlankType): Buffer {
  const table = Buffer.alloc(96);
  table.writeUInt16BE(3, 0);
  table.writeInt16BE(width, 2);
  table.writeUInt16BE(400, 4);
  table.writeUInt16BE(5, 6);
  table.write('OCR ', 58, 'latin1');
  table.writeUInt16BE(0x40, 62);
  table.writeUInt16BE(0x20, 64);
  table.writeUInt16BE(0x20, 66);
  table.writeInt16BE(ascent, 68);
  table.writeInt16BE(-descent, 70);
  table.writeUInt16BE(ascent, 74);
  table.writeUInt16BE(descent, 76);
  return table;
}
