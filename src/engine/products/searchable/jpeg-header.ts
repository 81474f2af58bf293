export interface JpegHeader {
  width: number;
  height: number;
  components: number;
  /** True for a JPEG of Adobe's programs, whose CMYK counts paper where PDF counts ink. */
  isAdobe: boolean;
}

const ADOBE = 0xee;
/** Frames that PDF's DCTDecode reads: baseline, extended and progressive, Huffman coded. */
const READABLE_FRAMES = [0xc0, 0xc1, 0xc2];
const STANDALONE = [0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8];

/** Reads the header; undefined when a PDF cannot hold the JPEG as it is. Source: ITU-T T.81, B.2; Adobe Technical Note 5116. */
export function readJpegHeader(bytes: Buffer): JpegHeader | undefined {
  let isAdobe = false;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff || STANDALONE.includes(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (marker === ADOBE && bytes.toString('latin1', at + 4, at + 9) === 'Adobe') isAdobe = true;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return READABLE_FRAMES.includes(marker) ? readFrame(bytes, at + 4, isAdobe) : undefined;
    if (marker === 0xda || length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

function readFrame(bytes: Buffer, at: number, isAdobe: boolean): JpegHeader | undefined {
  if (at + 6 > bytes.length) return undefined;
  const [bits, components] = [bytes[at], bytes[at + 5] ?? 0];
  const [height, width] = [bytes.readUInt16BE(at + 1), bytes.readUInt16BE(at + 3)];
  if (bits !== 8 || ![1, 3, 4].includes(components) || width === 0 || height === 0) return undefined;
  return { width, height, components, isAdobe };
}
