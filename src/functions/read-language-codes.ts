import { isNoLanguage, toLanguageCode } from '../contract/languages.js';
import { DocumentError } from '../engine/model/document-error.js';
import type { ReadOptions } from '../engine/reading/reading.js';
import { listLanguages } from '../engine/stages/recognise/languages.js';

/** ISO 639-1, or a name: no data of Tesseract's has two letters, and few have more than three without an underscore. */
const OTHER_NAME = /^(?:[a-z]{2}|[a-z]{4,})$/i;

/**
 * Returns Tesseract's codes of languages, each once: "de" and "german" are "deu". A code for which data is installed stays,
 * whatever else it may mean. The engine finds codes without data, and says how to install it.
 * @throws DocumentError `invalid-argument` at /languages for two letters that name no language
 */
export function readLanguageCodes(languages: readonly string[], native: ReadOptions['native']): string[] {
  if (!languages.some((language) => OTHER_NAME.test(language))) return [...languages];
  const installed = listLanguages(native);
  const toCode = (language: string) => {
    if (!OTHER_NAME.test(language) || installed.includes(language)) return language;
    if (!isNoLanguage(language)) return toLanguageCode(language) ?? language;
    throw new DocumentError(
      'invalid-argument',
      `"${language}" is the code of no language that can be read; installed: ${installed.join(', ')}`,
      { pointer: '/languages' },
    );
  };
  return [...new Set(languages.map(toCode))];
}
