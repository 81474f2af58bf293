/** The texts of a font's glyphs, by their numbers. */
export type GlyphOrder = ReadonlyMap<number, string>;

/** Texts of successive glyphs, from a number on. */
type Run = readonly [first: number, texts: string | readonly string[]];

const inRuns = (...runs: readonly Run[]): GlyphOrder =>
  new Map(runs.flatMap(([first, texts]) => [...texts].map((one, index) => [first + index, one] as const)));

const ASCII = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 0x20 + index));

/** Codes that are the characters themselves: no order, but the standard that the orders are compared with. */
export const PLAIN_CODES = inRuns([0x20, ASCII]);

/**
 * The usual beginning of TrueType fonts: space is the glyph 3. Source: OpenType, `post`, Macintosh glyph order, but
 * without a second space and the apple.
 */
const LATIN: Run = [
  3,
  `${ASCII}ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇŁłŠšŽž¦ÐðÝýÞþ−×¹²³½¼¾₣ĞğİŞşĆćČčđ`,
];
const MACINTOSH = inRuns(LATIN);

/** The rest of Microsoft's Arial, Times and Courier: WGL4. Source: maps in PDFs that Word made. */
const WINDOWS = inRuns(
  LATIN,
  [
    256,
    '¯·ĂăĄąĎďĐĘęĚěĹĺĽľĿŀŃńŇňŐőŔŕŘřŚśŢţŤťŮůŰűŹźŻżΓΘΦαδεστφ‗‼ⁿ₧←↑→↓↔↕↨∟∩≡⌂⌐⌠⌡─│┌┐└┘├┤┬┴┼═║╒╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡╢╣╤╥╦╧╨╩╪╫╬▀▄█▌▐░▒▓■▬▲►▼◄○◘◙☺☻☼♀♂♠♣♥♦♪♫Ĳĳŉ′″℅ℓ□▪▫●◦' +
      'ĀāĈĉĊċĒēĔĕĖėĜĝĠġĢģĤĥĦħĨĩĪīĬĭĮįĴĵĶķĸĻļŅņŊŋŌōŎŏŖŗŜŝŦŧŨũŪūŬŭŲųŴŵŶŷſǺǻǼǽǾǿ',
  ],
  [476, '·ẀẁẂẃẄẅỲỳ‛‾₤℮⅛⅜⅝⅞'],
  [
    495,
    '΄΅ΆΈΉΊΌΎΏΐΑΒΔΕΖΗΙΚΛΜΝΞΟΠΡΣΤΥΧΨΩΪΫάέήίΰβγζηθικλμνξορςυχψωϊϋόύώ' +
      'ЁЂЃЄЅІЇЈЉЊЋЌЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюяёђѓєѕіїјљњћќўџҐґ―№',
  ],
);

/** The beginning of Adobe's fonts. Source: Compact Font Format, appendix C, ISOAdobe. */
const ISO_ADOBE = inRuns([
  1,
  `${ASCII.replace("'", '’').replace('`', '‘')}¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ–†‡·¶•‚„”»…‰¿\`´ˆ˜¯˘˙¨˚¸˝˛ˇ—ÆªŁØŒºæıłøœß¹¬µ™Ð½±Þ¼÷¦°þ¾²®−ð×³©ÁÂÄÀÅÃÇÉÊËÈÍÎÏÌÑÓÔÖÒÕŠÚÛÜÙÝŸŽáâäàåãçéêëèíîïìñóôöòõšúûüùýÿž`,
]);

/**
 * Microsoft's Calibri: capitals and small letters stand among their accented forms. Its ligatures have no character of
 * their own. Source: maps in PDFs that Word made.
 */
const CALIBRI = inRuns(
  ...([
    [3, ' '],
    ...letters(
      'A4 B17 C18 D24 E28 F38 G39 H44 I47 J58 K60 L62 M68 N69 O75 P87 Q89 R90 S94 T100 U104 V115 W116 X121 Y122',
    ),
    ...letters(
      'Z127 a258 à259 â261 b271 c272 ç277 d282 e286 è287 é288 ê289 f296 g336 h346 i349 î352 ï354 j361 k364 l367',
    ),
    ...letters('m373 n374 o381 ô384 p393 q395 r396 s400 t410 u437 û440 v448 w449 x454 y455 z460'),
    ...letters(
      '!842 ,853 ;854 :855 .856 ‘858 ’859 “862 ”863 «872 »873 /876 ‐882 –884 —886 (894 )895 \'918 "919 &920 °931',
    ),
    ...letters('$936 £940 #951 ²1016 %1081 ●3511'),
    [1004, '0123456789'],
    [332, ['ft']],
    [414, ['tf', 'ti']],
    [425, ['tt']],
  ] as Run[]),
);

/** Microsoft's Cambria, in the same way. */
const CAMBRIA = inRuns(
  [3, ' ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [131, 'abcdefghijklmnopqrstuvwxyz'],
  [481, ',;:.'],
  [514, '–—'],
  [523, '()[]'],
  [821, '\'"@'],
  [882, '0123456789'],
  ...letters('&428 -486 ’495 “498 ”499 /512 $836 £841 ¥846 %936 +938 ×941'),
);

/** Parses a list: in "A4" the letter A is the glyph 4. */
function letters(list: string): Run[] {
  return list.split(' ').map((entry): Run => [Number(entry.slice(1)), entry.charAt(0)]);
}

/** The orders that fonts begin in. */
export const GLYPH_ORDERS: readonly GlyphOrder[] = [
  MACINTOSH,
  inRuns([0, ASCII]),
  ISO_ADOBE,
  inRuns([2, ASCII]),
  CALIBRI,
  CAMBRIA,
];

const FAMILIES: readonly (readonly [RegExp, GlyphOrder])[] = [
  [/^Calibri(?!Light)/, CALIBRI],
  [/^Cambria/, CAMBRIA],
  [/^(?:Arial(?!Black)|TimesNewRoman|CourierNew)/, WINDOWS],
  [/^(?:Verdana|Tahoma|Trebuchet|Georgia|CenturyGothic|ComicSans|SimSun)/, MACINTOSH],
];

/** The known order of a family of fonts, by the name of one; undefined for others. */
export function orderOfFamily(name: string): GlyphOrder | undefined {
  const family = name.replace(/^[A-Z]{6}\+/, '').replace(/[\s_]/g, '');
  return FAMILIES.find(([pattern]) => pattern.test(family))?.[1];
}
