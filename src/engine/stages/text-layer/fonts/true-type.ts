/** Gives `read` a TrueType font; undefined where it is damaged: such a font points beyond its end. */
export function readTrueType<T>(font: Uint8Array, read: (font: DataView) => T): T | undefined {
  try {
    return read(new DataView(font.buffer, font.byteOffset, font.byteLength));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The offset of a table of the font, in bytes. Source: OpenType 1.9, table directory. */
export function findTable(font: DataView, name: string): number | undefined {
  const count = font.getUint16(4);
  for (let entry = 12; entry < 12 + count * 16; entry += 16) {
    const tag = String.fromCharCode(...Array.from({ length: 4 }, (_, index) => font.getUint8(entry + index)));
    if (tag === name) return font.getUint32(entry + 8);
  }
  return undefined;
}
