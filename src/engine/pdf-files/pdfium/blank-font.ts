/** The font's own name. */
export const BLANK_FONT = 'Blank';

const UNITS_PER_EM = 1000;
/** The square of East Asian characters, in units of the font. */
const [LEFT, BOTTOM, RIGHT, TOP] = [0, -120, UNITS_PER_EM, 880];
const FIRST_CHARACTER = 0x20;
const LAST_CHARACTER = 0x10ffff;
const GLYPH = 1;
const FAMILY_NAME = 1;
const VERSION_1 = 0x10000;
/** Format of the subtable of `cmap` in which a range of characters has one glyph. */
const MANY_TO_ONE = 13;

/**
 * Makes a TrueType font in which each character is as large as an ideograph and has no ink: its outline is two corners
 * of the square, each a contour of its own. Source: OpenType 1.9.
 */
export function makeBlankFont(): Buffer {
  const glyph = pad(
    Buffer.concat([
      shorts(2, LEFT, BOTTOM, RIGHT, TOP),
      shorts(0, 1, 0),
      Buffer.from([1, 1]),
      shorts(LEFT, RIGHT - LEFT, BOTTOM, TOP - BOTTOM),
    ]),
  );
  const name = Buffer.from(BLANK_FONT, 'latin1');
  return makeFont({
    cmap: Buffer.concat([
      ...[shorts(0, 1, 3, 10), longs(12), shorts(MANY_TO_ONE, 0), longs(28, 0, 1)],
      longs(FIRST_CHARACTER, LAST_CHARACTER, GLYPH),
    ]),
    glyf: glyph,
    head: Buffer.concat([
      ...[longs(VERSION_1, VERSION_1, 0, 0x5f0f3cf5), shorts(0, UNITS_PER_EM), Buffer.alloc(16)],
      shorts(LEFT, BOTTOM, RIGHT, TOP, 0, 3, 2, 0, 0),
    ]),
    hhea: Buffer.concat([longs(VERSION_1), shorts(TOP, BOTTOM, 0, UNITS_PER_EM, ...Array(11).fill(0), 1)]),
    hmtx: shorts(UNITS_PER_EM, 0, 0),
    loca: shorts(0, 0, glyph.length / 2),
    maxp: Buffer.concat([longs(VERSION_1), shorts(2, 2, 2, 0, 0, 1, ...Array(8).fill(0))]),
    name: Buffer.concat([shorts(0, 1, 18, 1, 0, 0, FAMILY_NAME, name.length, 0), name]),
  });
}

function makeFont(tables: Record<string, Buffer>): Buffer {
  const entries = Object.entries(tables);
  let at = 12 + entries.length * 16;
  const directory = entries.map(([tag, table]) => {
    const entry = Buffer.concat([Buffer.from(tag, 'latin1'), longs(0, at, table.length)]);
    at += pad(table).length;
    return entry;
  });
  return Buffer.concat([
    ...[longs(VERSION_1), shorts(entries.length, 128, 3, entries.length * 16 - 128)],
    ...directory,
    ...entries.map(([, table]) => pad(table)),
  ]);
}

const pad = (table: Buffer): Buffer => Buffer.concat([table, Buffer.alloc(-table.length & 3)]);

function shorts(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, index * 2);
  return bytes;
}

function longs(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}
