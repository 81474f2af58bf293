/** Signs that the letters of picture fonts show, by their code in the font. Sources: the tables of Wingdings and ITC Zapf Dingbats. */
const SHOWN: Record<string, string> = {
  '\xfb': '✗',
  '\xfc': '✓',
  '\xfd': '☒',
  '\xfe': '☑',
  '\xa8': '☐',
  o: '☐',
  x: '☒',
  '4': '✔',
  '8': '✘',
};

/** A word in a font of pictures → a sign that shows the picture; a bullet where it is unknown. */
export function showPicture(text: string): string {
  if (text.length !== 1) return text;
  const code = text.charCodeAt(0);
  if (code < 0xf000 || code > 0xf0ff)
    return SHOWN[text] ?? (code < 0x100 || (code >= 0xe000 && code < 0xf900) ? '•' : text);
  return SHOWN[String.fromCharCode(code & 0xff)] ?? '•';
}
