const inOrder = (first: number, texts: string): [number, string][] =>
  texts.split(' ').map((text, index) => [first + index, text]);

interface TexEncoding {
  /** Ligatures that tell the encoding from the others and from ASCII, which fonts of formulas and typewriters keep to. */
  ligatures: readonly number[];
  /** Texts of the codes that are not ASCII. */
  texts: ReadonlyMap<number, string>;
}

/** TeX's encodings of text. Source: LaTeX font encodings, 2.1 and 2.2; TeXBase1Encoding (8r). */
const ENCODINGS: readonly TexEncoding[] = [
  {
    ligatures: [0x0b, 0x0c, 0x0d, 0x0e, 0x0f],
    texts: new Map([
      ...inOrder(0x0b, 'ff fi fl ffi ffl ı ȷ ` ´ ˇ ˘ ¯ ˚ ¸ ß æ œ ø Æ Œ Ø'),
      ...inOrder(0x5b, '[ “ ] ˆ ˙'),
      ...inOrder(0x7b, '– — ˝ ˜ ¨'),
      [0x22, '”'],
      [0x3c, '¡'],
      [0x3e, '¿'],
    ]),
  },
  {
    ligatures: [0x02, 0x03],
    texts: new Map([
      ...inOrder(0x02, 'fi fl'),
      ...inOrder(0x11, 'ı ȷ ff ffi ffl'),
      [0x1e, '`'],
      ...inOrder(0x84, '„ … † ‡ ˆ ‰ Š ‹ Œ'),
      ...inOrder(0x93, '“ ” • – — ˜ ™ š › œ'),
    ]),
  },
  {
    ligatures: [0x1b, 0x1c, 0x1d],
    texts: new Map([
      ...inOrder(0x10, '“ ” „ « » – —'),
      ...inOrder(0x19, 'ı ȷ ff fi fl ffi ffl'),
      ...inOrder(0xc0, 'À Á Â Ã Ä Å Æ Ç È É Ê Ë Ì Í Î Ï Ð Ñ Ò Ó Ô Õ Ö Œ Ø Ù Ú Û Ü Ý Þ SS'),
      ...inOrder(0xe0, 'à á â ã ä å æ ç è é ê ë ì í î ï ð ñ ò ó ô õ ö œ ø ù ú û ü ý þ ß'),
    ]),
  },
];

/** Letters that every text of some length has most of; a font of formulas has few. */
const USUAL_LETTERS = 'aeinorst';
const MIN_USUAL_LETTERS = 6;

/**
 * The texts, by codes, of a font that TeX's drivers draw of dots: its names only repeat the codes, as `a97` (pdfTeX),
 * `CP` (dvips: from A0 on, to the base 36) or `a`, the code's own character (Ghostscript). Undefined for other names.
 */
export function readTexGlyphs(names: ReadonlyMap<number, string>): Map<number, string> | undefined {
  const drawn = [...names].filter(([, name]) => name !== '.notdef');
  if (drawn.length === 0 || !drawn.every(([code, name]) => tellsCode(name, code))) return undefined;
  const codes = drawn.map(([code]) => code);
  const encoding = findEncoding(codes);
  const texts = new Map<number, string>();
  for (const code of codes) {
    const text = encoding?.get(code) ?? (code > 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined);
    if (text !== undefined) texts.set(code, text);
  }
  return texts;
}

function findEncoding(codes: readonly number[]): TexEncoding['texts'] | undefined {
  const letters = [...USUAL_LETTERS].filter((letter) => codes.includes(letter.charCodeAt(0)));
  if (letters.length < MIN_USUAL_LETTERS) return undefined;
  return ENCODINGS.find(({ ligatures }) => ligatures.some((code) => codes.includes(code)))?.texts;
}

const tellsCode = (name: string, code: number): boolean =>
  name === `a${code}` ||
  name === String.fromCharCode(code) ||
  (/^[A-H][\dA-Z]$/.test(name) && Number.parseInt(name, 36) - 360 === code);
