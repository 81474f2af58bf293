/** How languages are written that are not written in Latin letters: name, characters, Tesseract's codes; the first one is advised. */
const WRITING_SYSTEMS: readonly (readonly [name: string, characters: RegExp, languages: string])[] = [
  ['Arabic', /\p{Script=Arabic}/gu, 'ara fas urd pus snd uig kur_ara'],
  ['Armenian', /\p{Script=Armenian}/gu, 'hye'],
  ['Bengali', /\p{Script=Bengali}/gu, 'ben asm'],
  ['Burmese', /\p{Script=Myanmar}/gu, 'mya'],
  ['Canadian Aboriginal', /\p{Script=Canadian_Aboriginal}/gu, 'iku'],
  ['Cherokee', /\p{Script=Cherokee}/gu, 'chr'],
  // Each system that has Chinese characters counts them: the first one wins where there is nothing else.
  ['Chinese', /\p{Script=Han}/gu, 'chi_sim chi_tra jpn'],
  ['Japanese', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu, 'jpn'],
  ['Korean', /[\p{Script=Han}\p{Script=Hangul}]/gu, 'kor'],
  ['Cyrillic', /\p{Script=Cyrillic}/gu, 'rus ukr bel bul mkd srp kaz kir mon tat tgk aze_cyrl uzb_cyrl'],
  ['Devanagari', /\p{Script=Devanagari}/gu, 'hin mar nep san'],
  ['Ethiopic', /\p{Script=Ethiopic}/gu, 'amh tir'],
  ['Georgian', /\p{Script=Georgian}/gu, 'kat kat_old'],
  ['Greek', /\p{Script=Greek}/gu, 'ell grc'],
  ['Gujarati', /\p{Script=Gujarati}/gu, 'guj'],
  ['Gurmukhi', /\p{Script=Gurmukhi}/gu, 'pan'],
  ['Hebrew', /\p{Script=Hebrew}/gu, 'heb yid'],
  ['Kannada', /\p{Script=Kannada}/gu, 'kan'],
  ['Khmer', /\p{Script=Khmer}/gu, 'khm'],
  ['Lao', /\p{Script=Lao}/gu, 'lao'],
  ['Malayalam', /\p{Script=Malayalam}/gu, 'mal'],
  ['Odia', /\p{Script=Oriya}/gu, 'ori'],
  ['Sinhala', /\p{Script=Sinhala}/gu, 'sin'],
  ['Syriac', /\p{Script=Syriac}/gu, 'syr'],
  ['Tamil', /\p{Script=Tamil}/gu, 'tam'],
  ['Telugu', /\p{Script=Telugu}/gu, 'tel'],
  ['Thaana', /\p{Script=Thaana}/gu, 'div'],
  ['Thai', /\p{Script=Thai}/gu, 'tha'],
  ['Tibetan', /\p{Script=Tibetan}/gu, 'bod dzo'],
];

export interface WritingSystem {
  /** For people: "Japanese", "Cyrillic". */
  name: string;
  /** Tesseract's code of a language that is written so. */
  language: string;
}

/** Symbols of a formula make no text in Greek. */
const LEAST_LETTERS = 4;
/** Models that somebody trained, or Tesseract's of whole scripts, may read anything. */
const TESSERACT_LANGUAGE = /^[a-z]{3}(_[a-z]+)*$/;

const areKnown = (languages: readonly string[]): boolean =>
  languages.every((language) => TESSERACT_LANGUAGE.test(language));

/** Is one of them among these codes? */
const isAmong = (languages: readonly string[], codes: string): boolean =>
  languages.some((language) => codes.split(' ').includes(language.replace(/_vert$/, '')));

/** Are all these written in Latin letters, as far as is known? */
export const isLatin = (languages: readonly string[]): boolean =>
  areKnown(languages) && !WRITING_SYSTEMS.some(([, , codes]) => isAmong(languages, codes));

/**
 * The writing system of most of a text, if recognition in these languages cannot read it. Latin letters are read, well
 * or badly, in every language. A text of many systems at once has none: it is what a font with a wrong map gives.
 */
export function findUnreadable(text: string, languages: readonly string[]): WritingSystem | undefined {
  if (!areKnown(languages)) return undefined;
  const count = (characters: RegExp) => text.match(characters)?.length ?? 0;
  const counted = WRITING_SYSTEMS.map((system) => ({ system, characters: count(system[1]) }));
  const { system, characters } = counted.reduce((a, b) => (b.characters > a.characters ? b : a));
  if (characters < Math.max(LEAST_LETTERS, count(/[\p{L}\p{M}]/gu) / 2)) return undefined;
  const [name, , codes] = system;
  if (isAmong(languages, codes)) return undefined;
  return { name, language: codes.split(' ')[0] ?? '' };
}
