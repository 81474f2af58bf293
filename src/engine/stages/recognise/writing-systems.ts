/** Writing systems other than Latin: name, characters, and Tesseract's codes of their languages; the first code is the suggestion. */
const WRITING_SYSTEMS: readonly (readonly [name: string, characters: RegExp, languages: string])[] = [
  ['Arabic', /\p{Script=Arabic}/gu, 'ara fas urd pus snd uig kur_ara'],
  ['Armenian', /\p{Script=Armenian}/gu, 'hye'],
  ['Bengali', /\p{Script=Bengali}/gu, 'ben asm'],
  ['Burmese', /\p{Script=Myanmar}/gu, 'mya'],
  ['Canadian Aboriginal', /\p{Script=Canadian_Aboriginal}/gu, 'iku'],
  ['Cherokee', /\p{Script=Cherokee}/gu, 'chr'],
  // Each system with Chinese characters counts them: the first one wins if there are no others.
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
  /** English name: "Japanese", "Cyrillic". */
  name: string;
  /** Tesseract's code of a language in this writing system. */
  language: string;
}

/** Letters of a text: a few Greek symbols of a formula are none. */
const MIN_LETTERS = 4;
/** Code of a language of Tesseract. Other models, trained by users or for whole scripts, may read anything. */
const TESSERACT_LANGUAGE = /^[a-z]{3}(_[a-z]+)*$/;

const areKnown = (languages: readonly string[]): boolean =>
  languages.every((language) => TESSERACT_LANGUAGE.test(language));

/** True when one of the languages is among these codes. */
const isAmong = (languages: readonly string[], codes: string): boolean =>
  languages.some((language) => codes.split(' ').includes(language.replace(/_vert$/, '')));

/** True when all languages are known and written in Latin letters. */
export const isLatin = (languages: readonly string[]): boolean =>
  areKnown(languages) && !WRITING_SYSTEMS.some(([, , codes]) => isAmong(languages, codes));

/**
 * Returns the writing system of most of a text if recognition in these languages cannot read it. Latin letters are read, well
 * or badly, in every language. A text in many systems at once counts as none: a font with a wrong map produces such text.
 */
export function findUnreadable(text: string, languages: readonly string[]): WritingSystem | undefined {
  if (!areKnown(languages)) return undefined;
  const count = (characters: RegExp) => text.match(characters)?.length ?? 0;
  const counted = WRITING_SYSTEMS.map((system) => ({ system, characters: count(system[1]) }));
  const { system, characters } = counted.reduce((a, b) => (b.characters > a.characters ? b : a));
  if (characters < Math.max(MIN_LETTERS, count(/[\p{L}\p{M}]/gu) / 2)) return undefined;
  const [name, , codes] = system;
  if (isAmong(languages, codes)) return undefined;
  return { name, language: codes.split(' ')[0] ?? '' };
}
