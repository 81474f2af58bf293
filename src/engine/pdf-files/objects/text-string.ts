import type { PdfValue } from './values.js';

/** Characters 0x18-0x1f and 0x80-0xa0 of PDFDocEncoding, where it differs from Latin-1 (ISO 32000-1, annex D.2). */
const ACCENTS = '˘ˇˆ˙˝˛˚˜';
const MARKS = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\ufffd€';

/** Decodes a text string (ISO 32000-1, 7.9.2.2): UTF-16 or UTF-8 by its first bytes, PDFDocEncoding otherwise. */
export function decodeTextString(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return withoutLanguage(decode(buffer)).replaceAll('\0', '');
}

/** Encodes text as a string of PDF's object syntax. */
export function encodeTextString(text: string): PdfValue {
  const bytes = /^[ -~]*$/.test(text) ? Buffer.from(text, 'latin1') : Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return `<${bytes.toString('hex')}>`;
}

function decode(buffer: Buffer): string {
  if (buffer[0] === 0xfe && buffer[1] === 0xff) {
    const even = buffer.subarray(2, buffer.length - (buffer.length % 2));
    return Buffer.from(even).swap16().toString('utf16le');
  }
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return buffer.toString('utf16le', 2);
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) return buffer.toString('utf8', 3);
  return buffer.toString('latin1').replace(/[\x18-\x1f\x80-\xa0]/g, (character) => {
    const code = character.charCodeAt(0);
    return (code < 0x20 ? ACCENTS[code - 0x18] : MARKS[code - 0x80]) ?? character;
  });
}

/** Removes the name of the text's language, which stands between two escape characters. */
function withoutLanguage(text: string): string {
  return text.replace(/\x1b[A-Za-z]{2,5}\x1b/g, '');
}
