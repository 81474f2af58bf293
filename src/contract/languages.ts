export interface Language {
  /** Tesseract's code: ISO 639-2, with a suffix where a language has several scripts. */
  code: string;
  /** English name. */
  name: string;
}

/** Languages whose data is in the npm packages `@tesseract.js-data/<code>`: Tesseract's code, the code of ISO 639-1 where that stands for it, and the name in English. */
const TABLE = `
afr af Afrikaans
amh am Amharic
ara ar Arabic
asm as Assamese
aze az Azerbaijani
aze_cyrl - Azerbaijani (Cyrillic)
bel be Belarusian
ben bn Bengali
bod bo Tibetan
bos bs Bosnian
bul bg Bulgarian
cat ca Catalan
ceb - Cebuano
ces cs Czech
chi_sim zh Chinese (simplified)
chi_tra - Chinese (traditional)
chr - Cherokee
cym cy Welsh
dan da Danish
deu de German
dzo dz Dzongkha
ell el Greek
eng en English
enm - English (Middle)
epo eo Esperanto
est et Estonian
eus eu Basque
fas fa Persian
fin fi Finnish
fra fr French
frk - German (Fraktur)
frm - French (Middle)
gle ga Irish
glg gl Galician
grc - Greek (ancient)
guj gu Gujarati
hat ht Haitian Creole
heb he Hebrew
hin hi Hindi
hrv hr Croatian
hun hu Hungarian
hye hy Armenian
iku iu Inuktitut
ind id Indonesian
isl is Icelandic
ita it Italian
ita_old - Italian (old)
jav jv Javanese
jpn ja Japanese
kan kn Kannada
kat ka Georgian
kat_old - Georgian (old)
kaz kk Kazakh
khm km Khmer
kir ky Kyrgyz
kor ko Korean
kur ku Kurdish
lao lo Lao
lat la Latin
lav lv Latvian
lit lt Lithuanian
mal ml Malayalam
mar mr Marathi
mkd mk Macedonian
mlt mt Maltese
msa ms Malay
mya my Burmese
nep ne Nepali
nld nl Dutch
nor no Norwegian
ori or Odia
pan pa Punjabi
pol pl Polish
por pt Portuguese
pus ps Pashto
ron ro Romanian
rus ru Russian
san sa Sanskrit
sin si Sinhala
slk sk Slovak
slv sl Slovenian
spa es Spanish
spa_old - Spanish (old)
sqi sq Albanian
srp sr Serbian
srp_latn - Serbian (Latin)
swa sw Swahili
swe sv Swedish
syr - Syriac
tam ta Tamil
tel te Telugu
tgk tg Tajik
tgl tl Tagalog
tha th Thai
tir ti Tigrinya
tur tr Turkish
uig ug Uyghur
ukr uk Ukrainian
urd ur Urdu
uzb uz Uzbek
uzb_cyrl - Uzbek (Cyrillic)
vie vi Vietnamese
yid yi Yiddish
`;

/** Codes of ISO 639-1 for the two written forms of Norwegian, which share one model. */
const FURTHER_CODES: Record<string, string> = { nb: 'nor', nn: 'nor' };

interface Entry extends Language {
  twoLetters: string;
}

const ENTRIES: readonly Entry[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [code = '', twoLetters = '', ...name] = line.split(' ');
    return { code, twoLetters, name: name.join(' ') };
  });

/** The languages that can be installed, by their codes. */
export const LANGUAGES: readonly Language[] = ENTRIES.map(({ code, name }) => ({ code, name }));

/** Returns the name of a language in English, or its code where it has none. */
export function nameOfLanguage(code: string): string {
  return ENTRIES.find((entry) => entry.code === code)?.name ?? code;
}

/**
 * Returns Tesseract's code for a language that is named otherwise: `de`, `ger`, `DEU` and `german` are `deu`. Undefined for
 * a word that names no known language; it may be the name of somebody's own data.
 */
export function toLanguageCode(word: string): string | undefined {
  const lower = word.toLowerCase();
  const find = (code: string) =>
    ENTRIES.find((entry) => entry.code === code || entry.twoLetters === code)?.code ?? FURTHER_CODES[code];
  return find(lower) ?? find(canonicalise(lower)) ?? ENTRIES.find(({ name }) => name.toLowerCase() === lower)?.code;
}

/** Returns the code of ISO 639-1 for one of the older codes of ISO 639-2 (`ger`, `fre`), else the word. */
function canonicalise(word: string): string {
  return /^[a-z]{3}$/.test(word) ? new Intl.Locale(word).language : word;
}

/** True for two letters that are the code of no language. Longer words may be the names of somebody's own data. */
export function isNoLanguage(word: string): boolean {
  return /^[a-z]{2}$/i.test(word) && toLanguageCode(word) === undefined;
}

/** Splits `deu+eng` or `de, en` and returns Tesseract's codes, each once; words that it does not know stay. */
export function parseLanguages(text: string): string[] {
  const words = text.split(/[+,\s]+/).filter((word) => word !== '');
  return [...new Set(words.map((word) => toLanguageCode(word) ?? word))];
}
