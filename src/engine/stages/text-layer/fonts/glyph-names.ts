/** Names in TeX's fonts of signs that the Adobe Glyph List lacks. */
const SIGNS: readonly string[] = [
  'circlecopyrt \u20dd',
  'negationslash \u0338',
  ...['prime ′', 'visiblespace ␣', 'check ✓', 'star ⋆'],
  ...['angbracketleft ⟨', 'angbracketright ⟩', 'ceilingleft ⌈', 'ceilingright ⌉', 'floorleft ⌊', 'floorright ⌋'],
  ...['summation ∑', 'product ∏', 'coproduct ∐', 'integral ∫', 'contintegral ∮', 'radical √'],
  ...['union ⋃', 'intersection ⋂', 'unionmulti ⊎', 'unionsq ⊔', 'intersectionsq ⊓', 'logicaland ⋀', 'logicalor ⋁'],
  ...['circleminus ⊖', 'circledivide ⊘', 'circledot ⊙', 'circleplus ⊕', 'circlemultiply ⊗'],
  ...['lessmuch ≪', 'greatermuch ≫', 'precedesequal ⪯', 'followsequal ⪰', 'follows ≻', 'similarequal ≃', 'defines ≜'],
  ...['lessorequalslant ⩽', 'greaterorequalslant ⩾', 'lessorsimilar ≲', 'greaterorsimilar ≳', 'approxorequal ≊'],
  ...['subsetsqequal ⊑', 'supersetsqequal ⊒', 'subsetnoteql ⊊', 'notsubseteql ⊈', 'owner ∋', 'notexistential ∄'],
  ...['turnstileleft ⊢', 'turnstileright ⊣', 'forces ⊩', 'latticetop ⊤', 'intercal ⊺', 'wreathproduct ≀'],
  ...['epsilon1 ϵ', 'pi1 ϖ', 'rho1 ϱ', 'lscript ℓ', 'Rfractur ℜ', 'Ifractur ℑ', 'flat ♭', 'natural ♮', 'sharp ♯'],
  ...['triangle △', 'triangleinv ▽', 'triangleleft ◁', 'triangleright ▷', 'triangleleftsld ◀', 'trianglesolid ▲'],
  ...['square □', 'squaresolid ■', 'diamondmath ⋄', 'arrownortheast ↗', 'arrowsoutheast ↘', 'bardbl ‖'],
  ...['arrownorthwest ↖', 'arrowsouthwest ↙', 'arrowbothv ↕', 'squiggleright ⇝'],
];

/** Names of the Adobe Glyph List that texts and formulas in Latin letters have, besides letters and accents. */
const LISTED: readonly string[] = [
  ...['ff ff', 'fi fi', 'fl fl', 'ffi ffi', 'ffl ffl', 'dotlessi ı', 'dotlessj ȷ', 'germandbls ß', 'ae æ', 'AE Æ'],
  ...['oe œ', 'OE Œ', 'oslash ø', 'Oslash Ø', 'lslash ł', 'Lslash Ł', 'eth ð', 'Eth Ð', 'thorn þ', 'Thorn Þ'],
  ...['quoteleft ‘', 'quoteright ’', 'quotedblleft “', 'quotedblright ”', 'quotesinglbase ‚', 'quotedblbase „'],
  ...[
    'endash –',
    'emdash —',
    'minus −',
    'bullet •',
    'ellipsis …',
    'periodcentered ·',
    'exclamdown ¡',
    'questiondown ¿',
  ],
  ...['guillemotleft «', 'guillemotright »', 'guilsinglleft ‹', 'guilsinglright ›', 'dagger †', 'daggerdbl ‡'],
  ...['section §', 'paragraph ¶', 'copyright ©', 'registered ®', 'trademark ™', 'degree °', 'ordfeminine ª'],
  ...['ordmasculine º', 'cent ¢', 'sterling £', 'yen ¥', 'Euro €', 'onehalf ½', 'onequarter ¼', 'threequarters ¾'],
  ...['onesuperior ¹', 'twosuperior ²', 'threesuperior ³', 'fraction ⁄', 'perthousand ‰', 'acute ´', 'dieresis ¨'],
  ...[
    'multiply ×',
    'divide ÷',
    'plusminus ±',
    'minusplus ∓',
    'asteriskmath ∗',
    'dotmath ⋅',
    'similar ∼',
    'congruent ≅',
  ],
  ...['approxequal ≈', 'notequal ≠', 'equivalence ≡', 'lessequal ≤', 'greaterequal ≥', 'proportional ∝', 'infinity ∞'],
  ...['partialdiff ∂', 'gradient ∇', 'element ∈', 'notelement ∉', 'propersubset ⊂', 'propersuperset ⊃'],
  ...[
    'reflexsubset ⊆',
    'reflexsuperset ⊇',
    'emptyset ∅',
    'universal ∀',
    'existential ∃',
    'logicalnot ¬',
    'therefore ∴',
  ],
  ...['perpendicular ⊥', 'angle ∠', 'lozenge ◊', 'arrowleft ←', 'arrowup ↑', 'arrowright →', 'arrowdown ↓'],
  ...['arrowboth ↔', 'arrowdblleft ⇐', 'arrowdblright ⇒', 'arrowdblboth ⇔', 'theta1 ϑ', 'phi1 ϕ', 'sigma1 ς'],
];

/** Names in order from a code on; a dot stands where there is no character. */
const inOrder = (first: number, names: string): [string, string][] =>
  names
    .split(' ')
    .map((name, index): [string, string] => [name, String.fromCharCode(first + index)])
    .filter(([name]) => name !== '.');

const GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma1 sigma tau upsilon phi chi psi omega';
const CAPITALS = GREEK.replace('sigma1', '.').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ...inOrder(
    0x20,
    'space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period slash ' +
      'zero one two three four five six seven eight nine colon semicolon less equal greater question at',
  ),
  ...inOrder(0x5b, 'bracketleft backslash bracketright asciicircum underscore grave'),
  ...inOrder(0x7b, 'braceleft bar braceright asciitilde'),
  ...inOrder(0x391, CAPITALS),
  ...inOrder(0x3b1, GREEK),
  ...[...SIGNS, ...LISTED].map((entry) => entry.split(' ') as [string, string]),
]);

const ACCENTED =
  /^([A-Za-z])(acute|grave|circumflex|dieresis|tilde|ring|caron|cedilla|macron|breve|dotaccent|ogonek|hungarumlaut)$/;
const MARKS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circumflex: '\u0302',
  dieresis: '\u0308',
  tilde: '\u0303',
  ring: '\u030a',
  caron: '\u030c',
  cedilla: '\u0327',
  macron: '\u0304',
  breve: '\u0306',
  dotaccent: '\u0307',
  ogonek: '\u0328',
  hungarumlaut: '\u030b',
};

/**
 * Names in Linotype's Mathematical Pi and fonts after it: an `H` and a number, which some PDFs give as the character
 * too. Greek letters stand in order; other signs of these fonts stay unknown.
 */
const PI_NAME = /^H(\d{4,5})$/;
const PI_SIGNS: Readonly<Record<number, string>> = {
  11001: '+',
  11002: '−',
  11003: '×',
  11004: '÷',
  11005: '=',
  11006: '±',
  11009: '∞',
  11011: '∼',
  11015: '≈',
  11021: '<',
  11022: '>',
  11032: '′',
  11033: '″',
  11034: '°',
  11349: '≤',
  11350: '≥',
};
const FIRST_PI_CAPITAL = 9001;
const FIRST_PI_LETTER = 9251;

function readPiName(number: number): string | undefined {
  const letter = GREEK.split(' ')[number - FIRST_PI_LETTER];
  const capital = CAPITALS.split(' ').filter((name) => name !== '.')[number - FIRST_PI_CAPITAL];
  return PI_SIGNS[number] ?? CHARACTERS.get(letter ?? capital ?? '');
}

const LIGATURE = /^[A-Za-z](?:_[A-Za-z])+$/;
/**
 * The suffix of a variant: `f_i.alt` is another shape of `f_i`, `summationtext` another size of `summation`, `betatwo`
 * another shape of `beta`.
 */
const SHAPE = /\.\w+$/;
const SIZE = /(?:[bB]igg?|text|display|two)$/;
/** Signs that hang from the base line over several lines or over letters, where no line of text has a place for them; or ends of arrows. */
const DRAWN = /(?:left|right)[bB]igg?$|wide(?:r|st)?$|^bracehtip|^vextend|^mapsto$|^arrowhook/;

/**
 * The text of a glyph by its name, for names that PDFium does not read: characters, letters joined by `_`, a sign, or
 * nothing.
 * Undefined for made-up names (g42), and for letters alone, which may be made up too. Source: Adobe Glyph List
 * Specification, 2.
 */
export function readGlyphName(name: string): string | undefined {
  const base = name.replace(SHAPE, '');
  if (LIGATURE.test(base)) return base.replaceAll('_', '');
  if (DRAWN.test(base)) return '';
  const unicode = /^(?:uni([\dA-F]{4})|u([\dA-F]{4,5}))$/.exec(base);
  if (unicode !== null) return String.fromCodePoint(Number.parseInt(unicode[1] ?? unicode[2] ?? '', 16));
  const [, letter, accent] = ACCENTED.exec(base) ?? [];
  if (letter !== undefined) return (letter + MARKS[accent ?? '']).normalize('NFC');
  const pi = PI_NAME.exec(base);
  if (pi !== null) return readPiName(Number(pi[1]));
  return CHARACTERS.get(base) ?? CHARACTERS.get(base.replace(SIZE, ''));
}
