/** Distance of `%PDF-` from the beginning of the file that PDF readers accept. */
const HEAD_BYTES = 1024;

export const PDF_TYPE = 'application/pdf';
export const IMAGE_TYPES = [
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/heic',
  'image/heif',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
] as const;
/** Types whose files may have several pictures that are pages. */
const TYPES_WITH_PAGES: readonly string[] = ['image/avif', 'image/heic', 'image/heif', 'image/tiff'];

/** True for images whose pictures are pages; of an animation only the first picture is read. */
export function hasPages(mimeType: string): boolean {
  return TYPES_WITH_PAGES.includes(mimeType);
}

/** The MIME type of a file by its first bytes (1 KiB is enough), whatever its name; undefined when the engine does not read the type. */
export function sniffBytes(head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES));
  const ascii = bytes.toString('latin1');
  if (ascii.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (ascii.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (ascii.startsWith('GIF87a') || ascii.startsWith('GIF89a')) return 'image/gif';
  if (ascii.startsWith('RIFF') && ascii.slice(8, 12) === 'WEBP') return 'image/webp';
  if (/^(?:II[*+]\0|MM\0[*+])/.test(ascii)) return 'image/tiff';
  if (isBmp(bytes)) return 'image/bmp';
  const heif = sniffHeif(ascii);
  if (heif !== undefined) return heif;
  if (ascii.includes('%PDF-')) return PDF_TYPE;
  return undefined;
}

/** True for a bitmap. "BM" alone begins many texts: the header's own size must be one of a BMP too. */
function isBmp(bytes: Buffer): boolean {
  if (bytes.length < 26 || bytes.toString('latin1', 0, 2) !== 'BM') return false;
  return [12, 16, 40, 52, 56, 64, 108, 124].includes(bytes.readUInt32LE(14));
}

/** Returns the type of a HEIF file by the brands in its first box (ISO/IEC 14496-12, 4.3; 23008-12, 10). Sequences are films. */
function sniffHeif(ascii: string): string | undefined {
  if (ascii.slice(4, 8) !== 'ftyp') return undefined;
  const brand = ascii.slice(8, 12);
  if (brand === 'avif') return 'image/avif';
  if (/^hei[cxms]$/.test(brand)) return 'image/heic';
  return brand === 'mif1' ? 'image/heif' : undefined;
}
