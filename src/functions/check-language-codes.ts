import { DocumentError } from '../engine/model/document-error.js';
import type { ReadOptions } from '../engine/reading/reading.js';
import { listLanguages } from '../engine/stages/recognise/languages.js';

/** ISO 639-1, or a name: no data of Tesseract's has two letters, and few have more than three without an underscore. */
const OTHER_NAME = /^(?:[a-z]{2}|[a-z]{4,})$/i;

/**
 * Says what Tesseract calls a language that was named otherwise: "de" and "german" are "deu". What else is missing the
 * engine finds, and says how to install it.
 * @throws DocumentError `invalid-argument` at /languages
 */
export function checkLanguageCodes(languages: readonly string[], native: ReadOptions['native']): void {
  const others = languages.filter((language) => OTHER_NAME.test(language));
  if (others.length === 0) return;
  const installed = listLanguages(native);
  for (const language of others) {
    if (installed.includes(language)) continue;
    const code = installed.find((known) => namesOf(known).includes(language.toLowerCase()));
    if (code !== undefined) throw refuse(`the language "${language}" is called ${code} here`);
    if (language.length === 2 || isNameOfLanguage(language)) {
      throw refuse(`languages have codes of three letters, not "${language}"; installed: ${installed.join(', ')}`);
    }
  }
}

/** Returns the other names of a code: de and german for "deu"; nothing, or the code itself, outside ISO 639. */
function namesOf(code: string): string[] {
  if (!/^[a-z]{3}$/.test(code)) return [];
  const { language } = new Intl.Locale(code);
  return [language, new Intl.DisplayNames('en', { type: 'language' }).of(language)?.toLowerCase() ?? language];
}

/** A name in English. Whatever else is long may be somebody's own data, for which the engine says where it belongs. */
function isNameOfLanguage(word: string): boolean {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  return codes.some((code) => names.of(code)?.toLowerCase() === word.toLowerCase());
}

function refuse(message: string): DocumentError {
  return new DocumentError('invalid-argument', message, { pointer: '/languages' });
}
